"""Which remembered entries a message corrects: what people say when a fact is wrong, and what only sounds like it."""

from dataclasses import dataclass

import pytest

from deepseedian.core.correction import corrects


@dataclass(frozen=True)
class Remembered:
    id: str
    text: str


MEETING, ROOM, DATABASE, VIM, CAT = ("周会改到每周四下午三点", "周会在 302 会议室开", "账单数据库用的是 MySQL", "我写代码用 Vim 编辑器", "我家的猫叫圆子")
STANDUP, DEPLOY, BILLING, COFFEE = ("Standup is at 9:30 in the blue room", "We deploy to production on Thursdays", "The billing database runs on MySQL",
                                    "I drink black coffee every morning")
SEVERAL = (MEETING, DATABASE, CAT, BILLING, STANDUP)

# (entries, message, places of the entries it corrects)
CORRECTS: list[tuple[tuple[str, ...], str, tuple[int, ...]]] = [
    ((MEETING,), "不对，周会改到周五下午三点了", (0,)),
    ((MEETING, DATABASE), "周会早就改到周二了", (0,)),
    ((MEETING,), "错了，周会是每周五下午三点，不是周四", (0,)),
    ((MEETING,), "记错了吧，周会下午四点才开始", (0,)),
    ((MEETING, ROOM), "不是 302，周会的会议室换成 405 了", (1,)),
    ((MEETING, ROOM), "周会时间不对，应该是周三下午三点", (0,)),
    (("项目代号是苍鹭",), "不对，项目代号应该是白鹭", (0,)),
    (("项目代号是苍鹭", "项目经理是张伟"), "项目代号不是苍鹭，是白鹭", (0,)),
    (("项目代号是苍鹭", "项目经理是张伟"), "其实项目经理是李娜", (1,)),
    ((DATABASE, MEETING), "我们账单数据库已经换成 Postgres 了", (0,)),
    ((VIM,), "我早就不用 Vim 了，编辑器换成 Helix 了", (0,)),
    ((CAT,), "记错了，我家的猫叫团子，不叫圆子", (0,)),
    (("发布前先跑单元测试",), "不是，发布前要先跑集成测试", (0,)),
    (("服务器部署在上海机房",), "服务器上个月搬到北京机房了", (0,)),
    (("我不吃香菜",), "不对，我现在吃香菜了", (0,)),
    (("我喜欢喝美式咖啡",), "我现在不喝咖啡了，改喝茶了", (0,)),
    (("报销上限是 500 元",), "报销上限这个过时了，现在是 800 元", (0,)),
    (("前端用 React 写", "后端用 Go 写"), "前端去年就换成 Vue 了", (0,)),
    (("接口超时设为 30 秒",), "不对不对，接口超时应该是 10 秒", (0,)),
    (("我女儿今年五岁",), "错啦，我女儿六岁了", (0,)),
    (("客户的联系人是王芳",), "王芳已经离职了，客户的联系人换成陈晨了", (0,)),
    (("论文截止日期是 3 月 15 日",), "论文截止日期延期到 4 月 1 日了", (0,)),
    (("我住在杭州西湖区",), "我已经搬到苏州了，不住杭州西湖区了", (0,)),
    (("缩进用 4 个空格",), "缩进应该用 2 个空格才对，你记错了", (0,)),
    (("周会的時間是週四下午三點",), "不對，周會的時間改到週五了", (0,)),
    ((MEETING,), "不对，周会改到周五了，你能更新一下吗？", (0,)),
    ((STANDUP,), "No, standup is at 10:00 now", (0,)),
    ((STANDUP, DEPLOY), "Actually, we deploy to production on Mondays", (1,)),
    ((BILLING, STANDUP), "We switched the billing database to Postgres last month", (0,)),
    ((BILLING,), "That's outdated. The billing database runs on Postgres.", (0,)),
    ((BILLING,), "The billing database isn't MySQL any more, it's Postgres", (0,)),
    ((COFFEE,), "no, I don't drink coffee anymore", (0,)),
    (("The staging server is at 10.0.0.5",), "wrong, it should be 10.0.0.8 for the staging server", (0,)),
    (("Indent Python code with 2 spaces",), "No — we indent Python with 4 spaces, not 2 spaces", (0,)),
    (("My manager is Alice Wong",), "Not anymore: my manager is Bob since March", (0,)),
    (("My sister lives in Dublin",), "My sister moved to Lisbon, she no longer lives in Dublin", (0,)),
    (("Release notes are written in German",), "It should be English for the release notes", (0,)),
    (("The project is called Heron",), "We renamed the project, it's called Egret now", (0,)),
    (("I am allergic to peanuts",), "nope, I'm allergic to shellfish, not peanuts", (0,)),
    (("The API rate limit is 100 requests per minute",), "you got the rate limit wrong, the API allows 300 requests", (0,)),
    (("I use Vim for editing code",), "I used to use Vim. My code editor is Helix these days", (0,)),
    (("Python 3.10 is the minimum version for the project",), "Actually the minimum Python version is 3.12", (0,)),
    (("The quarterly review is on the first Monday",), "hmm, no: the quarterly review moved to Tuesday", (0,)),
    (("Budget for the Berlin trip is $2000",), "The Berlin trip budget was raised to $2500", (0,)),
    (("The retro is on Thursday", "The standup is on Thursday"), "No, both the retro and the standup are on Friday now", (0, 1)),
    (("Client prefers email contact",), "Not true, the client prefers phone calls over email contact", (0,)),
    (("我们用 Jenkins 做持续集成",), "持续集成不再用 Jenkins 了，迁移到 GitHub Actions 了", (0,)),
    (("The wifi password is kept in 1Password",), "we moved the wifi password to Bitwarden, not 1Password", (0,)),
]

