"""Every setting: name, default, range, meaning. The README's table is tested against this one."""

import locale
import re
from collections.abc import Callable
from dataclasses import dataclass

from deepseedian.core import topic
from deepseedian.errors import BadSetting, BadTopic

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Setting:
    """`check` returns the value in its own type or raises ValueError with the range."""

    name: str
    default: Value
    meaning: str
    check: Callable[[object], Value]
    vault: bool = True

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return "DEEPSEEDIAN_" + self.name.upper().replace(".", "_")


def one_of(*choices: str) -> Callable[[object], Value]:
    def check(value: object) -> Value:
        if value not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return str(value)
    return check


def whole(low: int, high: int) -> Callable[[object], Value]:
    def check(value: object) -> Value:
        text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if not text.isascii() or not text.isdigit() or len(text) > 12 or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(text)
    return check


def switch(value: object) -> Value:
    words = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}
    if str(value).casefold() not in words:
        raise ValueError("true or false")
    return words[str(value).casefold()]


def shown_folder(value: object) -> Value:
    """A folder inside the vault that Obsidian shows: names as good as topics', written with /."""
    text = value.removesuffix("/") if isinstance(value, str) else ""
    try:
        return topic.checked(text)
    except BadTopic as error:
        raise ValueError(f"a folder inside the vault ({error.message})") from None


def folder_or_none(value: object) -> Value:
    """As above; empty means the plugin folder."""
    return "" if value == "" else shown_folder(value)


def address(value: object) -> Value:
    """A server's address; a key would travel with it, so only loopback may go without https."""
    text = str(value).rstrip("/")
    local = re.fullmatch(r"http://(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?:/[!-~]*)?", text)
    if text and not local and not re.fullmatch(r"https://[A-Za-z0-9.-]+(?::\d{1,5})?(?:/[!-~]*)?", text):
        raise ValueError("an https:// address, or http:// on this machine")
    port = re.search(r":(\d+)(?:/|$)", text)
    if port and int(port[1]) > 65_535:
        raise ValueError("an address with a port up to 65535")
    return text


def anything(value: object) -> Value:
    if not isinstance(value, str) or len(value) > 200 or not value.isprintable():
        raise ValueError("one line of at most 200 characters")
    return value


def system_language() -> str:
    """`zh` on a Chinese system, else `en`."""
    import os

    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or (locale.getlocale()[0] or "")
    return "zh" if name.casefold().startswith(("zh", "chinese")) else "en"


SETTINGS: dict[str, Setting] = {setting.name: setting for setting in (
    Setting("language", "", "`en` or `zh`: the texts written for you; from the system when not set", one_of("en", "zh")),
    Setting("memory.folder", "", "where `memory/` lies inside the vault; empty = the plugin folder", folder_or_none),
    Setting("review.folder", "Deepseedian/Review", "where review notes are written, inside the vault", shown_folder),
    Setting("watch.reconcile_seconds", 180, "how often the content of all files is compared (0–3600); 0 = before each recall",
            whole(0, 3600)),
    Setting("recall.max_entries", 12, "entries in the index of a turn (1–20)", whole(1, 20)),
    Setting("capture", "explicit", "`explicit`: statements you ask to remember, agree on or prefer become proposals; `off`: none",
            one_of("explicit", "off")),
    Setting("idle.enabled", True, "propose consolidations when you have been quiet", switch),
    Setting("idle.minutes", 12, "how long quiet is (1–240)", whole(1, 240)),
    Setting("idle.daily_runs", 2, "model runs a day (0–100), reserved before the call", whole(0, 100)),
    Setting("idle.daily_chars", 80_000, "input characters for the model a day (0–10000000)", whole(0, 10_000_000)),
    Setting("model.endpoint", "", "an OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`; empty = no model", address,
            vault=False),
    Setting("model.name", "", "the model to ask there", anything, vault=False),
    Setting("model.timeout_seconds", 120, "how long an answer may take (1–600)", whole(1, 600), vault=False),
    Setting("recall.include_pinned", True, "pinned entries are offered without a match", switch),
)}


def setting(name: str) -> Setting:
    """Raises BadSetting for an unknown name."""
    if name not in SETTINGS:
        raise BadSetting(f"there is no setting {name!r}", "deepseedian config list shows them all")
    return SETTINGS[name]


def checked(name: str, value: object) -> Value:
    """Raises BadSetting that names the range."""
    try:
        return setting(name).check(value)
    except ValueError as error:
        raise BadSetting(f"{name} takes {error}, not {value!r}", "deepseedian config list shows the ranges") from None
