"""Text that looks like a credential. Memory is plain text that is synced and sent to models, so such
text is refused unless the owner insists. A sentence about where a secret is kept is no secret."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

_KEYS = (
    r"\b(?:sk|pk|rk)[-_](?=[-_A-Za-z]{0,40}\d)[-_A-Za-z0-9]{8,}"
    r"|\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}"
    r"|\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}"
    r"|\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{20,}"
    r"|\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}"
    r"|\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{20,}|\bpypi-[A-Za-z0-9_-]{16,}|\bdop_v1_[a-f0-9]{32,}"
    r"|\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|\bsq0(?:atp|csp)-[A-Za-z0-9_-]{20,}|\bshp(?:at|ss|ca)_[a-f0-9]{20,}"
    r"|\bLTAI[A-Za-z0-9]{12,}|\bAKID[A-Za-z0-9]{16,}"
    r"|\bkey-[a-f0-9]{32}\b|\b\d{8,10}:AA[A-Za-z0-9_-]{30,}"
    r"|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?"
    r"|-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY"
    r"|\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:[^\s/@]{3,128}@"
    r"|\b(?:Bearer|Basic) [A-Za-z0-9+/=._-]{20,}")

_NAMED = (
    r"(?i)(?<![A-Za-z])(?:pass(?:word|wd|phrase|code)?|pwd|secret(?:[ _-]?key)?|api[ _-]?key|"
    r"access[ _-]?(?:key|token)|auth[ _-]?token|token|"
    r"private[ _-]?key|credential|密码|口令|密钥|秘钥|令牌|密碼|金鑰|權杖)"
    r"\s{0,3}(?:is|are|was|=|:|：|是|为|為)\s{0,3}[\"'“「`]?(?P<value>[!-~]{6,128})")

_HARMLESS = (r"[A-Za-z][a-z]*(?:[-'][a-z]+)*[.,;:!?]*|https?://[^@]*")


@lru_cache(maxsize=4)
def _pattern(source: str) -> re.Pattern[str]:
    """Compiled at first use: reading memory never needs them."""
    return re.compile(source)


def find(text: str) -> str:
    """What in the text looks like a secret, shortened so that it can be shown; empty when nothing does."""
    match = _pattern(_KEYS).search(text)
    if match:
        return shown(match[0])
    for match in _pattern(_NAMED).finditer(text):
        if not _pattern(_HARMLESS).fullmatch(match["value"]):
            return shown(match["value"])
    return ""


def masked(text: str, named: bool = False) -> str:
    """The text with keys shortened; with `named` also what is called a password or token, which in code may be no secret."""
    text = _pattern(_KEYS).sub(lambda match: shown(match[0]), text)
    if not named:
        return text

    def short(match: re.Match[str]) -> str:
        value = match["value"]
        return match[0] if _pattern(_HARMLESS).fullmatch(value) else match[0].removesuffix(value) + shown(value)
    return _pattern(_NAMED).sub(short, text)


def masked_in(value: object, named: bool = False) -> Any:
    """The same for every text in a document."""
    if isinstance(value, str):
        return masked(value, named)
    if isinstance(value, Mapping):
        return {key: masked_in(one, named) for key, one in value.items()}
    return [masked_in(one, named) for one in value] if isinstance(value, list | tuple) else value


def shown(secret: str) -> str:
    """The first characters of a secret, enough to find it, too few to use it."""
    return secret[: min(4, len(secret) // 3)] + "…"
