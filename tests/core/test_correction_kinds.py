"""Kinds of corrections beside the plain ones: two values swapped, several entries at once, a bare value, a mere denial.

Each kind stands beside what sounds like it: a table whose columns are swapped, two answers that are both wrong, a bare
value that answers something else. To blame an entry that is right is worse than to miss one that is wrong.
"""

import pytest

from tests.core.test_correction import corrected

EYES, LESSON_ZH, LESSON, PORT_ZH, PORT = ("近视左眼四百度，右眼四百五十度", "钢琴课在周三", "Piano lesson is on Wednesday", "服务监听 8080 端口",
                                          "The service listens on port 8080")
ALLERGIES, BINS, STAFF = ("Tom is allergic to nuts and Anna to shellfish", "The blue bin is collected on Mondays, the green bin on Thursdays",
                          "Kate handles invoices and Rob handles payroll")
ROOMS_ZH, DAYS_ZH, TRAIN, VET, BANK = ("主卧刷白色，书房刷灰色", "周一健身，周三游泳", "The train leaves at 7:45", "Our vet is Dr. Moss",
                                       "I work at Halden Systems as an analyst")
LEISURE = ("Gym opens at 6am", "Pool opens at 8am", "Sauna is closed on Sundays")
OFFICE = ("Our office is on the third floor", "The guest wifi is called Sparrow", "Parking is free after 6pm")
TOOLS = ("Docs are in Notion", "Tickets are in Jira", "Code is on GitLab")
TRIP_ZH, PARENTS_ZH, DUES_ZH = ("机票订的是国航", "酒店订的是亚朵", "签证还没办"), ("妈妈周二复查", "爸爸周五体检"), ("车险每年四月续", "房租每月三号交", "猫粮买皇家")

