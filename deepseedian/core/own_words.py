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
    r"[。！？!?]+[”」』\")）]*|"
    r"(?<!\b[A-Za-z])(?<!\be\.g)(?<!\bi\.e)(?<!\b[DdMmJjSs][Rr])(?<!\bMrs)(?<!\bProf)(?<!\b[Ss]t)(?<!\bFig)(?<!\bInc)(?<!\bLtd)(?<!\b[Dd]"
    r"ept)(?<!\bRev)(?<!\bGen)(?<!\b[Cc]a)(?<!\b[Cc]f)(?<!\bal)(?<!\b[Nn]o)(?<!\betc)(?<!\bvs)"
    r"(?<!\bapprox)\.+[\"”)]*(?=\s|$)|(?<=[\u4e00-\u9fff])\.(?=[\u4e00-\u9fff])|…+(?=\s|$)")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_BULLET = re.compile(r"[ \t]{0,12}(?:[-*+•·–]|\(?\d{1,2}[.)、）]|[①-⑳]|[一二三四五六七八九十]、)[ \t]*(?=\S)")

# Lines that nobody says: quotations, tables, headings, tasks, code, logs, data, markup.
_FOREIGN = re.compile(
    r"\s*(?:>|\||#|<[A-Za-z/!?]|\$ |//|/\*|\*/|--\s|;;|[-*] \[.\]|[{}\[\]]\s*(?:$|[\"'{\[\w])|\"[\w -]{1,40}\"\s*:|at [\w.$<>]+[(:]|"
    r"File \"|Traceback|[\w.]*(?:Error|Exception|Warning)\b\s*:|(?:import|from|def|class|function|const|let|var|return|public|private|"
    r"SELECT|INSERT|UPDATE) [\w*{].{0,200}[;:{(),]\s*$|(?:const|let|var|alias|export|local|set|static|final) [\w$]+\s*=|"
    r"(?:print|echo|printf|console\.log)\s?[(\"'$]|git \w+ -|(?:SELECT|INSERT) .{1,200}(?:FROM\b|INTO\b|;\s*$)|"
    r"[\w.]+\([^()]{0,120}\)\s*[;{]?\s*$)|[\w.\u4e00-\u9fff]{1,30} = .{1,80}\s(?:#|//)\s|.{0,80}(?:[=;{}()]\s*|\w = \w+ *)(?:#|//) |"
    r"\s*(?:第[一二三四五六七八九十百\d]+条\s|§ ?\d)|\s*(?:return|if|for|while|else|elif)\b.{0,80}\s(?:#|//) |"
    r"\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\s*\[?\d\d:\d\d(?::\d\d)?\]?\s|\s*\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL)\]?\b|"
    r"(?: {4}|\t)[^-*+•\d\s].*[;{}()=,:]\s*$")
# Memory as we put it before a turn, or a tool's answer with it: never evidence for itself.
_OURS = re.compile(r"\(\d{4}-\d\d-\d\d, [0-9a-fA-F-]{36}\)\s*$|\"(?:summary|revision|vault)\" ?:|<!-- ?/?(?:deepseedian|deepsidian)-")
_BOUNDARY = re.compile(r"\s*([=#~*_-]{2,8})\s?(?:[\w ]{0,30}[ :-])?([0-9a-f]{8,64})(?:\s?\([\w ]{1,20}\))?\s?\1?\s*$", _I)

