"""The current fact first: of two statements about the same thing, the one that holds now stands above the one that held.

What decides, in this order: the entries say so themselves (`supersedes`, `supersededBy`), or the later one is worded
as an update ("we switched to …", 后来改成…), or the earlier one as a beginning ("originally …", 原本…), or both are the
same sentence but for the value. Only the order changes here; a question about the past is left as it was ranked.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deepseedian.core.entry import Entry
from deepseedian.core.text import characters, folded_line, term_set, tokens

SAME_SUBJECT = 0.6
SAME_SENTENCE = 0.5
LOOKED_AT = 24

_UPDATE = re.compile(
    r"(?i)\b(?:(?:switched|changed|moved|migrated|upgraded|updated|renamed|rescheduled|postponed|shifted)(?: \w+){0,5}? to|"
    r"replac(?:ed|es) (?:\w+ ){0,4}?(?:by|with)|"
    r"(?:is|are|was|has been|have) (?:now|since)|now (?:uses?|use|is|are|on|at|in|lives?|works?|runs?|prefers?|takes?|goes|"
    r"listens?|meets?)|"
    r"no longer|not any ?more|from now on|as of|instead of|these days|went back to|we use .{1,40} now)\b|"
    r"(?:改|换|调整|更新|迁移|升级|变更|转|搬|移|推迟|提前)(?:成|为|到|至|用|由|在)|改(?:了|約|约)|后来|如今|现在(?:是|用|改|在|换|已)|已(?:经)?(?:改|换|搬|迁|升级|更新|取消)|不再|"
    r"最新|从(?:今|现在)|改名|重新定")
_BEGINNING = re.compile(
    r"(?i)\b(?:originally|initially|at first|in the beginning|used to|formerly|previously|was going to|were going to|"
    r"for the time being|until now)\b|"
    r"原本|原来|一开始|最初|起初|先定|暂定|暂时|曾经|以前|之前|本来")
_PAST = re.compile(
    r"(?i)\b(?:originally|initially|at first|in the beginning|used to|formerly|previous(?:ly)?|former|before|earlier|"
    r"in the past|back then|old|first|was|were|did)\b|"
    r"原本|原来|一开始|最初|起初|曾经|以前|之前|当初|当时|本来|过去|早先")
_NOW = re.compile(r"(?i)\b(?:now|current(?:ly)?|at present|today|latest|these days|still|any ?more)\b|现在|目前|如今|当前|最新|今天|还是")
_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]|[.;；](?=\s|$)|$)")


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry with what decides its place: `when` is the time of its present wording, `seen` the question's terms it holds."""

    entry: Entry
    when: str
    seen: frozenset[str]


def asks_past(question: str) -> bool:
    """Whether the question is about how it was, and not about how it is."""
    line = folded_line(question)
    return bool(_PAST.search(line)) and not _NOW.search(line)


def current_first(ranked: Sequence[Ranked], weight: Callable[[str], float]) -> tuple[list[int], dict[int, int]]:
    """The new order as places in `ranked`, and which place was lifted above which.

    `weight` is what a term of the question says about a text, its inverse document frequency. Only the first few are
    compared, each pair once, and a lifted entry stands directly above the one it replaces.
    """
    order = list(range(len(ranked)))
    lifted: dict[int, int] = {}
    for high in range(min(len(ranked), LOOKED_AT)):
        for low in range(high + 1, min(len(ranked), LOOKED_AT)):
            if replaces(ranked[low], ranked[high], weight) and order.index(low) > order.index(high):
                order.remove(low)
                order.insert(order.index(high), low)
                lifted[low] = high
    return order, lifted


def replaces(new: Ranked, old: Ranked, weight: Callable[[str], float]) -> bool:
    """Whether `new` says how it is now what `old` said before."""
    if new.when <= old.when or not new.seen or not old.seen:
        return False
    shared = new.seen & old.seen
    most = max(_sum(new.seen, weight), _sum(old.seen, weight))
    if _sum(shared, weight) < SAME_SUBJECT * most:
        return False
    updates, beginnings = worded(new.entry.text)[0], worded(old.entry.text)[1]
    told = SAME_SUBJECT * _sum(shared, weight)
    return any(_sum(shared & said, weight) >= told for said in (*updates, *beginnings)) or _one_sentence(new.entry.text, old.entry.text)


def _sum(terms: Iterable[str], weight: Callable[[str], float]) -> float:
    return sum(map(weight, terms))


@lru_cache(maxsize=4096)
def worded(text: str) -> tuple[tuple[frozenset[str], ...], tuple[frozenset[str], ...]]:
    """The sentences worded as an update, and those worded as a beginning, each as its terms: in a long text it matters which."""
    said = [(line, line_terms(line)) for line in _SENTENCE.findall(folded_line(text)) if _UPDATE.search(line) or _BEGINNING.search(line)]
    return (tuple(terms for line, terms in said if _UPDATE.search(line)), tuple(terms for line, terms in said if _BEGINNING.search(line)))


def line_terms(line: str) -> frozenset[str]:
    return frozenset(tokens(line)) | characters(line)


def _one_sentence(new: str, old: str) -> bool:
    ours, theirs = term_set(new), term_set(old)
    return len(ours & theirs) >= SAME_SENTENCE * len(ours | theirs)
