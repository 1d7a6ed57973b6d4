"""Whose conversation an MCP request belongs to."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

NAMED = "deepseedian-session"  # what the owner chose: `deepseedian mcp --session NAME`
SESSION = "mcp-session-id"
CODEX = "x-codex-turn-metadata"
PLAIN = ("session_id", "sessionId", "deepseedian/session")
NAME_LIMIT = 200


def session_of(headers: Mapping[str, str], meta: Any) -> str:
    """The name the owner gave, else what the host says about this request, else the protocol's own session; may be empty."""
    named = unquote(headers.get(NAMED, ""))
    return _fit(named) or _told(meta) or _fit(headers.get(SESSION, ""))


def _told(meta: Any) -> str:
    if not isinstance(meta, Mapping):
        return ""
    places = [meta, _opened(meta.get(CODEX))]
    found = (_fit(place.get(name)) for place in places for name in PLAIN)
    return next((name for name in found if name), "")


def _opened(value: Any) -> Mapping[str, Any]:
    """Metadata comes as an object, or as the text of one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, Mapping) else {}


def _fit(value: Any) -> str:
    """A session's name is one line; anything else is no name, and not worth refusing a call for."""
    return value if isinstance(value, str) and len(value) <= NAME_LIMIT and value.isprintable() else ""
