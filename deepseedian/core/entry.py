"""An entry of memory: one remembered statement with its hidden metadata.

Metadata keys this version does not know are carried along untouched; the properties below read only
the ones it does. Times are ISO 8601 UTC with milliseconds and `Z`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

TEXT_LIMIT = 2000
SOURCE_LIMIT = 200
KINDS = ("preference", "goal", "decision", "fact", "question", "finding", "workflow")
TRUSTS = ("user_stated", "system_derived", "external")
DEFAULT_TOPIC = "general"
IMPORTED = {"en": "imported: ", "zh": "导入："}  # how the source of what was imported begins

Meta = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Entry:
    """`path` is the file the entry lives in, relative to `memory/`, with `/`."""

    id: str
    text: str
    path: str
    meta: Meta

    @property
    def topic(self) -> str:
        return self.path.partition("/")[2].removesuffix(".md")

    @property
    def archived(self) -> bool:
        return self.path.startswith("archive/")

    @property
    def created_at(self) -> str:
        return str(self.meta.get("createdAt", ""))

    @property
    def source(self) -> str:
        return str(self.meta.get("source", ""))

    @property
    def pinned(self) -> bool:
        return self.meta.get("pinned") is True

    @property
    def source_keys(self) -> tuple[str, ...]:
        keys = self.meta.get("sourceKeys")
        return tuple(key for key in keys if isinstance(key, str)) if isinstance(keys, list) else ()

    def document(self) -> dict[str, object]:
        """The entry as it goes over the wire."""
        known = {"id": self.id, "topic": self.topic, "text": self.text}
        return known | {"createdAt": self.created_at, "source": self.source} | {
            key: value for key, value in self.meta.items() if key not in ("id", "createdAt", "source")
        }


def stamp(seconds: float) -> str:
    """Unix seconds as ISO 8601 UTC with exactly three decimals and `Z`."""
    whole, rest = divmod(int(seconds * 1000), 1000)
    return f"{datetime.fromtimestamp(whole, UTC):%Y-%m-%dT%H:%M:%S}.{rest:03d}Z"


def moment(time: str) -> int:
    """A stamp as Unix milliseconds; 0 for a text that is no time, or one before 1970."""
    try:
        found = datetime.fromisoformat(time)
        return max(0, int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000))
    except (ValueError, OverflowError):
        return 0


def after(time: str) -> str:
    """The stamp a millisecond later; a text that is no stamp stays as it is."""
    try:
        later = datetime.fromisoformat(time) + timedelta(milliseconds=1)
    except (ValueError, OverflowError):
        return time
    return f"{later:%Y-%m-%dT%H:%M:%S}.{later.microsecond // 1000:03d}Z"


def derived(*parts: str) -> str:
    """An id that two devices make alike from the same parts: a UUID of version 8 (RFC 9562), its bits SHA-256's."""
    text = sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()
    return f"{text[:8]}-{text[8:12]}-8{text[13:16]}-a{text[17:20]}-{text[20:32]}"


def imported_from(source: str) -> str:
    """The file that an entry's source says it was imported from; empty for any other."""
    return next((source.removeprefix(label) for label in IMPORTED.values() if source.startswith(label)), "")
