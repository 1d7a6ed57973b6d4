"""What a short statement is about: the values in it by their kind, and which aspects of its subject it tells of.

"The weekly meeting is on Thursday at three" tells of a time, "… is in room 302" of a place: the same subject, but the
one does not contradict the other. Words and signs of Chinese and English, no dictionary beyond those below.
"""

import re

_DIGITS = "0-9零〇一二两兩三四五六七八九十百千万萬半"
_MONTH = ("jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|"
          "dec(?:ember)?")
_SMALL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety"

# In order: what an earlier kind has taken is not looked at by a later one.
_KINDS = tuple((kind, re.compile(pattern, re.I)) for kind, pattern in (
    ("address", r"https?://\S+|(?<![\w#])[#@][A-Za-z0-9][\w-]+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\b[\w.+-]+@[\w-]+\.\w+|"
                r"(?<![\w/])[A-Za-z][\w-]*/[\w./-]*\.[A-Za-z]+\b|(?<!\w)[~/][\w.-]+/[\w./-]*|"
                r"\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|local|internal|cn)\b"),
    ("code", r"\b[A-Z]{2,}-?\d{2,}\b|\b[A-Za-z]{2,}(?:-[A-Za-z0-9]+)*-\d+\b"),
    ("port", r"(?:端口|port)(?:号|number)?[^\d,。;\n]{0,12}\d{2,5}|:\d{4,5}\b"),
    ("grade", r"(?<![最很])[高初大研][一二三四](?![个位点])|小[一二三四五六](?=[的了,]|$)"),
    ("day", r"(?<![一二两兩三四五六七八九十])(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末](?!次)|\b(?:mon|tues?|wed(?:nes)?|"
            r"thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b"),
    ("date", rf"\d{{4}}[-/]\d{{1,2}}(?:[-/]\d{{1,2}})?|(?:明年|后年)?[{_DIGITS}]+\s?月(?:\s?[{_DIGITS}]+\s?[日号號]|底|初|中旬)?|"
             rf"[{_DIGITS}]+\s?[号號](?![线線楼樓])|(?:月|年)(?:底|初|末)|"
             rf"\b(?:{_MONTH})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b|\b(?:in|by|"
             rf"until|since|on)\s+(?:{_MONTH})\b|"
             r"\b(?:jan|febr)uary\b|\b(?:april|august|september|october|november|december)\b|\b\d{1,2}(?:st|nd|rd|th)\b|\bq[1-4]\b|"
             r"\b(?:\w+(?:th|st|rd)|second|last)(?: day)? of (?:the|each|every) (?:month|week|quarter|year)\b"),
    ("clock", rf"\b\d{{1,2}}:\d{{2}}\s*(?:[ap]\.?m\b)?|\b\d{{1,2}}\s*[ap]\.?m\b|(?:凌晨|早上|上午|中午|下午|晚上|"
              rf"傍晚)?[{_DIGITS}]{{1,3}}\s?[点點](?:半|"
              rf"一刻|[{_DIGITS}]+分)?(?!儿|兒|子)|"
              r"\bat\s+\d{1,2}(?=\s*(?:$|[,.;!]|o'clock|in the|sharp|now|instead|on\b|every\b))|\b(?:at\s+)?(?:noon|midnight)\b|"
              r"凌晨|早上|上午|中午|下午|晚上|\bmornings?\b|\bafternoons?\b|\bevenings?\b"),
    ("often", rf"[{_DIGITS}]+个?(?:天|周|月|年)[^\d,，。{_DIGITS}]{{0,4}}?[{_DIGITS}]+次|每个?(?:天|日|周|週|月|年|季度?|小时|分钟|"
              rf"晚|早|[{_DIGITS}]+个?(?:天|周|"
              rf"月|小时))|双周|"
              rf"隔周|\b(?:daily|weekly|bi-?weekly|fortnightly|"
              rf"monthly|quarterly|"
              rf"yearly|nightly|hourly)\b(?!\s+(?!at\b|on\b|in\b|and\b|or\b|now\b|by\b|from\b|instead\b)[a-z])|"
              r"\bevery\s+(?:other\s+)?(?:day|week|month|quarter|year|hour|night|\w+\s+(?:days|weeks|hours|minutes))\b"),
    ("age", rf"[{_DIGITS}]+岁(?:半)?|\b\w+\s+years?\s+old\b"),
    ("long", rf"[{_DIGITS}.]+\s*个?(?:半)?(?:分钟|分鐘|小时|小時|秒|毫秒|天|周(?![一二三四五六日])|星期|个月|個月|年)(?![级級])|"
             rf"\b(?:\d+(?:\.\d+)?|{_SMALL}|half an?|an?)[\s-]*(?:ms|milliseconds?|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|"
             rf"days?|weeks?|months?|years?)\b"),
    ("money", rf"[$€£¥￥]\s*[\d,.]+\s*[kmb]?|[{_DIGITS},.]+\s*(?:元|块钱?|塊錢?|美元|美金|欧元|人民币|万元|萬元)|"
              rf"\b[\d,.]+\s*k?\s*(?:usd|eur|dollars?|"
              rf"euros?|rmb|yuan)\b"),
    ("share", rf"[\d.]+\s*(?:%|percent\b)|百分之[{_DIGITS}]+"),
    ("version", r"\bv\d+(?:\.\d+)*\b|\b\d+\.\d+(?:\.\d+)*\b"),
    ("number", rf"(?<![A-Za-z0-9_.-])\d[\d,]*(?![A-Za-z0-9_-])|"
               rf"[{_DIGITS}]+(?=[个個位名条條人份台套次层層楼樓只隻杯字格米斤克度页章遍顿碗瓶盒包袋箱块本册部辆座栋间排列组队批轮局场门班段集寸升核倍张支根颗粒家节课单项种款期届趟]|公里|公斤|千米)|"
               rf"\b(?:{_SMALL})\b|[一二两兩三四五六七八九][百千万萬][{_DIGITS}]*(?=$|[\s,.;!?，。了吧])"),
    ("colour", r"[红蓝绿黄黑白紫橙灰粉棕]色|(?<!flat )\b(?:red|blue|green|yellow|black|white|purple|orange|gr[ae]y|pink|brown|teal)\b"
               r"(?! (?:tea|wine|coffee|paper|board|room|bin|folder))"),
))