# From here on the words are somebody else's, to the end of the message.
_HEADERS = re.compile(
    r"\s*(?:[-=_*]{2,}\s*(?:forwarded|original|begin|转发|原始邮件|原邮件|以下是转发)|(?:from|sent|to|cc|subject|发件人|寄件人|报告人|"
    r"提交人|举报人|reporter|submitted by|reported by|"
    r"收件人|主题|主旨|发送时间)"
    r"\s*[:：]|on .{4,80}\bwrote\s*[:：]|.{0,60}(?:写道|寫道)\s*[:：]?\s*$|(?:dear|hi|hello) (?:all|team|everyone|everybody|sir|madam|"
    r"colleagues|(?-i:[A-Z])\w+)\s*[,!:]?\s*$|(?:各位|大家|尊敬的|亲爱的).{0,12}[：:，,!！]\s*$|"
    r"chapter \w+\s*(?:[:.—–-]|$)|第[一二三四五六七八九十百\d]+[章幕回节场]\s*(?:$|[。：:，,\s《])|once upon a time|"
    r"从前有|很久很久以前)", _I)
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
_SPEAKS = re.compile(r"(?:^|[。.!?！？]\s*)([A-Z]{2,12}|[\u4e00-\u9fff]{2,4})[:：](?=\s?\S)")
_POINTS = re.compile(r"[:：]|\b(?:this|following|below)\b|下面|以下|这段|下文", _I)
_PLAY = re.compile(
    r"\b(?:for this (?:exercise|scene|game)|in this scene|speak like|talk like an?|answer as (?:if|a |an )|stay in character|"
    r"^(?:you're|you are|be) (?:my |an? |the )?(?-i:[A-Z])[\w ]{2,20}[:.,]|^be (?:my|an?|the) [\w ]{3,24}[:.,]|^you(?:'re|"
    r" are) (?:now )?(?:the|an?) (?!(?:best|only|one|first|boss|expert|greatest|star|genius|angel|bit)\b)[\w' -]{3,30}[.,:]?$|pretend|"
    r"role-?play|act as|act like|you(?:'re| are)(?: now)? (?:a |an |the |my )?(?:(?-i:[A-Z]{2,})\b|pirate|character|"
    r"innkeeper|npc|"
    r"game master|interviewer|detective|wizard|villain|narrator)|you play|you(?:'ll| will) (?:be|play)|i(?:'ll| will) play|"
    r"let's play|play the "
    r"(?:role|part)|in character|imagine (?:you|that you)|as my interviewer|be my (?:interviewer|opponent))\b|"
    r"扮演|假装|假裝|装作|角色扮演|你来当|你当我?的|你现在是|你是一[名个位只].{0,14}[，,。]|玩个游戏|玩一?个?.{0,4}游戏|我来演|"
    r"你演|面试官|剧本杀|跑团(?:吧|模式|开始)|演一段|来演|来段?角色|你当[^，,。]{1,10}[，,。]我当|^你是(?!说|不|对|指|否|谁|什么|怎|想|"
    r"要|因|我|在|如|按|知|可|问|从)[A-Za-z\u4e00-\u9fff]{1,8}[，,]|(?:用|以|拿)[^，,。]{1,14}的口吻|模仿[^，,。]{1,8}(?:说话|口气|语气)|"
    r"^you(?:'re| are) (?:a|an|the|my) [\w ]{2,20}, (?:and )?i(?:'m| am) (?:the|an?|your)\b|^你是[^，,。]{1,8}[，,]我是|let's (?:act|"
    r"improvise|role)\b|演一下|(?:练习|场景|这场戏|游戏)(?:里|中)[，,]?我是|我是(?:国王|皇帝|公主|魔王|侦探|骑士|病人|应聘)", _I)
_WRITES = re.compile(
    r"(?:^|[,.!] |\b(?:please|you|can|could|to|me|let\'s|now|and|help) )(?:write|continue|draft|compose|invent|make up|come up with|"
    r"tell me|finish|rewrite|create|generate)\b.{0,50}?\b(?:story|"
    r"poem|novel|scene|"
    r"script|dialogue|screenplay|song|lyrics|tale|legend|fan ?fiction|joke|limerick|haiku|monologue|sketch|fable|chapter|verse|ballad)\b|"
    r"\bin (?:my|our|the|this) (?:\w+ )?(?:novel|story|book|play|game|campaign|film|movie|screenplay|comic|script)\b|\b(?:my|"
    r"the) (?:\w+ )?"
    r"(?:protagonist|heroine?|villain|narrator|characters?|captain|knight|wizard|dragon|witch|princess)\b|\bin (?:act|scene|"
    r"chapter) \w+\b|\bin the (?:first|second|third|last|final|opening|next) (?:act|scene|chapter)\b|"
    r"\bhelp me (?:with|write) an? (?:limerick|poem|story|haiku|scene|song|tale|sketch|sonnet|fable|rhyme)\b|(?:写|寫|编|编个|创作|续写|"
    r"改写|来|讲|生成|想)(?:一|个|首|段|篇|场|部|则|几|点|些|完|出|这|我|把|给|的|支|"
    r"出戏)*[^，,。：:\n]{0,12}?(?:故事|小说|诗|剧本|对白|对话|台词|歌词|童话|"
    r"段子|短篇|场戏|传说|作文|歌|独白|寓言|相声|散文|词|戏)(?=$|[^\w]|[，,。：:里中的讲])|把这个?(?:故事|传说|剧本|小说|诗)|"
    r"(?:我的?|这部|这本|那部|那本)(?:小说|故事|剧本|书|漫画|话剧)(?:里|中)|(?:女|男)?(?:主角|主人公|反派|配角)|男主|女主|(?:游戏|小说|"
    r"书中|故事|我的|我写的)(?:里的?)?(?:角色|人物)|笔下|剧情|(?:我的|给我的)(?:话剧|剧本|"
    r"小说|漫画)", _I)