SOUNDS_LIKE: list[tuple[tuple[str, ...], str]] = [
    ((MEETING,), "没错，周会就是周四下午三点"),
    ((MEETING,), "不错，周会每周四下午三点，记得很准"),
    ((MEETING,), "对，周会是周四下午三点，帮我写个提醒"),
    ((MEETING,), "不对，周会地点在 405 会议室"),
    ((MEETING,), "不对，周会的主持人是小李"),
    ((ROOM,), "不对，周会是周五下午开"),
    ((MEETING,), "周会是不是改到周五了？"),
    ((MEETING,), "周会改到周五了吗？"),
    ((MEETING,), "如果周会改到周五，大家方便吗"),
    ((MEETING,), "要是周会改到每周五下午就好了"),
    ((MEETING,), "也许周会应该改到周五"),
    ((MEETING,), "小王说“不对，周会改到周五了”，是真的假的"),
    ((MEETING,), "不对，你这段代码里周会的提醒函数返回值错了"),
    ((MEETING,), "你写的周会通知语气不对，应该更正式一点"),
    ((MEETING,), "不对，我问的是月会，不是周会"),
    ((MEETING,), "不对，我没说过周会要准备 PPT"),
    ((MEETING,), "不对，周会就是每周四下午三点，你刚才说成周五了"),
    ((MEETING,), "不是周五，周会是周四下午三点"),
    ((MEETING,), "不用了，周会的事先放着"),
    ((MEETING,), "帮我把周会的提醒改到周五"),
    ((MEETING,), "不对称加密和周会签到怎么结合"),
    ((MEETING,), "不对，天气预报应该是下雨"),
    ((DATABASE,), "不对，账单数据库每天凌晨备份"),
    ((DATABASE,), "不是数据库的问题，是账单接口超时了"),
    ((CAT,), "不对，我家的猫今年三岁了"),
    (("线上服务器的地址是 10.0.0.5",), "不对，测试环境服务器的地址是 10.0.0.9"),
    ((VIM,), "把变量名改成 userId，别用拼音"),
    ((VIM,), "这个函数应该改成异步的，编辑器里报错了"),
    ((MEETING,), "好的，谢谢"),
    ((MEETING,), "不对"),
    ((MEETING,), "应该是白鹭"),
    ((BILLING,), "No problem, the billing database can stay on MySQL"),
    ((BILLING,), "no thanks, the billing database is fine"),
    ((BILLING,), "No, the billing database is owned by Alice"),
    ((BILLING,), "Should we switch the billing database to Postgres?"),
    ((BILLING,), "If we switched the billing database to Postgres, what would break?"),
    ((BILLING,), "What if the billing database moved to Postgres"),
    ((BILLING,), "Imagine the billing database is now on Postgres."),
    ((BILLING,), "Yes, the billing database runs on MySQL"),
    ((BILLING,), "No, your query on the billing database is wrong, it should be a left join"),
    ((BILLING,), "Not bad! Now write the billing database migration"),
    ((BILLING,), "No, I meant the analytics cluster"),
    ((BILLING,), "No, I never said the billing database needs sharding"),
    ((BILLING,), 'He wrote "no, the billing database runs on Postgres now" in the chat'),
    ((BILLING,), "No, the billing database runs on MySQL, as I told you"),
    ((STANDUP,), "No, it's about the retro: it takes an hour"),
    ((STANDUP,), "Actually, can you move the standup reminder to 10:00?"),
    ((DEPLOY,), "No, we deploy to staging on Mondays"),
    ((COFFEE,), "Actually, write me a poem about black coffee and mornings"),
    ((COFFEE,), "that's wrong, the loop variable should be i"),
    ((COFFEE,), "No, the train leaves at nine now"),
    (("My sister lives in Dublin",), "No, my sister is 34 years old"),
    (("My sister lives in Dublin",), "No, my brother lives in Lisbon now"),
    (SEVERAL, "不对，这道题的答案应该是 42"),
    (SEVERAL, "No, use a dictionary instead of a list here"),
    (SEVERAL, ""),
    ((), "不对，周会改到周五了"),
]


def corrected(entries: tuple[str, ...], message: str) -> list[int]:
    return [int(key) for key in corrects(message, [Remembered(str(place), text) for place, text in enumerate(entries)])]


@pytest.mark.parametrize(("entries", "message", "places"), CORRECTS, ids=[message for _, message, _ in CORRECTS])
def test_a_correction_is_about_the_entry_it_puts_right(entries: tuple[str, ...], message: str, places: tuple[int, ...]) -> None:
    assert corrected(entries, message) == list(places)


@pytest.mark.parametrize(("entries", "message"), SOUNDS_LIKE, ids=[message or "nothing" for _, message in SOUNDS_LIKE])
def test_what_only_sounds_like_one_corrects_nothing(entries: tuple[str, ...], message: str) -> None:
    assert corrected(entries, message) == []
