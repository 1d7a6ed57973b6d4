"""How much the long tests tried, told in the closing summary: a number that falls is a test that got weaker."""

from collections import Counter

from tests import naive

_tried: Counter[str] = Counter()


def count(name: str, number: int = 1) -> None:
    """Add to what is printed as `tried: NAME: NUMBER`; a run with a mutation in it counts for nothing."""
    if not naive.active():
        _tried[name] += number


def tried() -> dict[str, int]:
    return dict(sorted(_tried.items()))
