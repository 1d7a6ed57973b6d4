"""Which sentences of a message are the owner's own words.

A message also carries what others said: quotations, code, logs, forwarded mail, text to translate or to sum up, scenes of a
story, memory that was put before the turn. None of that is evidence for anything about the owner, and text from elsewhere
likes to say "remember this". What lies between quotation marks is masked rather than dropped: `masked` has the length of
`text`, so that cues are looked for in the one and the words are taken from the other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deepseedian.core.script import folded

READ_CHARS = 6000  # of a longer message only the two ends are read: nobody types that much
LONGEST = 1000
MASK = "\u25a2"
_I = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` stands in the message at `start`, line ends left out. `alone` is false after a request whose matter may follow.

    `listed` says that it is an item of a list, `opens` that a list or text follows it.
    """

    text: str
    masked: str
    start: int
    alone: bool = True
    listed: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def opens(self) -> bool:
        return self.text.endswith((":", "："))


# Quotation marks in pairs, within a paragraph; an apostrophe is none.
_QUOTES = re.compile(r"“[^”]{0,400}(?:”|$)|「[^」]{0,400}(?:」|$)|『[^』]{0,400}(?:』|$)|《[^》]{0,80}》|«[^»]{0,400}»|\"[^\"]{1,400}\"|"
    r"`[^`]{1,400}`|(?<!\w)'[^'\s][^']{1,300}(?<!\s)'(?!\w)|(?<!\w)‘[^’]{2,300}’(?!\w)")
_END = re.compile(
    r"[。！？!?]+[”」』\")）]*|(?<!\b[A-Za-z])(?<!\be\.g)(?<!\bi\.e)(?<!\b[DdMm][Rr])(?<!\bMrs)(?<!\b[Nn]o)(?<!\betc)(?<!\bvs)"
    r"(?<!\bapprox)\.+[\"”)]*(?=\s|$)|(?<=[\u4e00-\u9fff])\.(?=[\u4e00-\u9fff])|…+(?=\s|$)")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_BULLET = re.compile(r"[ \t]{0,12}(?:[-*+•·–]|\(?\d{1,2}[.)、）]|[①-⑳]|[一二三四五六七八九十]、)[ \t]*(?=\S)")

# Lines that nobody says: quotations, tables, headings, tasks, code, logs, data, markup.
_FOREIGN = re.compile(
    r"\s*(?:>|\||#|<[A-Za-z/!?]|\$ |//|/\*|\*/|--\s|;;|[-*] \[.\]|[{}\[\]]\s*(?:$|[\"'{\[\w])|\"[\w -]{1,40}\"\s*:|at [\w.$<>]+[(:]|"
    r"File \"|Traceback|[\w.]*(?:Error|Exception|Warning)\b\s*:|(?:import|from|def|class|function|const|let|var|return|public|private|"
    r"SELECT|INSERT|UPDATE) [\w*{].{0,200}[;:{(),]\s*$)|"
    r"\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\s*\[?\d\d:\d\d(?::\d\d)?\]?\s|\s*\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL)\]?\b|"
    r"(?: {4}|\t)[^-*+•\d\s].*[;{}()=,:]\s*$")
# Memory as we put it before a turn, or a tool's answer with it: never evidence for itself.
_OURS = re.compile(r"\(\d{4}-\d\d-\d\d, [0-9a-fA-F-]{36}\)\s*$|\"(?:summary|revision|vault)\" ?:|<!-- ?/?(?:deepseedian|deepsidian)-")
_BOUNDARY = re.compile(r"\s*([=#~*_-]{2,8})\s?(?:[\w ]{0,30}[ :-])?([0-9a-f]{8,64})(?:\s?\([\w ]{1,20}\))?\s?\1?\s*$", _I)

# From here on the words are somebody else's, to the end of the message.
_HEADERS = re.compile(
    r"\s*(?:[-=_*]{2,}\s*(?:forwarded|original|begin|转发|原始邮件|原邮件|以下是转发)|(?:from|sent|to|cc|subject|发件人|寄件人|"
    r"收件人|主题|主旨|发送时间)"
    r"\s*[:：]|on .{4,80}\bwrote\s*[:：]|.{0,60}(?:写道|寫道)\s*[:：]?\s*$|(?:dear|hi|hello) (?:all|team|everyone|everybody|sir|madam|"
    r"colleagues|(?-i:[A-Z])\w+)\s*[,!:]?\s*$|(?:各位|大家|尊敬的|亲爱的).{0,12}[：:，,!！]\s*$|"
    r"chapter \w+|第[一二三四五六七八九十百\d]+[章幕回节场]|once upon a time|从前有|很久很久以前)", _I)
