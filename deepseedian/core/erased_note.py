"""A review note after an erasure: whole proposals and whole quotations are gone, every other byte stands.

A replacement by text once tore the owner's boxes, the front matter and other proposals, whose ticks then saved
the torn text. So a note is read line by line: a proposal that is erased loses its section, and elsewhere
only a quotation that says one of the texts, all of it and nothing else, goes.
"""

import re
from collections.abc import Callable, Sequence, Set

from deepseedian.core import comment
from deepseedian.core.review_note import WORDS, parse, visible
from deepseedian.errors import BadInput

_START = re.compile(r"<!-- deepseedian-proposal (\{.*\}) -->\s*")
_END = re.compile(r"<!-- /deepseedian-proposal -->\s*")
_BOX = re.compile(r"- \[[ xX]\] (?:Approve|Dismiss|批准|忽略)\s*")
_HEADING = re.compile(r"## \d+\. ")
_WHY = tuple(f"**{words['why']}** " for words in WORDS.values())
_TITLES = tuple(f"**{words[key]}**" for words in WORDS.values() for key in ("now", "beside", "change", "from", "hidden"))
_CHANGES = tuple(f"**{words['change']}**" for words in WORDS.values())  # what goes from or into an erased text
_OUTCOME = re.compile(r"(\*\*[^*:]{2,20}\*\* [0-9 -]{10,14}:\d\d: )(.*)")


def is_ours(text: str) -> bool:
    """A review note, also one that has lost its front matter."""
    return parse(text) is not None or any(_START.fullmatch(line) for line in text.splitlines())


def erased(text: str, proposals: Sequence[str], partly: Sequence[str], texts: Sequence[str], word: str,
           telling: Callable[[str], bool], summaries: Set[str]) -> str:
    """The note without these proposals' texts, and without every quotation of one of the texts.

    A short text is taken out only where it is quoted for one of the proposals.
    """
    wanted = {_words(item.splitlines()) for item in texts}
    long = {_words(item.splitlines()) for item in texts if telling(item)}
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    found: list[str] = []
    for part in _parts(lines):
        ids = {_id(line) for line in part}
        if ids & {*proposals}:
            found += _quotations(_section(part, word), None, word)
        else:
            found += _quotations(part, wanted if ids & {*partly} else long, word)
    return "".join(_outcome(line, summaries, word) for line in found)


def _parts(lines: Sequence[str]) -> list[list[str]]:
    """The note cut before each proposal's heading; where it is gone, before the marker. A marker ends what came before it,
    closed or not: else a damaged proposal would take the next one with it."""
    cuts, last = [0], 0
    for at, line in enumerate(lines):
        if _START.fullmatch(line):
            heading = next((back for back in range(at, last, -1) if _HEADING.match(lines[back])), at)
            cuts.append(heading)
            last = at
    return [[*lines[start:end]] for start, end in zip(cuts, [*cuts[1:], len(lines)], strict=True)]


def _id(line: str) -> str:
    start = _START.fullmatch(line)
    if start is None:
        return ""
    try:
        meta = comment.loads(start[1])
    except BadInput:
        return ""
    return str(meta.get("id", "")) if isinstance(meta, dict) else ""


def _section(part: list[str], word: str) -> list[str]:
    """A proposal's part with one word where its markers, text and boxes stood, so that the others can still be decided."""
    start = next(at for at, line in enumerate(part) if _START.fullmatch(line))
    end = next((at + 1 for at in range(start, len(part)) if _END.fullmatch(part[at])), None)
    if end is None:
        end = next((at for at in range(start, len(part)) if _BOX.fullmatch(part[at]) or _OUTCOME.match(part[at])), len(part))
    while end < len(part) and _BOX.fullmatch(part[end]):
        end += 1
    head = [_why(line, word) for line in part[:start]]
    return [*head, word + _newline(part[start]), *part[end:]]


def _why(line: str, word: str) -> str:
    title = next((title for title in _WHY if line.startswith(title)), None)
    return title + word + _newline(line) if title else line


def _quotations(lines: Sequence[str], wanted: Set[tuple[str, ...]] | None, word: str) -> list[str]:
    """Each whole quotation that says one of these texts replaced; with None those below a title of ours."""
    found: list[str] = []
    at, torn = 0, False
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].startswith(">"):
            end += 1
        if end == at:
            found.append(lines[at])
            at += 1
            continue
        said = _words([re.sub(r"^>[ \t]?", "", line) for line in lines[at:end]])
        above = next((line.strip() for line in reversed(lines[:at]) if line.strip()), "")
        gone = above in _TITLES if wanted is None else said in wanted or (above in _CHANGES and torn)
        torn = torn or gone
        found += [f"> {word}{_newline(lines[end - 1])}"] if gone else lines[at:end]
        at = end
    return found


def _words(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(visible(" ".join(lines)).split())


def _outcome(line: str, summaries: Set[str], word: str) -> str:
    """`**Taken back** 2026-11-30 10:00: the text, cut` says it as well."""
    found = _OUTCOME.fullmatch(line.rstrip("\r\n"))
    return found[1] + word + _newline(line) if found and found[2] in summaries else line


def _newline(line: str) -> str:
    return line[len(line.rstrip("\r\n")):]
