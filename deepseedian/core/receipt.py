"""What a receipt tells of a recall: short as it is kept, long as it is read.

It is made behind every recall, often while the next one waits for the interpreter. So what is kept are numbers that the
recall had at hand (how often each entry holds each term, and what a term is worth); the score of each term follows from
them by the formula of BM25 and is worked out by whoever reads.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deepseedian.core.recall import Recall, Scored

FORM = 2  # a document without "form" is long already
_BESIDES = "related", "context", "similar"


def kept(recall: "Recall") -> dict[str, object]:
    """The short form: "worth" names each term with its impact, and an entry's row has as many counts as there are terms."""
    scored = (*recall.offered, *recall.left_out)
    worth = next((item.explanation.worth for item in scored if item.explanation is not None), ())
    return {"form": FORM, "terms": recall.terms, "matched": recall.matched, "reason": recall.reason, "tokens": recall.tokens,
            "notes": recall.notes, "worth": worth, "offered": list(map(_row, recall.offered)),
            "leftOut": list(map(_row, recall.left_out))}


def _row(item: "Scored") -> tuple[object, ...]:
    counts, below, besides = item.explanation.numbers if item.explanation is not None else ((), 1.0, ())
    return (item.entry.id, item.entry.topic, item.score, item.reason, counts, below, besides, item.weights or None, item.relevance,
            item.coverage, item.cosine, item.about)


def document(kept: Mapping[str, Any]) -> dict[str, object]:
    """The long form of either one, as `GET /v1/receipts/{id}` has it. Raises LookupError, TypeError, ValueError or
    ZeroDivisionError for what nobody made."""
    if "form" not in kept:
        return dict(kept)
    worth = kept["worth"]
    told = {key: value for key, value in kept.items() if key not in ("form", "worth", "offered", "leftOut")}
    return told | {"terms": list(kept["terms"]), "offered": [_scored(row, worth) for row in kept["offered"]],
                   "leftOut": [_scored(row, worth) for row in kept["leftOut"]], "notes": list(kept["notes"])}


def _scored(row: Sequence[Any], worth: Sequence[Sequence[Any]]) -> dict[str, object]:
    key, topic, score, reason, counts, below, besides, weights, relevance, coverage, cosine, about = row
    terms = [{"term": term, "score": round(impact * count / (count + below), 4)}
             for (term, impact), count in zip(worth, counts, strict=bool(counts)) if count]
    found: dict[str, object] = {
        "id": key, "topic": topic, "score": round(score, 4), "reason": reason, "terms": [part["term"] for part in terms], "parts": terms,
        "besides": {name: round(value, 4) for name, value in zip(_BESIDES, besides, strict=bool(besides)) if value},
        "weights": dict(weights or {}), "relevance": round(relevance, 3), "coverage": round(coverage, 3)}
    if cosine is not None:
        found["cosine"] = round(cosine, 4)
    return found | ({"about": about} if about else {})