_MATTER = (
    r"text|page|e-?mail|mail|article|message|letter|log|logs|transcript|paragraph|passage|document|doc|post|thread|readme|prompt|output|"
           r"draft|chat|conversation|notes?|abstract|excerpt|snippet|code|comment|review|tweet|speech|lyrics|scene|story|poem|"
           r"sentences?|quote|"
           r"issue|ticket|description|contract|spec")
_MATTER_ZH = (
    "文章|网页|邮件|邮件|段落|段话|这段|下面|以下|下文|原文|文本|日志|聊天|记录|对话|文档|内容|信|帖子|稿子|短文|歌词|台词|故事|"
    "评论|句子|几句|摘要|代码|回复|合同")
_TASK = (
    r"translat\w*|summar\w*|proof-?read|paraphras\w*|rewrite|rephrase|edit|polish|correct|fix|improve|shorten|analy[sz]e|explain|review|"
         r"classify|extract|convert|format|reply to|respond to|check|read|tl;?dr")
_TASK_ZH = (
    "翻译|翻成|翻一下|译成|译为|总结|概括|归纳|校对|润色|改写|改错|修改|缩写|扩写|分析|解释|提取|分类|检查|看看|读一下|回复|点评|"
    "摘要|续写")
_HANDS_OVER = re.compile(
    r"\b(?:draft|write|compose|prepare|post|type|print|echo|output|generate|make|send) (?:me |us |him |her )?(?:an?|the|this|some|"
    r"\d+) [^:：\n]{0,40}[:：]|(?:起草|草拟|拟|写一?[个条篇封份段则首]|发一?[条个封篇]|编一?[个条段]|"
    r"回复?一?[条封句])[^:：\n]{0,20}[:：]|"
    rf"(?:^|[\s,.!?])(?:{_TASK})\b[^:：\n]{{0,80}}[:：]|\b(?:here(?:'s| is| are)|this is|below is|i (?:found|got|received|copied)|"
    rf"found this|"
    rf"this|following)\b[^:：\n]{{0,40}}\b(?:{_MATTER})\b[^:：\n]{{0,40}}[:：]|(?:{_TASK_ZH})[^:：\n]{{0,30}}[:：]|"
    rf"(?:这是|這是|以下|下面|我找到|我收到|刚收到|看到)[^:：\n]{{0,20}}(?:{_MATTER_ZH})?[^:：\n]{{0,10}}[:：]|"
    rf"\b(?:{_TASK})\b[^:：\n]{{0,40}}\b(?:this|the following|below)\b[^\n]{{0,40}}$|把?(?:下面|以下|这段|"
    rf"下文)[^\n]{{0,10}}(?:{_TASK_ZH})[^\n]{{0,12}}$", _I)
_POINTS = re.compile(r"[:：]|\b(?:this|following|below)\b|下面|以下|这段|下文", _I)
_PLAY = re.compile(
    r"\b(?:pretend|role-?play|act as|act like|you(?:'re| are)(?: now)? (?:a |an |the |my )?(?:(?-i:[A-Z]{2,})\b|pirate|character|"
    r"innkeeper|npc|"
    r"game master|interviewer|detective|wizard|villain|narrator)|you play|you(?:'ll| will) (?:be|play)|i(?:'ll| will) play|"
    r"let's play|play the "
    r"(?:role|part)|in character|imagine (?:you|that you)|as my interviewer|be my (?:interviewer|opponent))\b|"
    r"扮演|假装|假裝|装作|角色扮演|你来当|你当我?的|你现在是|你是一[名个位只].{0,14}[，,。]|玩个游戏|玩一?个?.{0,4}游戏|我来演|"
    r"你演|面试官|剧本杀|跑团", _I)
_WRITES = re.compile(
    r"\b(?:write|continue|draft|compose|invent|make up|come up with|tell me|finish|rewrite|create|generate)\b.{0,50}?\b(?:story|"
    r"poem|novel|scene|"
    r"script|dialogue|screenplay|song|lyrics|tale|legend|fan ?fiction|joke|limerick|haiku|monologue|sketch|fable|chapter|verse|ballad)\b|"
    r"\bin (?:my|our|the|this) (?:\w+ )?(?:novel|story|book|play|game|campaign|film|movie|screenplay|comic|script)\b|\b(?:my|"
    r"the) (?:\w+ )?"
    r"(?:protagonist|heroine?|villain|narrator|character)\b|"
    r"(?:写|寫|编|编个|创作|续写|改写|来|讲|生成|想)(?:一|个|首|段|篇|场|部|则|几|点|些|完|出|这|我|把|给|的|支|"
    r"出戏)*[^，,。：:\n]{0,12}?(?:故事|小说|诗|剧本|对白|对话|台词|歌词|童话|"
    r"段子|短篇|场戏|传说|作文|歌|独白|寓言|相声|散文|词|戏)(?=$|[^\w]|[，,。：:里中的讲])|把这个?(?:故事|传说|剧本|小说|诗)|"
    r"(?:我的?|这部|这本|那部|那本)(?:小说|故事|剧本|书|漫画|话剧)(?:里|中)|(?:女|男)?(?:主角|主人公)|(?:我的|给我的)(?:话剧|剧本|"
    r"小说|漫画)", _I)