_ASPECT = {"day": "time", "date": "time", "clock": "time", "often": "often", "long": "long", "age": "age", "money": "money",
           "address": "address", "port": "port", "version": "version", "share": "number", "number": "number", "code": "code",
           "grade": "age", "colour": "colour"}

_WORDS = tuple((name, re.compile(pattern, re.I)) for name, pattern in (
    ("time", r"时间(?!表)|日期|几点|截止|到期|\b(?:deadline|due date|date|time slot)\b"),
    ("place", r"地点|地點|会议室|會議室|办公室|辦公室|机房|场地|房间|住在|搬到|搬去|搬家|位于|\b(?:rooms?|venue|located|location|"
              r"offices?|building|floor|lives? in|"
              r"moved house|takes place in|held in|meets? at|based in|at \w+'s (?:house|place))\b"),
    ("person", r"负责|負責|主持|主讲|主講|经理|經理|组长|組長|联系人|聯繫人|对接|审核人|审批人|导师|老板是|\b(?:owner|owned|owns|"
               r"leads?\b(?! to)|led by|hosts?\b(?=ed|"
               r" is| by|s)|hosted by|"
               r"chair(?:s|ed)?|maintainer|manager|contact|assignee|reviewers?|run by|managed by|responsible|in charge)\b"),
    ("colour", r"颜色|顏色|[红蓝绿黄黑白紫橙灰粉棕]色|\bcolou?rs?\b|(?<!flat )\b(?:red|blue|green|yellow|black|white|purple|orange|"
               r"gr[ae]y|"
               r"pink|brown|teal)\b(?! (?:tea|wine|coffee|paper|board))"),
    ("money", r"预算|預算|价格|價格|费用|費用|成本|工资|薪资|租金|房租|\b(?:budget|price|costs?|fee|salary|rent)\b"),
    ("number", r"人数|人數|数量|數量|上限|下限|限额|\b(?:head ?count|limit|maximum|minimum|how many)\b"),
    ("version", r"版本|升级到|升級到|\b(?:version|upgraded to)\b"),
    ("name", r"名字|名称|名稱|改名|更名|(?<![呼大])叫(?!做完|我|他)|代号|代號|\b(?:names?|named|called|renamed|code ?name)\b"),
    ("language", r"语言|語言|用(?:中|英|日|法|德)文|\blanguage\b"),
    ("port", r"端口|\bports?\b"),
    ("long", r"时长|時長|多久|超时|\b(?:duration|timeout)\b"),
    ("often", r"频率|頻率|\bfrequency\b"),
    ("age", r"年龄|年齡|\bage\b"),
    ("address", r"网址|網址|地址|域名|\b(?:url|domain|hostname|ip address|address)\b"),
    ("tool", r"换成|換成|切换到|切換到|迁移?到|遷移?到|改用|用(?:的是)?(?=\s?[A-Za-z])|\b(?:uses?|using|runs? on|"
             r"switched (?:\w+ ){0,4}to|"
             r"migrated (?:\w+ ){0,4}to|built (?:with|on)|written in|hosted on)\b"),
    ("saved", r"备份|備份|\bback(?:ed)?[ -]?ups?\b"),
    ("taste", r"好吃|难吃|喜欢|喜歡|讨厌|討厭|\b(?:likes?|loves?|hates?|prefers?)\b"),
))