_SPEAKER = re.compile(r"\s{0,4}(?:\*\*)?([A-Z][\w .'-]{0,20}|[\u4e00-\u9fff]{1,4}|[A-Za-z]\w{0,12})(?:\*\*)?\s?[:：]\s?\S")
_TALKS = frozenset("ps p.s note notes reminder correction update edit fyi decision todo rule rules preference fact goal remember btw "
                   "注意 备注 更正 提醒 记住 请记住 补充 规则 约定 决定 偏好 结论 纠正 另外 目标 记一下 要求 说明 前提".split())


# Two lines of a copied chat, a notice, and other frames around what somebody else wrote.
_SAID_AT = re.compile(r"\s*\[?[^\s:：\[\]]{1,20}\]?[ \t]+\(?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[ T])?(?:[上下]午|"
    r"[AaPp][Mm])?\d{1,2}:\d\d(?::\d\d)?\)?(?:\s?[AaPp][Mm])?[:：]?\s*$")
_NOTICE = re.compile(r"\s*【(?!偏好|约定|规则|记住|更正|备注|补充|决定|要求)[^】\n]{1,14}】|\s*(?:minutes|agenda|protocol|meeting notes|"
    r"release notes|changelog)\b[^.!?]{0,30}$|"
                     r".{0,12}(?:会议纪要|公告|通知|通告|使用说明|声明|群聊记录|聊天记录|须知|说明书)\s*[:：]?\s*$", _I)
_FRAMES = re.compile(
    r"\b(?:an?|the|this) (?:tweet|post|comment|meme|headline|article|podcast|video|thread|toot|slogan) [^:：\n]{0,30}[:：]|(?:刷到|看到|"
    r"读到|听到|翻到)(?:一?[条句段篇个]|这么)?[^:：\n]{0,8}[:：]|"
    r"^(?:in)?to (?:german|french|spanish|italian|chinese|english|latin|japanese|korean|russian|dutch|polish|"
    r"portuguese)\b[^:：\n]{0,20}[:：]|(?:^|[，,。])(?:场景|场次|镜头|scene)\s*[:：]|"
    r"\b(?:text|contents?|message|words|note|line|sentence|quote|excerpt|review|instructions?) (?:from|on|in|of) (?:the|a|this|their|"
    r"that|my) [^:：\n]{1,40}[:：]|"
    r"\bthis (?:was|is|stood|stands|came|appeared|appears) (?:in|from|on|at the (?:end|top|bottom)) [^:：\n]{1,40}[:：]|"
    r"(?:网页|页面|网站|邮件|文章|附件|文件|PDF|正文|帖子|新闻|公告|通知|短信|商品评价|评价|评论|弹窗|论坛)(?:内容|里|原文|上|中|里面|"
    r"上面)*(?:写着|写道|说|提到|显示|这样写)?\s*[:：]|"
    r"\b(?:put|turn|translate|render|say|write) .{0,20}?\b(?:in|into|to) (?:german|french|spanish|italian|chinese|mandarin|english|latin|"
    r"japanese|korean|russian|dutch|polish|portuguese|arabic|swedish|"
    r"turkish|greek|hindi|finnish|danish|czech)\b[^:：\n]{0,20}[:：]|"
    r"(?:opening|(?:session )?recap|session log|lore|handout|draft|scene|continue|excerpt|beginning|ending|first line|chapter|verse|"
    r"epigraph|blurb)\b[^:：.\n]{0,40}[:：]|"
    r"(?:开头|团记|战报|跑团记录|结尾|草稿|片段|节选|选段|续写|接着写|往下写|第.{1,3}[章幕节回场](?:开头)?|旁白|独白|台词|内容如下|"
    r"原文如下|如下)[^:：。\n]{0,10}[:：]", _I)