CORRECTS: list[tuple[tuple[str, ...], str, tuple[int, ...]]] = [
    # Two values of one entry, or of two entries, swapped.
    (("大女儿上三年级，小女儿上一年级",), "说反了，小女儿三年级，大女儿一年级", (0,)),
    (("左边的钥匙开大门，右边的开车库",), "你弄反了，左边的开车库，右边的开大门", (0,)),
    ((ROOMS_ZH,), "搞反了，主卧灰色，书房白色", (0,)),
    ((DAYS_ZH, "我不吃羊肉"), "记反了，周一游泳周三健身", (0,)),
    (("测试服端口 8080，正式服端口 9090",), "这两个端口写反了", (0,)),
    (("奇数周值班的是老何，偶数周是小邓",), "反了，奇数周小邓，偶数周老何", (0,)),
    (("哥哥在青岛，姐姐在大连",), "你把哥哥和姐姐记反了", (0,)),
    (("爸爸生日三月九日，妈妈生日九月三日",), "記反了，媽媽是三月九日，爸爸是九月三日", (0,)),
    (("糖放上层柜子，盐放下层",), "不对，正好相反，盐放上层，糖放下层", (0,)),
    (("大伯住长沙", "二伯住株洲"), "弄反了，大伯住株洲，二伯住长沙", (0, 1)),
    ((ALLERGIES,), "You have those swapped: Anna is allergic to nuts and Tom to shellfish", (0,)),
    ((BINS,), "It's the other way round: green on Mondays, blue on Thursdays", (0,)),
    ((STAFF,), "You've mixed them up, Rob handles invoices and Kate handles payroll", (0,)),
    (("The router is 192.168.1.1 and the printer 192.168.1.20",), "Other way around, the printer is 192.168.1.1 and the router 192.168.1.20", (0,)),
    (("The upstairs flat has gas heating, the downstairs one electric",), "no, that's backwards: upstairs is electric, downstairs is gas", (0,)),
    (("Reads go to the primary, writes go to the replica",), "reversed: writes go to the primary, reads go to the replica", (0,)),
    (("The AM slot is for reviews and the PM slot for calls",), "The AM and PM slots are the wrong way around", (0,)),
    (("Anna's birthday is May 2", "Paul's birthday is May 9"), "You swapped the birthdays: Anna's is May 9 and Paul's is May 2", (0, 1)),
    # Several entries at once.
    (DUES_ZH, "两条都错了，车险是五月续，房租每月八号交", (0, 1)),
    (("后端组长是阿峰", "前端组长是晓岚"), "两个都不对：后端组长是老秦，前端组长是米娅", (0, 1)),
    (PARENTS_ZH, "都错了，妈妈周三复查，爸爸周四体检", (0, 1)),
    (TRIP_ZH, "机票和酒店都改了，机票换成东航，酒店换成全季", (0, 1)),
    (("周报周五交", "月报月底交"), "周报和月报的时间都不对", (0, 1)),
    (("健身卡年费两千元", "游泳课周六上"), "不对，健身卡年费是两千四百元，游泳课改到周日上了", (0, 1)),
    (LEISURE, "Neither is right: the gym opens at 7am, the pool at 9am", (0, 1)),
    (("The lease ends in March", "The deposit was 1500 euros"), "Both out of date. The lease ends in June now and the deposit is 1800 euros", (0, 1)),
    (OFFICE, "None of these is right any more: office is on the fifth floor, guest wifi is called Heron, parking is free after 8pm", (0, 1, 2)),
    (("The novel is due in May", "The talk is in Oslo"), "Two corrections: the novel is due in July and the talk is in Bergen", (0, 1)),
    (("I take metformin in the morning", "I take aspirin at night"), "I no longer take either, both metformin and aspirin were stopped", (0, 1)),
    (TOOLS, "Docs and tickets both moved: docs are in Coda, tickets are in Linear", (0, 1)),
    (("Standup is at 9:30", "Retro is on Fridays"), "Wrong, standup is at 10:00 and retro is on Thursdays", (0, 1)),
    (("Anna drives a Volvo", "Ben drives a Fiat"), "Actually Anna drives a Saab now, and Ben drives a Kia", (0, 1)),
    # One of several, and a part of one.
    (LEISURE, "No, the pool opens at 9am", (1,)),
    (PARENTS_ZH, "不对，爸爸周六体检", (1,)),
    (("体检在六月", "牙医约在周四"), "体检没错，牙医错了，牙医约在周五", (1,)),
    (("The check-up is in June", "The dentist is on Thursday"), "The check-up is right, but the dentist is on Friday now", (1,)),
    (("例会在周二下午两点，地点是海棠厅",), "时间没错，地点改成丁香厅了", (0,)),
    (("Nadia leads design from Porto",), "Right about Porto, but Nadia leads research now, not design", (0,)),
    (("我有两只猫，一只叫豆包，一只叫年糕",), "豆包是对的，另一只叫汤圆，不叫年糕", (0,)),
    (("We fly to Malaga on 3 July with Vueling",), "Date is right, but it's Ryanair, not Vueling", (0,)),
    # A bare value, when only one entry was there.
    ((LESSON_ZH,), "不是周三，周四", (0,)),
    ((LESSON_ZH,), "不对，周四", (0,)),
    ((LESSON,), "no, Thursday", (0,)),
    ((LESSON,), "Thursday, not Wednesday", (0,)),
    ((PORT_ZH,), "错了，是 8081", (0,)),
    ((PORT,), "wrong, it's 8081", (0,)),
    (("The deposit is 500 euros",), "sorry, that should be 700 euros", (0,)),
    (("航班十点二十起飞",), "你记错了吧，应该是十一点二十", (0,)),
    ((TRAIN,), "Actually it's 8:15 now", (0,)),
    (("退休的日子是 6 月 30 日",), "不对，是 7 月 31 日", (0,)),
    (("The API version is 2.3",), "nope, 2.4", (0,)),
    (("My locker is number 114",), "it's 141, not 114", (0,)),
    (("驾照 2027 年到期",), "不是 2027 年，是 2029 年", (0,)),
    (("押金三千块",), "不对不对，应该是三千五百块", (0,)),
    (("媽媽的生日是五月三日",), "錯了，應該是五月十三日", (0,)),
    # Denied only, by a word that stands for the entry's.
    (("我住在朝阳区的老房子里",), "我早就不住那里了", (0,)),
    (("我在星河软件上班",), "我已经不在那儿上班了", (0,)),
    (("我们家养了一条边牧",), "已经不养了", (0,)),
    ((BANK,), "I no longer work there", (0,)),
    (("Rosa works as a nurse in Bath",), "She doesn't work there any more", (0,)),
    (("I keep bees in the garden",), "I don't keep them any more", (0,)),
    # Earlier and later.
    (("The review is on Wednesday",), "The review is a day later now", (0,)),
    (("交稿日是 5 月 10 日",), "交稿日推后两天了", (0,)),
    (("Boarding is at 9:40",), "No, boarding is half an hour earlier", (0,)),
    (("会议四点开始",), "不对，会议提前半小时开始", (0,)),
    # Mixed and traditional writing, and polite words.
    (("我住在板橋",), "我不住板橋了，搬到新莊了", (0,)),
    (("牙醫約在週四",), "您記錯了，牙醫約的是週五", (0,)),
    (("CI 用 Jenkins 跑",), "CI 早就 migrate 到 Buildkite 了，不用 Jenkins", (0,)),
    (("standup 在 10 点",), "standup 现在是 11 点，不是 10 点", (0,)),
    (("我的 manager 是 Lydia",), "actually 我的 manager 换成 Oscar 了", (0,)),
    ((VET,), "I think you have that wrong, our vet is Dr. Reed", (0,)),
    ((VET,), "Small correction: our vet is Dr. Reed", (0,)),
    (("姑妈的分机是 302",), "您可能记错了，姑妈的分机是 320", (0,)),
]

