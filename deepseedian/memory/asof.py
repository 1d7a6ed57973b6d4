"""A date or a time as its owner writes it, as the moment to answer for.

`2026-03-01` is the end of that day, `2026-03-01 14:30` that minute; without a zone both are the owner's local time.
"""

from datetime import UTC, date, datetime, time, timedelta

from deepseedian.errors import BadInput


def moment(words: str) -> str:
    """The ISO stamp in UTC. Raises BadInput."""
    text = words.strip()
    try:
        if len(text) == 10:
            found = datetime.combine(date.fromisoformat(text), time()) + timedelta(days=1, milliseconds=-1)
        else:
            found = datetime.fromisoformat(text)
        then = found.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        raise BadInput(f"{words[:40]!r} is no date", "for example 2026-03-01, or 2026-03-01 14:30") from None
    return f"{then:%Y-%m-%dT%H:%M:%S}.{then.microsecond // 1000:03d}Z"
