"""Characters that nobody sees and a model reads: soft hyphens, joiners and fillers, directions, variations, tags.

The joiner inside an emoji is none: it is the picture.
"""

import re

_PICTURE = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    f"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]|(?<![{_PICTURE}])\u200d|\u200d(?![{_PICTURE}])")


def find(text: str) -> str:
    """The first such character as U+XXXX with its place; empty when there is none."""
    match = None if text.isascii() else UNSEEN.search(text)
    return f"U+{ord(match[0]):04X} at {match.start() + 1}" if match else ""


def without(text: str) -> str:
    return text if text.isascii() else UNSEEN.sub("", text)