_SPEAKER = re.compile(r"\s{0,4}(?:\*\*)?([A-Z][\w .'-]{0,20}|[\u4e00-\u9fff]{1,4}|[A-Za-z]\w{0,12})(?:\*\*)?\s?[:：]\s?\S")
_TALKS = frozenset("ps p.s note notes reminder correction update edit fyi decision todo rule rules preference fact goal remember btw "
                   "注意 备注 更正 提醒 记住 请记住 补充 规则 约定 决定 偏好 结论 纠正 另外 目标 记一下 要求 说明 前提".split())


def sentences(message: str) -> list[Sentence]:
    """The owner's sentences in order."""
    return list(_sentences(message))


def _sentences(message: str) -> Iterator[Sentence]:
    fenced, alone, boundary = False, True, ""
    lines = list(_lines(message))
    talk = _transcript(lines)
    for start, line in lines:
        if _FENCE.match(line):
            fenced = not fenced
            continue
        mark = _BOUNDARY.match(line) if line else None
        if mark:
            boundary = "" if boundary == mark[2] else boundary or mark[2]
            continue
        if fenced or boundary or not line.strip() or _FOREIGN.match(line) or _OURS.search(line):
            continue
        if _HEADERS.match(line) or (talk and _speaker(line)):
            return
        for sentence in _of_line(line, start, alone):
            beginning = sentence.masked[:LONGEST]
            if _PLAY.search(beginning) or (_POINTS.search(beginning) and _HANDS_OVER.search(beginning) and not _asks(beginning)):
                return
            if _WRITES.search(beginning):
                alone = False
                if sentence.opens or "：" in beginning or ": " in beginning:
                    return
                continue
            yield sentence if alone else Sentence(sentence.text, sentence.masked, sentence.start, False, sentence.listed)


def _asks(masked: str) -> bool:
    """`请记住以下内容：` hands over the owner's own words."""
    return _ASKS.search(masked) is not None


_ASKS = re.compile(r"记住|记下|记一下|记着|\b(?:remember|keep in mind|memori[sz]e|make a note|note down|note the following)\b", _I)


def _lines(message: str) -> Iterator[tuple[int, str]]:
    """The lines of the part that is read, each with its place; folded to one script, which keeps every place."""
    pieces = [(0, len(message))] if len(message) <= READ_CHARS else [
        (0, READ_CHARS // 2), (len(message) - READ_CHARS // 2, len(message))]
    for begin, end in pieces:
        at = begin
        for line in message[begin:end].split("\n"):
            yield at, line.rstrip("\r")
            at += len(line) + 1


def _transcript(lines: list[tuple[int, str]]) -> bool:
    """Whether several speakers have their lines in it, as in a play or a copied chat."""
    names = [name for _, line in lines if (name := _speaker(line))]
    return len(names) >= 2 and (len(set(names)) >= 2 or len(names) >= 3)


def _speaker(line: str) -> str:
    found = _SPEAKER.match(line)
    name = found[1].strip() if found else ""
    return "" if name.casefold() in _TALKS or not name else name


def _of_line(line: str, at: int, alone: bool) -> Iterator[Sentence]:
    bullet = _BULLET.match(line)
    begin = bullet.end() if bullet else 0
    masked = folded(_QUOTES.sub(lambda found: found[0][0] + MASK * (len(found[0]) - 2) + found[0][-1], line))
    for start, end in _cut(masked, begin):
        text = line[start:end]
        lead = len(text) - len(text.lstrip())
        text = text.strip()
        if text:
            yield Sentence(text, masked[start + lead: start + lead + len(text)], at + start + lead, alone, bullet is not None)


def _cut(masked: str, begin: int) -> Iterator[tuple[int, int]]:
    for end in _END.finditer(masked, begin):
        yield begin, end.end()
        begin = end.end()
    yield begin, len(masked)
