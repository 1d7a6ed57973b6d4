"""The words of a text that say what it is about, without the small ones and without those that only put something right."""

from deepseedian.core.script import folded
from deepseedian.core.text import STOP_PAIRS, STOP_WORDS, lone, tokens

FUNCTION = frozenset("不对對是的了应應该該改到成换換为為其实實而就叫在我你他她们們这這那个個也都现現已经經早错錯记記说說"
                     "上再没沒有用于和与把被从從会要吧呢啊嗯哦"
                     "呀吗么嘛得地着過过後后起来去让给跟才只又还很")
WEAK_CHARS = frozenset("年月日号天点一二三四五六七八九十两周下午晚前人时大小中新老候")  # alone they say little
CUE_WORDS = STOP_WORDS | frozenset("""
    no not now actual wrong correct it's that's should be is are switch move chang outdat longer anymor instead rather use we i it that
    this the to nope our my your you they he she there here from of on in at for with and but so as an a by or was were been has have had do
    don't doesn't isn't still both all alreadi just onli again than then name call new old veri also too
""".split())


def terms(text: str) -> frozenset[str]:
    """The words that say what a text is about."""
    return frozenset(term for term in tokens(text) if term not in CUE_WORDS and term not in STOP_PAIRS
                     and not all(char in FUNCTION for char in term))


def chars(text: str) -> set[str]:
    """Single Chinese characters that mean something by themselves: a pair of them is torn apart by every word put between."""
    return {char for char in text if "\u4e00" <= char <= "\u9fff" and char not in FUNCTION and char not in WEAK_CHARS}


def units(text: str) -> list[str]:
    """What a text is made of, in its order: each telling Chinese character, and each telling word in Latin letters."""
    found: list[str] = []
    for term in tokens("".join(f" {char} " if "\u4e00" <= char <= "\u9fff" else char for char in folded(text))):
        if term not in (FUNCTION if lone(term) else CUE_WORDS):
            found.append(term)
    return found
