"""Every setting: name, default, range, meaning. The README's table is tested against this one."""

import locale
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from deepseedian.core import topic
from deepseedian.core.entry import TRUSTS
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
        return _variable(self.name)


@lru_cache(maxsize=256)
def _variable(name: str) -> str:
    return "DEEPSEEDIAN_" + name.upper().replace(".", "_")


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


def share(low: float, high: float) -> Callable[[object], Value]:
    """A number with a fraction, such as 0.55."""
    def check(value: object) -> Value:
        text = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
        number = float(text) if re.fullmatch(r"\d{1,6}(?:\.\d{1,12})?", text, re.ASCII) else -1.0
        if not low <= number <= high:
            raise ValueError(f"a number from {low:g} to {high:g}")
        return number
    return check


def some_of(*choices: str) -> Callable[[object], Value]:
    """A list in one line, or a list in the file; in force as one line with commas."""
    def check(value: object) -> Value:
        words = [str(word).strip() for word in (value if isinstance(value, list) else str(value).split(","))]
        if not set(words) <= set(choices) or len(set(words)) < len(words):
            raise ValueError(f"one or more of {', '.join(choices)}, with commas")
        return ", ".join(words)
    return check


def zero_or(low: int, high: int) -> Callable[[object], Value]:
    """A whole number in a range, or 0 to switch off."""
    def check(value: object) -> Value:
        try:
            return whole(0, 0)(value)
        except ValueError:
            pass
        try:
            return whole(low, high)(value)
        except ValueError:
            raise ValueError(f"0, or a whole number from {low} to {high}") from None
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


