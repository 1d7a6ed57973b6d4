"""Topic names: what may become a file name on every system that a vault is synced to.

Two names that some file system or sync tool treats as one (case, Unicode form) are one topic.
"""

import re
import unicodedata
from functools import lru_cache

from deepseedian.errors import BadTopic

SYNC_CONFLICT = re.compile(r"\.sync-conflict-\d{8}-\d{6}")
PART_BYTES = 160
PARTS = 4
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\u200b-\u200f\u202a-\u202e\u2066-\u2069#^\[\]]')
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")


def checked(name: str) -> str:
    """The name in NFC form; BadTopic names the rule that a bad one breaks."""
    name = unicodedata.normalize("NFC", name)
    parts = name.split("/")
    if len(parts) > PARTS:
        raise BadTopic(f"a topic may be {PARTS} folders deep at most", "use fewer slashes")
    for part in parts:
        _check_part(part)
    return name


def _check_part(part: str) -> None:
    if not part or part != part.strip():
        raise BadTopic("a topic name may not be empty or begin or end with a space", "for example: work")
    if part.startswith((".", "~")) or part.endswith((".", "~")):
        raise BadTopic(f"a topic name may not begin or end with a dot or tilde: {part!r}", "for example: work")
    if _FORBIDDEN.search(part):
        raise BadTopic(f"a topic name may not hold characters that some system forbids: {part!r}",
                       "letters, digits, spaces, - and _ are safe")
    if SYNC_CONFLICT.search(part):
        raise BadTopic(f"sync tools give conflict copies such names: {part!r}", "choose another name")
    if _RESERVED.fullmatch(part):
        raise BadTopic(f"Windows reserves the name {part!r}", "choose another name")
    if not _encodable(part):
        raise BadTopic("a topic name must be valid Unicode", "for example: work")
    if len(part.encode()) > PART_BYTES:
        raise BadTopic(f"a topic name may take {PART_BYTES} bytes at most", "shorten it")


def _encodable(part: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in part)


def safe_path(path: str) -> bool:
    """Whether a path from a synced file stays below its folder: relative, plain parts, no way up."""
    parts = path.split("/")
    return len(path) < 1000 and _encodable(path) and not any(
        part in ("", ".", "..") or "\\" in part or "\0" in part or ":" in part for part in parts)


@lru_cache(maxsize=4096)  # every commit asks for all topics
def identity(name: str) -> str:
    """What two names share when some system takes them for the same file."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def from_path(path: str) -> str:
    """`topics/work.md` → `work`."""
    return path.partition("/")[2].removesuffix(".md")


def to_path(name: str, folder: str = "topics") -> str:
    """`work` → `topics/work.md`."""
    return f"{folder}/{name}.md"
