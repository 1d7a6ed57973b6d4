"""Links as they are written, and which of several notes of one name is meant.

As in Obsidian: a link that names folders fits every note whose path ends so; of those the ones in or below the folder
of the note with the link come first, then the shortest path.
"""

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from deepseedian.notes import paths

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:|//")


@dataclass(frozen=True, slots=True)
class Link:
    """`target` is the path as written, empty for the note itself; `part` a heading, headings, or `^block` in it."""

    target: str
    part: str
    line: int = 0
    embed: bool = False

    @property
    def name(self) -> str:
        """What notes are looked up by."""
        return name_of(self.target)


def name_of(target: str) -> str:
    return paths.key(paths.title(target.rstrip("/")))


def wiki(text: str, line: int = 0, embed: bool = False) -> Link:
    """What stands between `[[` and `]]`, without the name it is shown by."""
    target, _, part = text.replace("\\|", "|").partition("|")[0].partition("#")
    return Link(target.strip(), part.strip(), line, embed)


def markdown(href: str, line: int = 0, embed: bool = False) -> Link | None:
    """The address of a Markdown link; None for one that leaves the vault."""
    if SCHEME.match(href):
        return None
    target, _, part = href.partition("#")
    return Link(unquote(target).strip(), unquote(part).strip(), line, embed)


def chosen(candidates: Iterable[str], target: str, source: str) -> str | None:
    """The path that a link in `source` leads to; None when it leads nowhere."""
    folder = posixpath.dirname(source)
    wanted = _wanted(target, folder)
    if wanted is None:
        return None
    exact = target.startswith(("/", "./", "../"))
    ends = () if exact else tuple(f"/{one}" for one in wanted)
    found = [path for path in candidates if (own := paths.key(path)) in wanted or own.endswith(ends)]
    near = paths.key(f"{folder}/") if folder else ""
    return min(found, key=lambda path: (not paths.key(path).startswith(near), len(path), path), default=None)


def _wanted(target: str, folder: str) -> tuple[str, str] | None:
    """The path with and without a note's extension; None when its steps lead out of the vault."""
    if target.startswith(("./", "../")):
        target = posixpath.normpath(posixpath.join(folder, target))
        if target.startswith(".."):
            return None
    bare = paths.key(posixpath.normpath(target.lstrip("/"))) if target.strip("/") else ""
    return (bare, f"{bare}{paths.NOTE}") if bare else None
