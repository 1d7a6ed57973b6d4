"""Whether two texts say the same, word for word but for small words, spacing, case and punctuation.

Strict on purpose: another value, order, "only" or "not" is another statement, and to leave it out would lose something.
"""

import re
from collections.abc import Iterable

from deepseedian.core.aspect import values
from deepseedian.core.entry import Entry
from deepseedian.core.proposal import same_words
from deepseedian.core.script import folded
from deepseedian.core.telling import units

_LIMITS = re.compile(
    r"n[o']t\b|\bno\b|\bnever\b|\bonly\b|\bnone\b|\bwithout\b|\bunless\b|\bexcept\b|\bboth\b|\ball\b|\bbefore\b|\bafter\b|\bor\b|"
                     r"不|没|無|无|只|仅|除|别|勿|未|都|前|后|或|禁")

_SIGNS = re.compile(r"\w[+#]+|(?<![\w.])\.\w+")  # C++, C#, .NET: the sign is part of the name


def same_said(first: str, second: str) -> bool:
    """The same telling words in the same order, the same values, the same limits; C++ is not C."""
    if _SIGNS.findall(first.casefold()) != _SIGNS.findall(second.casefold()):
        return False
    if same_words(first) == same_words(second):
        return True
    one, other = units(first), units(second)
    return len(one) > 1 and one == other and values(first) == values(second) and _limits(first) == _limits(second)


def _limits(text: str) -> list[str]:
    return _LIMITS.findall(folded(text).casefold())


def said_already(text: str, entries: Iterable[Entry]) -> Entry | None:
    """The entry that says so already. Only entries of about its length that hold its longest word are compared."""
    words = same_words(text)
    longest = max(units(text), key=len, default="")
    for entry in entries:
        if 0.5 * len(text) <= len(entry.text) <= 2 * len(text) and (
                longest[:4] in folded(entry.text).casefold() or words == same_words(entry.text)) and same_said(text, entry.text):
            return entry
    return None