# Subjects that differ although all other words may be the same.
_CONTRASTS = tuple(tuple(re.compile(pattern, re.I) for pattern in group) for group in (
    (r"生产|线上|正式环境|\bprod(?:uction)?\b", r"预发|预生产|\bstaging\b", r"测试环境|测试服|测试库|\btest (?:server|environment|"
        r"cluster|"
        r"database)\b", r"开发环境|开发机|\bdev(?:elopment)?\b"),
    (r"前端|\bfront-?end\b", r"后端|後端|\bback-?end\b"), (r"开始|開始|\bstarts?\b|\bbegins?\b", r"结束|結束|\bends?\b|\bfinish"),
    (r"早餐|早饭|\bbreakfast\b", r"午餐|午饭|\blunch\b", r"晚餐|晚饭|\bdinner\b"),
    (r"妈妈|母亲|\bmother\b|\bmom\b", r"爸爸|父亲|\bfather\b|\bdad\b", r"哥哥|弟弟|\bbrother\b", r"姐姐|妹妹|\bsister\b", r"儿子|"
        r"\bson\b", r"女儿|"
        r"\bdaughter\b",
     r"妻子|老婆|\bwife\b", r"丈夫|老公|\bhusband\b"),
    (r"猫|\bcats?\b", r"狗|\bdogs?\b"), (r"周会|\bweekly\b", r"月会|\bmonthly\b", r"日会|晨会|站会|\bstand-?ups?\b", r"季度会|"
        r"\bquarterly\b", r"年会|"
        r"\bannual\b"),
    (r"主库|\bprimary\b|\bmaster\b", r"从库|备库|\breplica\b|\bsecondary\b"), (r"上班|上午班", r"下班"),
))
_ADVERB = re.compile(r"去年|前年|今年|昨天|前天|今天|刚才|刚刚|最近|(?:上|这)个?(?:月|季度)|从?下个?月起?|(?:上|这|从?下)个?(?:周|"
                     r"星期)(?:[一二三四五六日天](?![点號号]))?起?|"
                     r"\b(?:last|this past|earlier this|a few|some|(?:two|three)(?=\s\w+\sago))\s+(?:week|month|year|spring|"
                     r"summer|fall|winter|"
                     r"quarter|days?|weeks?|months?|years?|"
                     r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?(?:\s+ago)?\b|\b(?:yesterday|recently|(?:a while|some time|"
                     r"ages) ago|the other day|since (?:\w+ )?\w+$)", re.I)


def values(text: str) -> dict[str, set[str]]:
    """The values in a text by kind; when something was done ("last Friday") is none."""
    rest, found = _ADVERB.sub(" ", text), dict[str, set[str]]()
    for kind, pattern in _KINDS:
        for match in pattern.finditer(rest):
            found.setdefault(kind, set()).add(_plain(kind, match[0]))
        rest = pattern.sub(" ", rest)
    return found


def spans(text: str) -> dict[str, list[str]]:
    """The values in a text as they stand there, by kind."""
    rest, found = _ADVERB.sub(lambda match: " " * len(match[0]), text), dict[str, list[str]]()
    for kind, pattern in _KINDS:
        for match in pattern.finditer(rest):
            found.setdefault(kind, []).append(text[match.start(): match.end()])
        rest = pattern.sub(lambda match: " " * len(match[0]), rest)
    return found


def timeless(text: str) -> str:
    """A text without when something was or will be done."""
    return _ADVERB.sub(" ", text)


def moments(text: str) -> bool:
    """Whether it says when something was or will be done."""
    return bool(_ADVERB.search(text))


def _plain(kind: str, value: str) -> str:
    value = re.sub(r"\s+|\.$", "", value.casefold())
    if kind == "port":
        return re.sub(r"\D", "", value)
    if kind == "day":
        return re.sub(r"^(?:週|星期|礼拜|禮拜)", "周", value)[:3].replace("周天", "周日")
    return value.removesuffix("s") if kind in ("clock", "long", "often") else value


def without(text: str) -> str:
    """A text without its values, and without when it was done."""
    rest = _ADVERB.sub(" ", text)
    for _, pattern in _KINDS:
        rest = pattern.sub(" ", rest)
    return rest


def aspects(text: str) -> set[str]:
    """Which aspects a statement tells of, by its values and by its words."""
    return {_ASPECT[kind] for kind in values(text)} | {name for name, pattern in _WORDS if pattern.search(text)}


def contrasted(first: str, second: str) -> bool:
    """Whether the two speak of subjects that exclude each other, such as production and staging."""
    for group in _CONTRASTS:
        one, other = ({at for at, pattern in enumerate(group) if pattern.search(text)} for text in (first, second))
        if one and other and not one & other:
            return True
    return False
