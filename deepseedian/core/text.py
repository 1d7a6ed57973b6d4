"""Words of a text for search, and its one-line summary.

Text is NFKC-normalised and case-folded. Latin words lose common English endings (the Snowball rules),
identifiers give their parts as well as the whole, digits stay together. Chinese, Japanese and Korean
runs give overlapping pairs of characters, a run of one gives that character: no dictionary, and
two-character words are always found. Traditional characters count as their simplified forms.
"""

import re
import unicodedata
from functools import lru_cache, reduce
from math import ceil
from operator import add, or_
from typing import NamedTuple

from deepseedian.core.script import folded

SUMMARY_LIMIT = 160
KEPT_TEXTS = 2048  # of so many entries' texts it is kept what was worked out of them

CJK = ("\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
        "\U00020000-\U0003ffff")
_RUN = re.compile(rf"(?P<cjk>[{CJK}]+)|(?P<word>[^\W{CJK}]+(?:['\u2019][a-z]+)?(?:[.\-][^\W{CJK}]+)*)")
_PART = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ASCII_WORD = re.compile(r"[a-z]{3,}")
_FLAG = ("\U0001f1e6", "\U0001f1ff")
_SPACE = re.compile(r"\s+")
_ENDS = ("\n\n", "\n", "。", "！", "？", ". ", "! ", "? ", "；", "; ", "，", ", ", " ")
WIDE = re.compile(f"[{CJK}]+")  # each pattern with these ranges takes a millisecond or two to compile, so others are made of this one

# English words too common to say what a text is about; asked alone they match nothing.
STOP_WORDS = frozenset("""
    a about after all also am an and any are as at be been before but by can could did do does doing for from had has
    have he her him his how i if in into is it its just me my no not of on or our out over she should so some than that
    the their them then there these they this to too under up us was we were what when where which who whom why will
    with would you your
""".split())
# Chinese pairs that carry a question rather than its subject.
STOP_PAIRS = frozenset("""
    什么 怎么 怎样 如何 哪个 哪些 哪里 哪儿 为什 时候 多少 几个 是不 不是 有没 没有 可以 我们 你们 他们 这个 那个 这些 那些
    一下 一个 的是 是什 了吗 的吗 吗我 请问 告诉 诉我 我的 你的 是我 甚么
""".split())
# What stands between the words that a Chinese question is about.
FILLER = re.compile(
    "说起过|提起过|说到过|提到过|说过|提过|讲过|聊过|谈过|问过|提到|说到|谈到|聊到|"
    "喜欢|偏好|习惯|为什么|什么样|哪一?[天年月次位个种]|几点|几号|几天|几个人|哪一|多久|多大|多长|怎么样|是什么|有没有|没有|能不能|可不可以|是不是|会不会|要不要|什么|怎么|怎样|如何|哪个|哪些|哪里|哪儿|哪一|时候|多少|几个|"
    "可以|我们|咱们|你们|他们|她们|"
    "它们|这个|那个|这些|那些|一下|一个|请问|告诉|现在|目前|如果|还是|或者|但是|因为|所以|应该|已经|来着|到底|另外|以及|分别|关于|知道|记得|记不记得|帮我|说说|讲讲|聊聊|谈谈|"
    "[的了是在吗呢吧啊呀嘛嗯哦喔哈呵我你您他她它们这那哪谁和与及或就都也还又很太再把被将让给对从到于以之其着个么啥吗两]")