def places(value: object) -> Value:
    """Paths in the vault with commas between them; empty means none."""
    if not isinstance(value, str) or len(value) > 4000 or not value.isprintable():
        raise ValueError("paths inside the vault with commas between them, at most 4000 characters")
    return ", ".join(part.strip() for part in value.split(",") if part.strip())


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
    Setting("review.done_days", 1, "days after which a review note with nothing left to decide moves to `Done` (0–365); 0 = it stays",
            whole(0, 365)),
    Setting("watch.reconcile_seconds", 180, "how often the content of all files is compared (0–3600); 0 = before each recall",
            whole(0, 3600)),
    Setting("enabled", True, "off: health and your own commands only; no tools, injection, observing or capture", switch),
    Setting("delivery", "context", "`notice` also shows you a line that names the memories put before a turn; `context` does not",
            one_of("context", "notice")),
    Setting("auto_recall", True, "put memory before turns by itself; off = only who asks for it gets it", switch),
    Setting("shadow", False, "recall and keep the receipt, offer nothing", switch),
    Setting("recall.max_entries", 12, "entries in the index of a turn (1–20); text to inject holds at most 8 unless this is set",
            whole(1, 20)),
    Setting("recall.fill", False, "always offer that many, the best of what matches little", switch),
    Setting("recall.budget_tokens", 1200, "estimated tokens an index may take (100–4000)", whole(100, 4000)),
    Setting("recall.include_pinned", True, "pinned entries are offered without a match", switch),
    Setting("recall.intent_gate", True, "a question must ask about what memory can know, or match with confidence", switch),
    Setting("recall.confident_relevance", 0.9, "from this relevance (0–1) on a match needs no such words", share(0, 1)),
    Setting("recall.min_coverage", 0.2, "the part of a question an entry must cover (0–1)", share(0, 1)),
    Setting("recall.min_score", 0.1, "the least score of a match below recall.confident_relevance (0–100)", share(0, 100)),
    Setting("recall.min_relevance", 0.12, "the least relevance of a match (0–1)", share(0, 1)),
    Setting("recall.min_chars", 4, "shorter messages are offered nothing (0–100); a Chinese character counts as two letters",
            whole(0, 100)),
    Setting("recall.query_chars", 400, "longer questions are ranked by head and tail (40–4000)", whole(40, 4000)),
    Setting("recall.trusts", "user_stated, system_derived", "whose entries are offered; search finds all", some_of(*TRUSTS)),
    Setting("inject.max_chars", 1400, "characters of text to inject (100–20000)", whole(100, 20_000)),
    Setting("inject.full_entries", 2, "how many entries it holds in full (0–20); the others as topic and summary", whole(0, 20)),
    Setting("inject.repeat", "session", "an entry is not injected again in its `session`, in the next `turn`, or that rule is `off`",
            one_of("session", "turn", "off")),
    Setting("feedback_ranking", True, "`useful` and `wrong` reorder what passed the gates", switch),
    Setting("outcome_feedback", True, "a correction right after an injection lowers what it corrects, by at most 24 %", switch),
    Setting("decay.days", 180, "half-life of what nobody stated or pinned (0–3650); 0 = off; order only", whole(0, 3650)),
    Setting("decay.floor", 0.6, "decay ends there (0–1)", share(0, 1)),
    Setting("smart", True, "one switch for semantic recall and judge; what is set for each of them goes first", switch),
    Setting("semantic", "auto", "`auto` finds a server on this machine or the packaged model, `local` only the configured one, `off`",
            one_of("auto", "local", "off")),
    Setting("semantic.endpoint", "http://127.0.0.1:8080/v1/embeddings", "the embedding server asked first", address, vault=False),
    Setting("semantic.model", "qwen3-embedding-0.6b", "the embedding model to ask for", anything, vault=False),
    Setting("semantic.min_similarity", 0.55, "likeness below it does not count (0–1); calibrated for each model", share(0, 1)),
    Setting("semantic.timeout_ms", 800, "how long a question may wait for its vector (50–10000)", whole(50, 10_000)),
    Setting("semantic.refresh_minutes", 5, "how often servers are looked for (0–1440); 0 = only at start", whole(0, 1440)),
    Setting("judge", "llm", "`llm`: with a model, one small call keeps only what answers the question; `off`", one_of("llm", "off")),
    Setting("judge.model", "", "the model that judges; empty = the one of `model.name`", anything, vault=False),
    Setting("judge.provider", "", "the profile of the judge; empty = the one of the turn's model", anything, vault=False),
    Setting("judge.timeout_ms", 6000, "the judge's hard limit (500–15000)", whole(500, 15_000)),
    Setting("judge.deadline_ms", 400, "how long a recall waits for it (0–15000); 0 = until the hard limit", whole(0, 15_000)),
    Setting("judge.min_chars", 6, "shorter questions are not judged (0–400); 0 = all are", whole(0, 400)),
    Setting("judge.cache_minutes", 10, "how long a verdict holds for the same question and entries (0–1440); 0 = never",
            whole(0, 1440)),
    Setting("manage", True, "what you ask for outright in a conversation may change memory at once", switch, vault=False),
    Setting("sessions.in_vault", False, "keep conversations in the plugin folder, where they travel with the vault; switching moves them",
            switch, vault=False),
    Setting("capture", "assist", "what becomes a proposal: `explicit` what you ask to remember, `implicit` also agreements, "
            "preferences and corrections, `assist` also lasting facts by weaker cues, `off` nothing",
            one_of("off", "explicit", "implicit", "assist")),
    Setting("capture.max_per_turn", 2, "at most so many proposals from a turn (1–5)", whole(1, 5)),
    Setting("capture.max_chars", 240, "longer sentences are not taken (40–1000)", whole(40, 1000)),
    Setting("capture.assistant", False, "also one conclusion of the assistant a turn, marked as derived", switch),
    Setting("idle.enabled", True, "propose consolidations when you have been quiet", switch),
    Setting("idle.minutes", 12, "how long quiet is (1–240)", whole(1, 240)),
    Setting("idle.daily_runs", 2, "model runs a day (0–100), reserved before the call", whole(0, 100)),
    Setting("idle.daily_chars", 80_000, "input characters for the model a day (0–10000000)", whole(0, 10_000_000)),
    Setting("sweep", "off", "look over the whole memory for duplicates and contradictions: `daily`, `weekly`, `off`",
            one_of("off", "daily", "weekly")),
    Setting("report", "off", "`weekly` writes a note each week on what memory did; `off`", one_of("off", "weekly")),
    Setting("complete", False, "inline completion in notes: the text around the cursor goes to the model when you ask for it", switch,
            vault=False),
    Setting("complete.memory", False, "with up to four remembered lines that bear on it", switch, vault=False),
    Setting("complete.chat", False, "the same in the input of the chat", switch, vault=False),
    Setting("complete.pause_ms", 0, "ask by itself when typing pauses for so long (300–10000); 0 = only by command", zero_or(300, 10_000),
            vault=False),
    Setting("complete.excluded", "", "notes and folders where none is asked for: vault paths with commas between them", places),
    Setting("write_judge", False, "ask the model whether a statement is explicit, durable and single before `auto_approve` acts", switch,
            vault=False),
    Setting("auto_approve", False, "save what you asked to remember without your tick, if `write_judge` is on and agrees", switch,
            vault=False),
    Setting("remind.hours", 6, "what waits for you is mentioned at most once in that time (1–168); 0 = never", zero_or(1, 168)),
    Setting("model.endpoint", "", "an OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`; empty = DeepSeek's when a key is set",
            address, vault=False),
    Setting("model.name", "", "the model to ask there", anything, vault=False),
    Setting("model.profile", "", "a profile of config.toml in place of `model.endpoint` and `model.name`", anything, vault=False),
    Setting("model.idle_seconds", 60, "how long an answer may be silent (1–600)", whole(1, 600), vault=False),
    Setting("runtime", "native", "`native`: turns run here; `dsh`: in DeepSeek Harness, with memory as its tools",
            one_of("native", "dsh"), vault=False),
    Setting("dsh.home", "", "the home folder of a DSH whose saved providers and keys are used there; empty = none", anything, vault=False),
    Setting("dsh.provider", "", "which of them, such as `deepseek-official`; empty = the model configured here", anything, vault=False),
    Setting("dsh.model", "", "the model to ask of that provider; empty = the one of `model.name`", anything, vault=False),
    Setting("model.timeout_seconds", 120, "how long an answer may take (1–600)", whole(1, 600), vault=False),
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