_PUTS_RIGHT = re.compile(r".*\b(?:from now on|always|every time|in future)\b[^:]{0,20}:|.*(?:以后|今后|一律)[^：:]{0,10}[：:]|"
    r"\s*(?:let me|i (?:have|need) to|to) (?:correct|fix|rephrase)\b|\s*(?:我)?(?:更正|纠正|改正|修正)", _I)
_TERMINAL = re.compile(r"\s*(?:[\w.-]+@[\w.-]+:\S{0,60}[$#] |diff --git |@@ -\d|--- a/|\+\+\+ b/|PS [A-Z]:\\|<\w{1,20}> \S.*|root@)")
# A story's people speak of themselves; what somebody writes about how the story is told is the writer's own.
_CRAFT = re.compile(
    r"\b(?:tenses?|will (?:stay|remain|be told|be written)|(?:un)?named|first person|third person|point of view|pov|dialogue|semicolons?|"
    r"spelling|words per|word count|adverbs|adjectives|prose|"
    r"chapters? (?:is|are|should|must|gets?|has|have|end|start|stay)|settled on|decided|(?:narrator|protagonist|hero|heroine) (?:of|"
    r"in) my (?:novel|book|story|play) is|epilogue|prologue)\b|人称|时态|视角|对白|标点|分号|感叹号|流行语|文风|字数|用词|成语|体裁|"
    r"章节?(?:标题|不超过|控制|结尾|开头都)|改成|定稿|我(?:的|写的)?(?:这部|这本)?(?:小说|书|剧本|长篇)的?(?:叙述者|主角|主人公|女主|"
    r"男主)(?:是|叫)", _I)
_ABOUT_BEFORE = re.compile(
    r"(?:\b(?:this|these|it|that|above|they|them|him|her|her|minutes|into a|add types|tags|strip|rewrite|summar\w+|proof\w*|fix|explain|"
    r"translate|shorten|convert|what does|"
    r"who (?:wrote|said)|is (?:he|she)|should i)\b|这|上面|以上|它|他们|她|他|帮我|改成|总结|翻译|润色|解释|校对|靠谱|啥意思|什么意思|"
    r"写得|怎么回|要不要|该不该|把)", _I)
_ABOUT_ME = re.compile(r"\b(?:about me|about us|my (?:rules?|preferences?|setup|situation)|rules?|preferences?|requirements?|following|"
    r"conventions?|facts?|things?|points?)\b|关于我|我的(?:情况|要求|偏好|习惯|规矩)|要求|规则|规矩|约定|偏好|几[点条件]|如下", _I)
_CHECKS = re.compile(r"\b(?:grammar|proof\w*|spelling|typos|summar\w*|translat\w*|rephrase|feedback on|tone of|check (?:the|this|my)|"
    r"mistakes|polish|shorten)\b|语法|病句|错别字|通顺|润色|校对|总结|翻译|改改|看看|语气|点评", _I)
_POINTS_ON = re.compile(r".{0,40}(?:below|following|this|下面|以下|这)", _I)
_TITLE = re.compile(r"\s*(?:#{1,6} |subject\s*:|dear\b|尊敬的|亲爱的|各位|摘要[:：]|abstract\b)", _I)


def sentences(message: str) -> list[Sentence]:
    """The owner's sentences in order."""
    return list(_sentences(message))