def normalise(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def tokens(text: str) -> list[str]:
    """The search terms of a text, in order, repeated ones included."""
    return _tokens(text if text.isascii() else folded(normalise(text)))


@lru_cache(maxsize=KEPT_TEXTS)
def folded_line(text: str) -> str:
    """The text as patterns read it: normalised, in one script."""
    return folded(normalise(text))


class Outline(NamedTuple):
    """What two texts are compared by: length, terms, and how many of these are words and pairs of characters.

    `bits` has one of 256 for each term: two texts differ in at least as many terms as bits.
    """

    length: int
    terms: frozenset[str]
    bits: int
    words: int
    pairs: int


@lru_cache(maxsize=KEPT_TEXTS)
def outline(text: str) -> Outline:
    """Kept for the few entries that are offered again and again."""
    terms = frozenset(tokens(text))
    words = sum(map(str.isascii, terms))
    return Outline(len(text), terms, reduce(or_, (1 << (hash(term) & 255) for term in terms), 0), words, len(terms) - words)


def term_set(text: str) -> frozenset[str]:
    """The distinct terms of a text."""
    return outline(text).terms


def query_terms(text: str) -> list[str]:
    """The distinct terms of a question without stop words.

    What is left of 喝什么茶 without its question word are two single characters: they are terms too.
    """
    found = dict.fromkeys(tokens(text))
    alone = dict.fromkeys(run for run in WIDE.findall(FILLER.sub(" ", folded_line(text))) if len(run) == 1)
    return [term for term in found if term not in STOPPED] + [term for term in alone if term not in found]


def lone(term: str) -> bool:
    """Whether a term is a single Chinese, Japanese or Korean character."""
    return len(term) == 1 and not term.isascii() and WIDE.match(term) is not None


def characters(text: str) -> set[str]:
    """The single characters by which an entry is found besides its pairs."""
    return set() if text.isascii() else set("".join(WIDE.findall(folded(normalise(text)))))


def terms_of(text: str) -> tuple[list[str], set[str]]:
    """`tokens` and `characters` of a text, read once."""
    if text.isascii():
        return _tokens(text), set()
    line = folded(normalise(text))
    return _tokens(line), set("".join(WIDE.findall(line)))


def _tokens(line: str) -> list[str]:
    found: list[str] = []
    for run, word in _RUN.findall(line):
        found += pairs(run) if run else word_terms(word)
    return found


def pairs(run: str) -> list[str]:
    """A run of characters as its overlapping pairs; a single one stays."""
    return [run] if len(run) == 1 else list(map(add, run, run[1:]))


@lru_cache(maxsize=65_536)
def word_terms(word: str) -> tuple[str, ...]:
    """`Releases` → `releas`; `max_entries` → `max_entries`, `max`, `entri`; `v2.1` → `v2.1`, `v`, `2`, `1`."""
    whole = word.replace("\u2019", "'").casefold()
    parts = [part for piece in _CAMEL.split(word) for part in _PART.findall(piece)]
    if len(parts) <= 1 or "'" in whole:
        return (_stem(re.sub(r"'[a-z]+$", "", whole)),)
    return (whole, *(_stem(part.casefold()) for part in parts))


def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word)) if _ASCII_WORD.fullmatch(word) else word


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]
    import Stemmer

    return Stemmer.Stemmer("english")


STOPPED = STOP_WORDS | STOP_PAIRS | {"thi", "doe", "ani", "befor", "whi", "becaus"}


def width(text: str) -> int:
    """The length of a message in letters: a Chinese, Japanese or Korean character says as much as two."""
    line = text.strip()
    return len(line) + sum(map(len, WIDE.findall(line)))


def estimated_tokens(text: str) -> int:
    """About how many tokens a model reads: 0.6 for a Chinese, Japanese or Korean character, 0.3 for any other.

    The ratios are those DeepSeek gives for its models; other models differ by a third either way.
    """
    wide = sum(map(len, WIDE.findall(text)))
    return ceil(0.6 * wide + 0.3 * (len(text) - wide))


@lru_cache(maxsize=KEPT_TEXTS)
def summary(text: str, limit: int = SUMMARY_LIMIT) -> str:
    """The text on one line, at most `limit` characters; a cut never splits a character from its marks."""
    line = _SPACE.sub(" ", text.strip())
    if len(line) <= limit:
        return line
    return cut(line, limit - 1).rstrip() + "…"


def cut(line: str, limit: int) -> str:
    """At most `limit` characters of a line, never splitting one from its marks."""
    if len(line) <= limit:
        return line
    end = limit
    while end > 0 and _joined(line, end):
        end -= 1
    return line[:end]


@lru_cache(maxsize=KEPT_TEXTS)
def summary_tokens(text: str) -> int:
    """About how many tokens a text's summary is."""
    return estimated_tokens(summary(text))


def _joined(line: str, at: int) -> bool:
    """Whether a cut before `at` would tear a character from its marks, or a flag in two."""
    before, after = line[at - 1], line[at]
    if _FLAG[0] <= before <= _FLAG[1] and _FLAG[0] <= after <= _FLAG[1]:
        start = at
        while start > 0 and _FLAG[0] <= line[start - 1] <= _FLAG[1]:
            start -= 1
        return (at - start) % 2 == 1
    return (unicodedata.combining(after) != 0 or after in "\u200d\ufe0e\ufe0f" or before == "\u200d"
            or "\U0001f3fb" <= after <= "\U0001f3ff")


def parts(text: str, limit: int) -> list[str]:
    """The text in parts no longer than this, cut where a paragraph, sentence or word ends; none for an empty one."""
    found, at = [], 0
    while len(text) - at > limit:
        end = _end(text, at, limit)
        found.append(text[at:end].strip())
        at = end
    return [piece for piece in (*found, text[at:].strip()) if piece]


def _end(text: str, at: int, limit: int) -> int:
    for sign in _ENDS:
        found = text.rfind(sign, at + limit // 2, at + limit)
        if found >= 0:
            return found + len(sign)
    return at + limit
