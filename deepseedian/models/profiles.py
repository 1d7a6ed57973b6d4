"""Profiles: which model is asked where, with which key, from the user's own config.toml and never from a vault.

    [profiles.work]
    endpoint = "https://models.example/v1"
    model = "large-1"
    key = "work"                # the name of a key; the profile's own when left out
    images = false
    context_tokens = 32768
    input_price = 0.5           # per million tokens, in your currency
    output_price = 2.0
    cached_price = 0.1

Without one the settings `model.endpoint` and `model.name` count; with a key and nothing else it is DeepSeek's own address.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from deepseedian.config.layers import Config
from deepseedian.config.settings import address, anything
from deepseedian.errors import BadInput, BadSetting
from deepseedian.models import credentials, keyrings

if TYPE_CHECKING:  # a recall that only wants to know whether there is a model pays for none of these
    from deepseedian.models.chat import OpenAIChat
    from deepseedian.models.connection import Server
    from deepseedian.models.pieces import Streaming

DEFAULT_ENDPOINT = "https://api.deepseek.com"
DEFAULT_MODEL = "deepseek-flash"
CONTEXT_TOKENS = 32_768
DEEPSEEK_CONTEXT_TOKENS = 131_072
NAMING = ("model.profile", "judge.provider")  # settings that name a profile
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_TEXTS: dict[str, Callable[[object], object]] = {"endpoint": address, "model": anything, "key": anything}
_PRICES = ("input_price", "output_price", "cached_price")
KEYS = (*_TEXTS, "images", "context_tokens", *_PRICES)


@dataclass(frozen=True, slots=True)
class Profile:
    """`name` is empty for the one that the settings make; `key` names a key; prices are per million tokens."""

    name: str
    endpoint: str
    model: str
    key: str = credentials.MODEL
    images: bool = False
    context_tokens: int = CONTEXT_TOKENS
    input_price: float | None = None
    output_price: float | None = None
    cached_price: float | None = None

    @property
    def server(self) -> "Server":
        from deepseedian.models.connection import Server

        setting = f"profiles.{self.name}.endpoint" if self.name else "model.endpoint"
        hint = f"check {credentials.variable(self.key)}, or deepseedian key set {credentials.plain(self.key)}"
        return Server(self.endpoint, setting=setting, key_hint=hint)

    def secret(self) -> str:
        return credentials.held(self.key).key

    def cost(self, input: int, cached: int, output: int) -> float | None:
        """What so many tokens cost, `cached` being a part of `input`; None without prices."""
        if self.input_price is None or self.output_price is None:
            return None
        again = self.input_price if self.cached_price is None else self.cached_price
        return ((input - cached) * self.input_price + cached * again + output * self.output_price) / 1_000_000


def chosen(config: Config, name: str = "", *, wait: float = keyrings.WAIT_SECONDS) -> Profile | None:
    """The profile of that name, else of the setting `model.profile`, else what the settings say; None: no model is configured.

    Raises BadSetting that names file and key. `wait` is how long the keyring may take, as for a key.
    """
    name = name or config.text("model.profile")
    if name:
        if name not in config.profiles():
            raise BadSetting(f"there is no profile {name!r} in {config.user_file}", "deepseedian model profiles shows them all")
        return profile(config, name)
    return plain(config, wait=wait)


def plain(config: Config, *, wait: float = keyrings.WAIT_SECONDS) -> Profile | None:
    """What the settings say without a profile."""
    endpoint, model = config.text("model.endpoint"), config.text("model.name")
    if endpoint:
        return Profile("", endpoint, model) if model else None
    if not credentials.held(credentials.MODEL, wait).key:
        return None
    return Profile("", DEFAULT_ENDPOINT, model or DEFAULT_MODEL, context_tokens=DEEPSEEK_CONTEXT_TOKENS)


def judging(config: Config, *, wait: float = keyrings.WAIT_SECONDS) -> Profile | None:
    """The one the judge uses: `judge.provider`, else the turn's, with `judge.model` in place of its model. Raises BadSetting."""
    found = chosen(config, config.text("judge.provider"), wait=wait)
    model = config.text("judge.model")
    return replace(found, model=model) if found is not None and model else found


