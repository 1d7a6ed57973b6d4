"""Corrections that share too little with an entry to be found by the words of both: each a kind with its own test.

* two values of one entry swapped: nothing in the message is new, only its order ("it's the other way round: …");
* a bare value ("no, Thursday"), which can only mean the one entry that has a value of its kind;
* a denial by a word that stands for what the entry says ("I no longer work there"), after a single entry;
* a time put earlier or later by so much ("the review is a day later now");
* a thing said to be wrong without what is right ("周报的时间不对").

Every test here is narrow: whatever else stands in the message makes it no correction of that kind.
"""

import re
from collections.abc import Sequence

from deepseedian.core.aspect import aspects, moments, values, without
from deepseedian.core.telling import FUNCTION, terms, units

_I = re.IGNORECASE
COVERED = 0.75  # of what is said must be the entry's
_SWAP = re.compile(
    r"(?:记|記|搞|弄|说|說|写|寫|想|看|调|放)(?:反|颠倒|顛倒|混)了?|(?<!相)反了|颠倒了|顛倒了|"
    r"[正刚剛恰]好(?:是)?(?:相)?反(?:过来|過來)?(?:的)?|"
    r"反过来(?=\W|$)|反過來(?=\W|$)|对调了|對調了|互换了|互換了|张冠李戴|"
    r"\b(?:the )?(?:other|wrong|opposite) way (?:a?round)\b|\bbackwards?\b|\b(?:reversed|swapped|transposed|vice versa|mixed up|"
    r"the opposite|crossed)\b|\b(?:mixed|swapped|switched|confused|muddled|reversed|got) (?:\w+ ){1,6}?(?:up|round|around|reversed|"
    r"swapped)\b|\bswitched (?:them|those|these|the \w+)(?=\W*$)|\byou(?:'ve| have)? (?:switched|swapped) |\bswap (?:those|them|"
    r"these|the two)\b", _I)
_FILLING = re.compile(r"这|那|两|俩|二者|条|个|把|\b(?:you|you've|the|those|these|them|two|got|ones?|are|is|other|way)\b", _I)
_HAPPENS = re.compile(r"已经|已經|\balready\b|今天|今晚|明天|昨天|\b(?:today|tonight|tomorrow|yesterday)\b", _I)
# What may stand beside a bare value.
_SMALL = re.compile(r"(?:[\s,.!]|是|應|应|该|該|为|為|在|改|到|成|了|哦|啊|的|吧|而|其实|其實|现在|現在|才|对|對|不|也|就|年|"
                    r"\b(?:it|that|which|is|be|should|have been|sorry|now|actually|really|in fact|at|on|by|in|not|the|to|"
                    r"changed|moved|no longer|rather|instead|time|date|day|price|port|"
                    r"number|code|year|amount|wrong)\b|'s|时间|時間|日期|价格|金额|端口|号码|密码|版本|数字|错|錯)*",
                    _I)
_PERIOD = (r"(?:(?:a|an|one|two|three|four|five|six|seven|ten|fifteen|twenty|thirty|half an?|\d+)[ -]?(?:full |whole )?"
           r"(?:minutes?|mins?|hours?|days?|weeks?|months?|years?))")
_PERIOD_ZH = r"[\d零一二两兩三四五六七八九十半]+\s?个?半?(?:分钟|分鐘|小时|小時|钟头|天|周|週|星期|个月|月|年)"
_SHIFT = re.compile(rf"\b{_PERIOD} (?:earlier|later|sooner|further back)\b|\b(?:earlier|later|back|forward|up) by {_PERIOD}\b|"
                    rf"(?:推后|推後|推迟|推遲|延后|延後|延迟|延遲|提前|提早|延期|往后推|往前提|晚|早)了?\s?{_PERIOD_ZH}", _I)
_SETTLED = re.compile(r"\b(?:now|is|are|has been|have been|been|was|were)\b|了$|^[^,]*(?:改|开始|開始|举行)", _I)
_GONE_ZH = re.compile(
    r"^(?:我|我们|咱们|他|她|它|他们|她们|人家)?(?P<sure>早就|早已|已经|已經|现在|現在|再也|其实|早)?(?:都|就)?(?:不再|不|没再|"
    r"沒再)(?P<at>在)?"
    r"(?P<place>那里|那裡|那儿|那兒|那边|那邊|这里|那家|那)?(?P<verb>[\u4e00-\u9fff]{0,3}?)(?P<it>那里|那裡|那儿|那兒|那边|那邊|"
    r"那家|它|这个|那个|那些|她|他)?了$")
_GONE = re.compile(
    r"^(?P<who>i|we|he|she|they)(?:'ve|'m|'re|'s)?(?: (?:am|is|are|have|has|really|actually|just))*(?P<no> no longer| don't|"
    r" doesn't| do not|"
    r" does not| never| not| stopped| quit)(?: have| own| really)? (?P<verb>[a-z]+)(?: (?:in|at|for|with|on|to))? "
    r"(?P<it>it|them|there|that|those|one|any|him|her|either)(?P<more> any ?more| any longer| these days| now)?$", _I)
_AMISS = re.compile(r"^(?P<what>.{2,40}?)(?:都|全|全都|也|已经)?(?:记错了|写错了|错了|錯了|不对|不對|不对了|过时了|過時了|不准|"
                    r"有误|变了|變了|改了|改期了|换了)$|"
                    r"^(?P<thing>.{3,60}?) (?:is|are|was|were|has|have)(?: both| all| now| also)? (?:wrong|incorrect|outdated|out of date|"
                    r"stale|not right|changed|no longer (?:right|true|correct))$", _I)


