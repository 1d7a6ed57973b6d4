"""Finding words in conversations' files: looked at as they are first, since reading all their JSON takes ten times as long."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from deepseedian.core.text import summary
from deepseedian.errors import BadInput, TooLarge
from deepseedian.store import session_files

EXCERPT_CHARS = 120
_BEFORE = 30


def mentioning(paths: Sequence[Path], wanted: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """Files that may hold all of these folded words, and what they hold."""
    forms = [_form(word) for word in wanted]
    for path in paths:
        try:
            text = (session_files.read(path) or b"").decode(errors="replace")
        except (TooLarge, BadInput):
            continue
        folded = text.casefold()
        if all(form in folded for form in forms) or "\\u" in text:
            yield path, text


def unsaid(session: str, text: str, wanted: Sequence[str]) -> list[str]:
    """The words that no message of the session holds."""
    lines = [(line, line.casefold()) for line in text.split("\n")]
    return [word for word in wanted if not any(_says(session, line, word) for line, low in lines if _form(word) in low or "\\u" in line)]


def excerpt(texts: Sequence[str], wanted: Sequence[str]) -> str:
    """The first line that holds one of the words, from a little before it."""
    for line in (line for text in texts for line in text.splitlines()):
        found = [place for word in wanted if (place := line.casefold().find(word)) >= 0]
        if found:
            return summary(line[max(0, min(found) - _BEFORE):], EXCERPT_CHARS)
    return ""


def _form(word: str) -> str:
    """A folded word as it stands in a folded line."""
    return json.dumps(word, ensure_ascii=False)[1:-1].casefold()


def _says(session: str, line: str, word: str) -> bool:
    try:
        body = json.loads(line)
        return body["session"].casefold() == session.casefold() and any(word in one["text"].casefold() for one in body["messages"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
