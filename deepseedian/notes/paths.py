"""The rules for a path that is asked for, and names as they are compared.

A path is relative to the vault, with `/`; whatever some system reads as something else is refused for all of them:
drive letters and streams (`:`), a backslash, hidden and upward steps.
"""

import json
import posixpath
import unicodedata
from collections.abc import Sequence

from deepseedian.core.script import folded
from deepseedian.errors import BadInput

NOTE = ".md"
RAW = (".base", ".canvas")
PATH_LIMIT = 1000
JSON_LIMIT = 24_000


def checked(path: str, extensions: Sequence[str] = (NOTE, *RAW)) -> str:
    """The path when it keeps to the rules. Raises BadInput."""
    if fault := _fault(path):
        raise BadInput(f"the path {fault}", "paths are relative to the vault, such as Projects/Plan.md")
    if not path.casefold().endswith(tuple(extensions)):
        raise BadInput(f"{path} does not end in {', '.join(extensions)}", "only these files are read")
    return path


def checked_folder(path: str) -> str:
    """A folder's path without a last `/`; empty is the whole vault. Raises BadInput."""
    bare = path.removesuffix("/")
    if bare and (fault := _fault(bare)):
        raise BadInput(f"the folder {fault}", "folders are relative to the vault, such as Projects/2026")
    return bare


def _fault(path: str) -> str:
    """What is wrong with it; empty when nothing is."""
    if not path or len(path) > PATH_LIMIT:
        return f"is empty or longer than {PATH_LIMIT} characters"
    if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in path):
        return "holds control characters"
    if "\\" in path or ":" in path:
        return "holds a backslash or a colon"
    if path.startswith("/"):
        return "is absolute"
    if any(not part or part.startswith(".") for part in path.split("/")):
        return "has an empty or hidden component"
    return ""


def askable(path: str) -> bool:
    """Whether a file with this path can be asked for."""
    return not _fault(path)


def key(text: str) -> str:
    """A name as it is compared: one Unicode form, no case."""
    return unicodedata.normalize("NFC", whole(text)).casefold()


def plain(text: str) -> str:
    """A text as parts of it are looked for: besides, one Chinese script."""
    return folded(unicodedata.normalize("NFKC", whole(text))).casefold()


def whole(text: str) -> str:
    """The text without halves of characters, which no file and no database takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def title(path: str) -> str:
    """A note's name without its extension; other files keep theirs."""
    name = posixpath.basename(path)
    return name[:-len(NOTE)] if name.casefold().endswith(NOTE) else name


def is_note(path: str) -> bool:
    return path.casefold().endswith(NOTE)


def size(document: object) -> int:
    """The characters of a document as JSON."""
    return len(json.dumps(document, ensure_ascii=False))
