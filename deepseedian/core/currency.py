"""The current fact first: of two statements about the same thing, the one that holds now stands above the one that held.

What decides, in this order: the entries say so themselves (`supersedes`, `supersededBy`), or the later one is worded
as an update ("we switched to …", 后来改成…), or the earlier one as a beginning ("originally …", 原本…), or both are the
same sentence but for the value. Only the order changes here; a question about the past is left as it was ranked.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from deepseedian.core.entry import Entry
from deepseedian.core.gate import Lens
from deepseedian.core.text import Outline, characters, folded_line, outline, tokens

SAME_SUBJECT = 0.85
ABOUT = 0.5  # of what the best holds of the question, for an entry to be a statement of what was asked
SAME_SENTENCE = 0.5
VALUE_WORDS, VALUE_PAIRS, MORE_PAIRS = 4, 8, 2
LOOKED_AT = 20

_UPDATE = re.compile(
    r"(?i)\b(?:(?:switched|changed|moved|migrated|upgraded|updated|renamed|rescheduled|postponed|shifted|re\w+ed)(?: \w+){0,5}? to|"
    r"(?:has|have|is|was|are|were)? ?(?:been )?(?:changed|cancell?ed|replaced|dropped|raised|lowered|called off)|"
    r"replac(?:ed|es) (?:\w+ ){0,4}?(?:by|with)|"
    r"(?:is|are|was|has been|have) (?:now|since)|now \w+s|now (?:use|is|are|on|at|in|live|work|run|prefer|take|go|meet)|"
    r"no longer|not any ?more|any longer|from now on|from \w+ on|as of|instead of|these days|went back to|we use .{1,40} now)\b|"
    r"(?:改|换|调|调整|更新|迁移|升级|变更|转|搬|移|推迟|提前|涨|降|升|加|减)(?:成|为|到|至|用|由|在)|改(?:了|約|约)|(?:换|搬|取消|停|涨|降)了|后来|如今|"
    r"现在(?:是|用|改|在|换|已)|已(?:经)?(?:改|换|搬|迁|升级|更新|取消)|不再|最新|从(?:今|现在)|从.{1,6}起|改名|重新定")
_BEGINNING = re.compile(
    r"(?i)\b(?:originally|initially|at first|in the beginning|used to|formerly|previously|was going to|were going to|"
    r"for the time being|until now)\b|"
    r"原本|原来|一开始|最初|起初|先定|暂定|暂时|曾经|以前|之前|本来")
_PAST = re.compile(
    r"(?i)\b(?:originally|initially|at first|in the beginning|used to|formerly|previous(?:ly)?|former|before|earlier|"
    r"in the past|back then|old|first|was|were|did)\b|"
    r"原本|原来|一开始|最初|起初|曾经|以前|之前|当初|当时|本来|过去|早先")
_NOW = re.compile(r"(?i)\b(?:now|current(?:ly)?|at present|today|latest|these days|still|any ?more)\b|现在|目前|如今|当前|最新|今天|还是")
_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]|\.(?=\s|$)|$)")


class Ranked(NamedTuple):
    """An entry with what decides its place: `when` is the time of its present wording, `seen` the bits of the question's terms."""

    entry: Entry
    when: str
    seen: int


def asks_past(question: str) -> bool:
    """Whether the question is about how it was, and not about how it is."""
    line = folded_line(question)
    return bool(_PAST.search(line)) and not _NOW.search(line)


def current_first(ranked: Sequence[Ranked], lens: Lens) -> tuple[list[int], dict[int, int]]:
    """The new order as places in `ranked`, and which place was lifted above which.

    Only the first few are compared, each pair once, and a lifted entry stands directly above the one it replaces.
    """
    order = list(range(len(ranked)))
    lifted: dict[int, int] = {}
    least = ABOUT * max((lens.relevance(item.seen) for item in ranked[:LOOKED_AT]), default=0.0)
    first = [(place, item) for place, item in enumerate(ranked[:LOOKED_AT]) if item.seen and lens.relevance(item.seen) >= least]
    worth = [_may(item.entry.text) for _, item in first]
    for at, (high, old) in enumerate(first):
        since, words, (_, begins, ours) = old.when, old.seen & lens.words, worth[at]
        for (low, new), (updates, _, theirs) in zip(first[at + 1:], worth[at + 1:], strict=True):
            if new.when <= since or words & ~new.seen or not (updates or begins or _alike(theirs, ours)) or not replaces(new, old, lens):
                continue
            if order.index(low) > order.index(high):
                order.remove(low)
                order.insert(order.index(high), low)
                lifted[low] = high
    return order, lifted


def _may(text: str) -> tuple[bool, bool, Outline]:
    """Whether a text is worded as an update, whether as a beginning, and what its words are: most pairs are told apart by that."""
    updates, beginnings = worded(text)
    return bool(updates), bool(beginnings), outline(text)


def replaces(new: Ranked, old: Ranked, lens: Lens) -> bool:
    """Whether `new` says how it is now what `old` said before.

    It must hold nearly all that the old one holds of the question, every word and number, and pairs of characters but for
    those at the edges of words: one that lacks a name is about something else.
    """
    shared = new.seen & old.seen
    if new.when <= old.when or not shared or old.seen & ~shared & lens.words:
        return False
    if lens.relevance(shared) < SAME_SUBJECT * max(lens.relevance(old.seen), lens.relevance(new.seen)):
        return False
    updates, beginnings = worded(new.entry.text)[0], worded(old.entry.text)[1]
    told = SAME_SUBJECT * lens.relevance(shared)
    said = any(lens.relevance(shared & lens.bits(line)) >= told for line in (*updates, *beginnings))
    return said or _one_sentence(new.entry.text, old.entry.text)


@lru_cache(maxsize=4096)
def worded(text: str) -> tuple[tuple[frozenset[str], ...], tuple[frozenset[str], ...]]:
    """The sentences worded as an update, and those worded as a beginning, each as its terms: in a long text it matters which."""
    said = [(line, line_terms(line)) for line in _SENTENCE.findall(folded_line(text)) if _UPDATE.search(line) or _BEGINNING.search(line)]
    return (tuple(terms for line, terms in said if _UPDATE.search(line)), tuple(terms for line, terms in said if _BEGINNING.search(line)))


def line_terms(line: str) -> frozenset[str]:
    return frozenset(tokens(line)) | characters(line)


def _one_sentence(new: str, old: str) -> bool:
    """Whether two texts are the same but for a value: as much was put in as was taken out, and little of it.

    What has a word more is about something else: beacon 3 is not beacon.
    """
    ours, theirs = outline(new), outline(old)
    if not _alike(ours, theirs):
        return False
    shared = len(ours.terms & theirs.terms)
    if shared < SAME_SENTENCE * (len(ours.terms) + len(theirs.terms) - shared):
        return False
    came = ours.terms - theirs.terms
    words = sum(map(str.isascii, came))
    pairs = len(came) - words
    return bool(came) and words <= VALUE_WORDS and max(pairs, pairs - ours.pairs + theirs.pairs) <= VALUE_PAIRS


def _alike(ours: Outline, theirs: Outline) -> bool:
    """Whether as much may have come as went: what they share counts the same on both sides."""
    return ours.words == theirs.words and abs(ours.pairs - theirs.pairs) <= MORE_PAIRS