def _sentences(message: str) -> Iterator[Sentence]:
    fenced, alone, boundary = False, True, ""
    lines = list(_lines(message))
    if any(_TERMINAL.match(line) for _, line in lines):
        return
    talk = _transcript(lines)
    skipped = _handed_over(lines)
    for start, line in lines:
        if start in skipped:
            continue
        if _FENCE.match(line):
            fenced = not fenced
            continue
        mark = _BOUNDARY.match(line) if line else None
        if mark:
            boundary = "" if boundary == mark[2] else boundary or mark[2]
            continue
        if fenced or boundary or not line.strip() or _FOREIGN.match(line) or _OURS.search(line):
            continue
        if _HEADERS.match(line) or (talk and _speaker(line)) or _SAID_AT.match(line) or _NOTICE.match(line):
            return
        for sentence in _of_line(line, start, alone):
            beginning = sentence.masked[:LONGEST]
            if _PLAY.search(beginning) or _hands_over(beginning):
                if _ends_with(sentence, start, line):
                    return
                continue  # the text to be worked on lies elsewhere; what follows is the owner's again
            if _WRITES.search(beginning) and not (_CRAFT.search(beginning) and not sentence.opens):
                alone = False
                if sentence.opens or "：" in beginning or ": " in beginning:
                    return
                continue
            yield sentence if alone else Sentence(sentence.text, sentence.masked, sentence.start, False, sentence.listed)


def _ends_with(sentence: Sentence, start: int, line: str) -> bool:
    """Whether what a sentence hands over follows it: it opens something, or nothing of its own line does."""
    return _PLAY.search(sentence.masked) is not None or sentence.opens or re.search("[:：].", sentence.masked) is not None or (
        sentence.end - start >= len(line.rstrip()))


def _handed_over(lines: list[tuple[int, str]]) -> set[int]:
    """The lines that the last one, or the one before a gap, is about: a text that was put into the message to be worked on."""
    said = [(start, line) for start, line in lines if line.strip()]
    if len(said) < 2:
        return set()
    last = said[-1][1].strip()
    gap = any(not line.strip() for _, line in lines)
    titled = any(_TITLE.match(line) for _, line in said[:-1])
    listed = sum(_BULLET.match(line) is not None for _, line in said[:-1])
    opening = any(_HEADERS.match(line) or _PLAY.search(line[:LONGEST]) or _HANDS_OVER.search(line[:LONGEST]) for _, line in said[:-1])
    if opening or _transcript(lines):
        return set()  # from there on the words are somebody else's anyway
    asks = len(last) <= 120 and not _BULLET.match(last) and (last.endswith(("?", "？")) or _ABOUT_BEFORE.search(last) is not None)
    first = said[0][1].strip()
    if not lines[1][1].strip() and len(first) <= 60 and first.endswith((":", "：")) and not _asks(first) and not _ABOUT_ME.search(first):
        return {start for start, _ in said[1:]}
    if asks and _ABOUT_BEFORE.search(last) and (gap or titled or (listed and not said[0][1].strip().endswith((":", "：")))):
        return {start for start, _ in said[:-1]}
    if asks and listed > 1 and last.endswith(("?", "？")) and not _asks(first) and not re.search(r"\b(?:i|me|my)\b|我|咱", first, _I):
        return {start for start, _ in said[:-1]}
    if gap and len(first) <= 120 and not _asks(first) and _CHECKS.search(first) and first.endswith(("?", "？", ":", "：", ".", "。")):
        return {start for start, _ in said[1:]}
    points = len(first) <= 120 and _ABOUT_BEFORE.search(first) and _POINTS_ON.match(first)
    if gap and points and not _asks(first):
        return {start for start, _ in said[1:]}
    return set()


def _hands_over(masked: str) -> bool:
    """Whether a sentence hands over a text of somebody else, or says what frame the words behind it stand in."""
    found = (_HANDS_OVER.search(masked) or _FRAMES.search(masked)) if _POINTS.search(masked) else None
    return found is not None and not _asks(masked[:found.end()]) and _PUTS_RIGHT.match(masked) is None


def _asks(masked: str) -> bool:
    """`请记住以下内容：` hands over the owner's own words."""
    return _ASKS.search(masked) is not None


_ASKS = re.compile(r"记住|记下|记一下|记着|存着|长期保留|照做|遵守|\b(?:remember|keep in mind|memori[sz]e|make a note|write (?:this|that|"
    r"it) down|jot|mental note|quick note|note down|note the following)\b", _I)


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
    if len({name for name in _SPEAKS.findall(masked[:LONGEST]) if name.casefold() not in _TALKS}) > 1:
        return  # people of a scene, each with a line
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