SOUNDS_LIKE: list[tuple[tuple[str, ...], str]] = [
    ((EYES,), "这张表的行和列反了"),
    ((EYES,), "你把函数的两个参数写反了"),
    ((EYES,), "左眼和右眼的散光一样吗"),
    ((EYES,), "没记反，左眼四百度，右眼四百五十度"),
    ((EYES,), "左眼今天有点不舒服，右眼没事"),
    ((ROOMS_ZH,), "主卧和书房哪个刷白色来着？"),
    ((ROOMS_ZH,), "要是主卧和书房反过来刷呢"),
    ((DAYS_ZH,), "反正周一健身就行"),
    ((DAYS_ZH,), "我反对周一健身的时候放音乐"),
    ((DAYS_ZH,), "你生成的课表里周一和周三的列反了"),
    ((DAYS_ZH,), "反过来想，周一健身也有好处"),
    ((ALLERGIES,), "You have the two columns swapped in that table"),
    ((ALLERGIES,), "Could Tom and Anna swap rooms?"),
    ((ALLERGIES,), "Tom and Anna swapped seats at dinner"),
    ((ALLERGIES,), "Is it the other way round, Anna nuts and Tom shellfish?"),
    ((BINS,), "Put the arrows the other way round in the diagram"),
    ((BINS,), "On the other hand, the blue bin is collected on Mondays"),
    ((STAFF,), "Rob and Kate swapped desks"),
    ((STAFF,), "You mixed up the tenses in that letter, it should be the past"),
    ((STAFF,), "Suppose Rob and Kate swapped jobs, who handles invoices then"),
    (LEISURE, "Both are right, thanks"),
    (LEISURE, "both the gym and the pool are great"),
    (LEISURE, "Both of your suggestions are wrong, I want something outdoors"),
    (LEISURE, "Neither of us can go to the gym tomorrow"),
    (LEISURE, "Both answers are wrong, 6 times 8 is 48"),
    (LEISURE, "Neither the gym nor the pool is far away"),
    (DUES_ZH, "两条都对，谢谢"),
    (DUES_ZH, "两种写法都不对，应该用递归"),
    (DUES_ZH, "两个答案都错了，应该选 C 和 D"),
    (DUES_ZH, "车险和房租都交过了"),
    (DUES_ZH, "都没错，车险四月续，房租三号交"),
    (TRIP_ZH, "机票和酒店都订好了"),
    (TRIP_ZH, "机票和酒店都不贵"),
    (PARENTS_ZH, "妈妈和爸爸都不想去"),
    (PARENTS_ZH, "两个都不去，妈妈周二要复查"),
    (TOOLS, "Docs and tickets both look good now"),
    (OFFICE, "None of these is what I asked for, write about the office party"),
    (OFFICE, "None of these jokes are good"),
    (TOOLS, "第一个和第二个标题都不对，换成短一点的"),
    ((LESSON_ZH,), "不对，今天是周四"),
    ((LESSON_ZH,), "不，周四再说"),
    ((LESSON_ZH,), "好的，周四见"),
    ((LESSON_ZH,), "其实周三挺好的"),
    ((LESSON_ZH,), "不对，应该选周四那一行"),
    ((LESSON_ZH,), "应该是的"),
    ((LESSON,), "No, today is Thursday"),
    ((LESSON,), "no, let's talk on Thursday"),
    ((LESSON,), "Sorry, that should be fine"),
    ((LESSON,), "Actually it's Wednesday already"),
    ((LESSON,), "Thursday please, not Friday"),
    ((PORT_ZH,), "错了，这题选 C"),
    ((PORT_ZH,), "错了，9 乘 9 是 81"),
    ((PORT_ZH,), "不对，第 12 行应该缩进 4 格"),
    ((PORT,), "No, 17 times 23 is 391"),
    ((PORT,), "wrong, it's a syntax error in line 8081"),
    ((PORT,), "No, it's 72 degrees in here"),
    ((TRAIN,), "Actually it's now time to leave"),
    ((TRAIN,), "oh no, it's 8:15 already"),
    ((TRAIN,), "No, I have a meeting at 8:15"),
    (("航班十点二十起飞",), "等等，现在已经十一点二十了"),
    ((BANK,), "I don't want to go there today"),
    ((BANK,), "I no longer want the summary"),
    ((BANK,), "It doesn't work any more"),
    (("我住在朝阳区的老房子里",), "我不住酒店了，帮我订民宿"),
    (("我住在朝阳区的老房子里",), "我早就不困了"),
    (("我们家养了一条边牧",), "已经不下雨了"),
    (("I keep bees in the garden",), "I don't need them any more"),
    (("The review is on Wednesday",), "Can we move it a day later?"),
    (("The review is on Wednesday",), "Remind me a day earlier"),
    (("The review is on Wednesday",), "The review was half an hour too long"),
    (("会议四点开始",), "会议晚了半小时才结束，太累了"),
    (("会议四点开始",), "提前半小时提醒我会议的事"),
    ((VET,), "Sorry, that should be enough about the vet"),
    ((VET,), "I think you're wrong about the film"),
    ((VET,), "Our vet is wrong about the diet, I think"),
    (("CI 用 Jenkins 跑",), "CI 挂了，帮我看看 Jenkins 的 log 哪里不对"),
    (("我的 manager 是 Lydia",), "actually 帮我给 manager 写封邮件"),
]


@pytest.mark.parametrize(("entries", "message", "places"), CORRECTS, ids=[message for _, message, _ in CORRECTS])
def test_a_correction_of_any_kind_is_about_the_entries_it_puts_right(entries: tuple[str, ...], message: str, places: tuple[int, ...]) -> None:
    assert corrected(entries, message) == list(places)


@pytest.mark.parametrize(("entries", "message"), SOUNDS_LIKE, ids=[message for _, message in SOUNDS_LIKE])
def test_what_only_sounds_like_one_of_a_kind_corrects_nothing(entries: tuple[str, ...], message: str) -> None:
    assert corrected(entries, message) == []
