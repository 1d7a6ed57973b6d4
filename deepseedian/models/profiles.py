"""Interim: replaced by the room's own."""
from typing import Any


def chosen(config: Any, name: str = "") -> Any: return None
def opened(profile: Any, config: Any) -> Any: return None