def profile(config: Config, name: str) -> Profile:
    """One profile of config.toml, checked. Raises BadSetting that names file and key."""
    table = config.profiles().get(name)
    if not isinstance(table, Mapping) or not _NAME.fullmatch(name):
        raise _bad(config, name, "is a table with a name of up to 40 letters, digits, - and _")
    for key in table:
        if key not in KEYS:
            raise _bad(config, f"{name}.{key}", f"is no key of a profile; there are {', '.join(KEYS)}")
    values = {key: _value(config, f"{name}.{key}", key, value) for key, value in table.items()}
    for key in ("endpoint", "model"):
        if not values.get(key):
            raise _bad(config, f"{name}.{key}", "is missing")
    values["key"] = _key(config, name, str(values.get("key") or name))
    return Profile(name, **values)  # type: ignore[arg-type]


def keys(config: Config) -> list[str]:
    """The names of the keys that profiles use, sound or not."""
    return [str(table.get("key") or name) for name, table in config.profiles().items() if isinstance(table, Mapping)]


def faults(config: Config) -> list[str]:
    """What is wrong with the profiles, and with the settings that name one."""
    found = []
    for name in config.profiles():
        try:
            profile(config, name)
        except BadSetting as error:
            found.append(error.message)
    return found + [fault for setting in NAMING if (fault := unknown(config, setting))]


def unknown(config: Config, setting: str) -> str:
    """What is wrong with the profile that a setting names: that there is none; empty when it is there."""
    name, known = config.text(setting), sorted(map(str, config.profiles()))
    if not name or name in known:
        return ""
    others = f"known: {', '.join(known)}" if known else "it holds none yet"
    return f"{setting}: there is no profile {name!r} in {config.user_file}; {others}"


def _value(config: Config, place: str, key: str, value: object) -> object:
    try:
        if key in _TEXTS:
            return _TEXTS[key](value if isinstance(value, str) else None)
        if key == "images" and isinstance(value, bool):
            return value
        if key == "context_tokens" and type(value) is int and 1000 <= value <= 10_000_000:
            return value
        if key in _PRICES and type(value) in (int, float) and 0 <= value <= 1_000_000:  # type: ignore[operator]
            return float(value)  # type: ignore[arg-type]
    except ValueError as error:
        raise _bad(config, place, f"takes {error}") from None
    ranges = {"images": "true or false", "context_tokens": "a whole number from 1000 to 10000000"}
    raise _bad(config, place, f"takes {ranges.get(key, 'a price from 0 to 1000000')}")


def _key(config: Config, name: str, key: str) -> str:
    try:
        return credentials.plain(key)
    except BadInput as error:
        raise _bad(config, f"{name}.key", f"names no key: {error.hint}") from None


def _bad(config: Config, place: str, why: str) -> BadSetting:
    return BadSetting(f"{config.user_file}: profiles.{place} {why}", "deepseedian model profiles shows which are sound")


def opened(profile: Profile, config: Config, once: float = 0.0) -> "Streaming":
    """The port of a turn; with `once` of an answer that somebody waits for: asked but once, for so many seconds."""
    from deepseedian.models.streaming import RETRIES, OpenAIStreaming

    idle, seconds = (float(config.number(f"model.{name}_seconds")) for name in ("idle", "timeout"))
    return OpenAIStreaming(profile.server, profile.model, profile.secret, images=profile.images, cost=profile.cost,
                           idle=once or idle, seconds=once or seconds, retries=0 if once else RETRIES)


def asking(profile: Profile, seconds: float) -> "OpenAIChat":
    """The port of a single question."""
    from deepseedian.models.chat import OpenAIChat

    return OpenAIChat(profile.server, profile.model, seconds, profile.secret)
