"""Statements worth keeping, found by rule in the owner's own words.

Explicit ones only: asked to remember, agreements from now on, preferences, corrections, in Chinese and
English. Questions, quotations, code and pasted lines do not count. The quote is verbatim, so that the
owner sees where a proposal comes from.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

SENTENCE_LIMIT = 240
SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """`quote` stands in the message as it is; `text` is what would be remembered; `correction` replaces something."""

    text: str
    quote: str
    kind: str
    correction: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    kind: str
    correction: bool = False


def _rule(pattern: str, kind: str, correction: bool = False) -> _Rule:
    return _Rule(re.compile(pattern, re.I), kind, correction)


_DEGREE = "最|很|更|非常|比较|比較|特别|特別|一直|从来|從來"
_TASTE = "不喜欢|不喜歡|喜欢|喜歡|讨厌|討厭|偏好|偏爱|偏愛|习惯|習慣|不习惯|不習慣|不吃|不喝|对.{1,12}过敏|對.{1,12}過敏"
_LATER = "(?:从|從)?(?:以后|以後|今后|今後|从现在起|從現在起|从现在开始|從現在開始|往后|往後)"
_KEEP = "记住|記住|记一下|記一下|记下来?|記下來?|记着|記著"
_WRONG = "不对|不對|不是这样|不是這樣|错了|錯了|说错了|說錯了|更正一下|更正|纠正一下|糾正一下"
_FEEL = ("prefer|like|love|hate|dislike|can't stand|cannot stand|don't like|do not like|am allergic to")

# In order: the first that matches a sentence wins. Group `text` is what is kept.
_RULES = (
    _rule(rf"^(?:{_WRONG})[，,：:。！!\s]*(?:应该|應該)?(?:是|为|為)?[：:，,\s]*(?P<text>(?!是|为|為|应该|應該).{{2,}})$", "fact", True),
    _rule(r"^(?:no|nope|not quite|correction|actually)[,.:;!]\s*(?:it(?:'s| is| should be)\s+)?(?P<text>.{3,})$", "fact", True),
    _rule(rf"^(?:请|請|帮我|幫我|麻烦|麻煩|你)*(?:{_KEEP})了?[：:，,\s]*(?:一下)?[：:，,\s]*(?P<text>.{{3,}})$", "fact"),
    _rule(r"^(?:please\s+|and\s+|also\s+)*(?:remember|keep in mind|note|don't forget|do not forget)\s*"
          r"(?:that\b|:|,|this:)?\s*(?P<text>.{4,})$", "fact"),
    _rule(rf"^(?P<text>{_LATER}[，,\s]*.{{3,}})$", "decision"),
    _rule(r"^(?P<text>from now on\b.{4,}|going forward\b.{4,}|"
          r"in (?:the )?future,? (?:please |always |never |do not |don't ).{4,})$", "decision"),
    _rule(rf"^(?P<text>我(?:{_DEGREE})*(?:{_TASTE}).*)$", "preference"),
    _rule(rf"^(?P<text>i (?:really |strongly |always |generally |usually |much )?(?:{_FEEL})\b.{{3,}}|"
          r"i(?:'m| am) allergic to .{3,}|i (?:always|never) .{4,}|call me .{2,})$", "preference"),
)

_SENTENCE = re.compile(r"[^。！？!?\n.;；]+(?:\.(?=\S)[^。！？!?\n.;；]*)*[。！？!?.;；]*")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_QUOTED = re.compile(r"^\s*(?:>|\||#|<|\$ |at \w|[-*] \[)")
_QUESTION = re.compile(r"(?:[?？]|吗|嗎|呢|么|沒有|没有)[。.!！\s]*$", re.I)
_MOMENTARY = re.compile(
    r"^(?:to\s+(?:buy|call|send|run)|今天|现在|現在|刚才|剛才|这次|這次|today\b|right now\b|just now\b|this time\b)", re.I)
_OTHERS = re.compile(
    r"(?:他|她|他们|她们|他們|老板|客户|用户|小说|主角|"
    r"\b(?:he|she|they|the (?:customer|user|client|character)))\s?(?:说|說|said|says)", re.I)
_LEAD = re.compile(
    r"^(?:另外|还有|還有|对了|對了|而且|顺便|順便|嗯|好的?|ok|okay|also|and|oh|btw|by the way|yes|well)[，,、.:：!！\s]+", re.I)
_SPEECH = re.compile(r"[\"“「『].{0,200}$")


def candidates(message: str, limit: int = 2) -> list[Candidate]:
    """At most `limit` statements in one message of the owner, in order."""
    found: list[Candidate] = []
    for sentence in _sentences(message):
        candidate = _candidate(sentence)
        if candidate is not None and len(found) < limit:
            found.append(candidate)
    return found


def _sentences(message: str) -> Iterator[str]:
    """Sentences outside code, quotations, tables and pasted logs."""
    fenced = False
    for line in message.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not _QUOTED.match(line):
            yield from (match[0].strip() for match in _SENTENCE.finditer(line))


def _candidate(sentence: str) -> Candidate | None:
    sentence = _LEAD.sub("", sentence)
    if not SHORTEST <= len(sentence) <= SENTENCE_LIMIT or _QUESTION.search(sentence) or _OTHERS.search(sentence):
        return None
    for rule in _RULES:
        match = rule.pattern.match(sentence)
        if match:
            text = match["text"].strip(" ，,：:")
            quoted = _SPEECH.match(sentence) or text.count("“") != text.count("”")
            if len(text) < 2 or _MOMENTARY.match(text) or quoted:
                return None
            return Candidate(text, sentence, rule.kind, rule.correction)
    return None
