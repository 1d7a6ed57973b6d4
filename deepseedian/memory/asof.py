"""A date or a time as its owner writes it, as the moment to answer for.

`2026-03-01` is the end of that day, `2026-03-01 14:30` that minute; without a zone both are the owner's local time.
"""

from datetime import UTC, date, datetime, time, timedelta

from deepseedian.errors import BadInput


def moment(words: str) -> str:
    """The ISO stamp in UTC. Raises BadInput."""
    text = words.strip()
    try:
        day = _day(text)
        found = datetime.combine(day, time()) + timedelta(days=1, milliseconds=-1) if day else datetime.fromisoformat(text)
        then = found.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        raise BadInput(f"{words[:40]!r} is no date", "for example 2026-03-01, or 2026-03-01 14:30") from None
    return f"{then.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def _day(text: str) -> date | None:
    """A day in any of its forms, 20260301 too; None for a time."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