def swap(text: str) -> bool:
    """Whether a text says that two things were taken for each other."""
    return bool(_SWAP.search(text))


def swapped(clauses: Sequence[str], text: str, cue: bool) -> bool:
    """Whether the clauses hold the words of a text, paired in another way.

    Without a word for it two clauses are needed, all of whose words are the text's, and both of whose pairs are torn.
    """
    said = [part for clause in clauses for piece in re.split(r"\band\b|\bwhile\b|而", _SWAP.sub(" ", clause))
            if (part := units(_FILLING.sub(" ", piece)))]
    flat, own = [unit for part in said for unit in part], units(text)
    inside = sum(unit in own for unit in flat)
    if not flat or (_follows(flat, own) and not (cue and _both_named(clauses, flat, text))):
        return False
    if cue:
        return (inside >= COVERED * len(flat) and inside >= 3) or (inside == len(flat) and _both_named(clauses, flat, text))
    parts = [set(units(part)) for part in _parts(text)]
    return (inside == len(flat) >= 4 and len(said) >= 2 and len(parts) >= 2
            and all(len(part) >= 2 and not any({*part} <= held for held in parts) for part in said))


def _both_named(clauses: Sequence[str], flat: Sequence[str], text: str) -> bool:
    """Whether the clause that says so names what was swapped: two parts of the text, or what both parts have."""
    named = [clause for clause in clauses if _SWAP.search(clause)]
    held = [set(units(part)) for part in _parts(text)]
    return (len(named) == len(clauses) == 1 and len(held) >= 2 and {*flat} <= set().union(*held)
            and (all({*flat} & part for part in held[:2])))


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r"[,;，；、。]|\band\b|\bwhile\b|而", text) if part.strip()]


def _follows(said: Sequence[str], own: Sequence[str]) -> bool:
    """Whether what is said stands in the text in the same order."""
    rest = iter(own)
    return all(unit in rest for unit in said)


def bare(said: str, texts: dict[str, str]) -> str | None:
    """Which one text a message means that says nothing but another value; none when several could be meant."""
    new = values(said)
    if len(new) != 1 or moments(said) or _HAPPENS.search(said) or not _SMALL.fullmatch(without(said)):
        return None
    (kind, found), = new.items()
    fits = [key for key, text in texts.items() if _kind(kind, text)]
    if len(fits) != 1 or len(found) > 2 or (kind == "number" and len(texts) > 1):
        return None
    old = values(texts[fits[0]])[_kind(kind, texts[fits[0]])]
    return fits[0] if len(old) == 1 and found - old else None


def _kind(kind: str, text: str) -> str:
    """Under which kind a text has a value like this one: a port may be said as a mere number."""
    old = values(text)
    return kind if kind in old else "port" if kind == "number" and "port" in old else ""


def gone(clauses: Sequence[str], text: str) -> bool:
    """Whether what a text says is denied by a word that stands for it."""
    own, held = terms(text), set(units(text))
    for clause in clauses:
        zh, en = _GONE_ZH.match(clause), _GONE.match(clause)
        if zh:
            verb = [char for char in zh["verb"] if char not in FUNCTION or char == "用"]
            pointed = zh["place"] or zh["it"]
            if (zh["sure"] or pointed) and verb and all(char in held or char in text for char in verb):
                return True
            if not zh["verb"] and zh["at"] and pointed and re.search(r"在", text):
                return True
        sure = en and (en["more"] or en["no"].strip() in ("no longer", "stopped", "quit"))
        if en and sure and _stem(en["verb"]) & {_base(term) for term in own}:
            return True
    return False


def _stem(verb: str) -> set[str]:
    return {_base(term) for term in terms(verb) | {verb.casefold()}}


def _base(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def shifted(clauses: Sequence[str], text: str, opener: bool) -> bool:
    """Whether a time of the text is put earlier or later by so much, and nothing else is said of it."""
    if "time" not in aspects(text) or not values(text).keys() & {"day", "date", "clock"}:
        return False
    for clause in clauses:
        found = _SHIFT.search(clause)
        if not found or not (opener or (_SETTLED.search(clause) and not re.search(r"\bwas\b(?! (?:pushed|moved|put|brought|"
    r"set))", clause))):
            continue
        rest = clause[:found.start()] + " " + re.sub(r"开始|開始|举行|\bstarts?\b", " ", clause[found.end():])
        rest = re.sub(r"\b(?:pushed|moved|put|brought|set|get|got|starts?|begins?|happens)\b|改|又", " ", rest, flags=_I)
        left = units(rest)
        if left and all(unit in units(text) for unit in left):
            return True
    return False


def amiss(clauses: Sequence[str], text: str, many: bool) -> bool:
    """Whether what a text tells of is said to be wrong, by its aspect: "the time of the weekly report"."""
    for clause in clauses:
        found = _AMISS.match(clause)
        what = (found["what"] or found["thing"]) if found else ""
        if not what or (many and not re.search(r"和|跟|与|、|\band\b|\bboth\b", what)):
            continue
        shared, told = terms(what) & terms(text), aspects(what) & aspects(text)
        inside = all(unit in units(text) for unit in units(what))
        if told and (inside or told - aspects(" ".join(shared))) and (shared or (inside and not many and len(units(what)) >= 2)):
            return True
    return False
