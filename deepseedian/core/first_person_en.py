"""What an English clause about the speaker says: the tense of its verb, what it is, has, likes, decided; see `lasting_en`.

For I and we the present tense is the tense of habits, so a verb in it holds unless it names what goes on in somebody's mind or
mouth at the moment. What is going on, what was, and what is only meant to be done speak against it.
"""

import re

from deepseedian.core import words_en as of
from deepseedian.core.marks_en import FOR_ME, PLANNED, SINCE, TOUCHES

_STATE = {"state", "relation"}
_CARE = re.compile(
    r"\b(?:allergic|coeliac|celiac|diabetic|asthma\w*|called|named|birthday|years old|homeschooled|\d+ years|in (?:year|grade)|intolerant|"
    r"autistic|epileptic|can't eat)\b")
_WITH_US = re.compile(r"\b(?:with|at|next to) (?:us|me|our place)\b|\b(?:us|me)$")
_NOT_LONG = re.compile(r"\bsince (?:this|the|yesterday|last)\b")
_MAY = re.compile(
    r"you (?:can|may|should|must|don't (?:need|have) to|do not (?:need|have) to|needn't|have to|never need to|"
    r"are (?:free|welcome|allowed) to)\b")


def skip(words: list[str], at: int) -> tuple[int, set[str]]:
    """Past adverbs, with what they say."""
    found = set()
    while at < len(words) and words[at] in of.ADVERBS:
        if words[at] in of.FREQUENT:
            found.add("habit")
        at += 1
    return at, found


def is_ing(word: str) -> bool:
    return word.endswith("ing")


def past(word: str) -> bool:
    return word in of.PAST or (word.endswith("ed") and word not in of.NO_PAST)


def touches_me(words: list[str]) -> set[str]:
    """What something does to the speaker: grates on me, suits me better."""
    text = " ".join(words)
    if len(words) < 4 or (words[0] in of.NOT_OF_ME and "how i" not in text) or TOUCHES.search(text) is None:
        return set()
    return {"owner", "preference"} | ({"past"} if any(word in of.PAST for word in words[:4]) else set())


def owner(words: list[str], scoped: bool) -> set[str]:
    """I, we: the verb tells."""
    at, often = skip(words, 1)
    verb = words[at] if at < len(words) else ""
    rest = words[at + 1:]
    found = {"owner"} | ({"scope"} if scoped else set()) | often
    if verb == "no" and rest[:1] == ["longer"]:
        return found | {"state", "final"}
    if "'" in words[0]:
        return found | _short(words, at)
    return found | (_auxiliary(verb, rest, words[at + 1:], often, " ".join(words)) or _verb(verb, rest, scoped, bool(often)))


def _short(words: list[str], at: int) -> set[str]:
    """I'm, we've, I'll, we'd."""
    end = words[0].split("'")[1]
    if end in ("m", "re"):
        return _being(words[at:])
    if end == "ve":
        return _perfect(words[at:])
    if end == "ll":
        return _will(words[at:])
    return _would(words[1:]) if end == "d" else set()


def _auxiliary(verb: str, rest: list[str], after: list[str], often: set[str], text: str) -> set[str]:
    """Am, have, will, would, can, don't: empty when the verb is a full one."""
    if verb == "was" and rest[:1] and rest[0] in ("born", "raised", "diagnosed", "brought"):
        return set(_STATE)
    if verb in ("am", "are"):
        return _being(after)
    if verb in ("was", "were"):
        return {"past"}
    if verb in ("have", "haven't"):
        return _having(rest, verb, text)
    if verb == "won't":
        doing = len(rest) > 1 and is_ing(rest[1])
        return {"passing"} if rest[:1] and rest[0] in ("make", "be", "have", "need", "know") and not doing else {"decision"}
    if verb == "will":
        return _will(rest)
    if verb in ("would", "wouldn't"):
        return _would(rest)
    if verb in ("can", "may", "must", "should", "could", "might", "shall", "need", "has"):
        return _modal(verb, rest, bool(often))
    if verb in ("can't", "cannot", "don't", "do", "shouldn't", "mustn't", "couldn't", "didn't", "never"):
        return _negated(verb, rest)
    return set()


def _modal(verb: str, rest: list[str], often: bool) -> set[str]:
    if verb == "can" and rest[:1] == ["only"]:
        return {"state"}
    return {"duty"} if often and verb not in ("could", "might", "need") else {"passing"}


def _verb(verb: str, rest: list[str], scoped: bool, often: bool) -> set[str]:
    """A full verb: decided, past, or present."""
    if verb == "went" and rest[:1] == ["with"]:
        return {"decision"}
    if verb in of.DECIDED:
        return {"passing"} if rest[:1] and rest[0] in of.WONDERS else {"decision"}
    if past(verb):
        return {"state"} if verb in of.STAGES else {"past"}
    return _present(verb, rest, scoped, often)


def _present(verb: str, rest: list[str], scoped: bool, often: bool = False) -> set[str]:
    """A verb in the present tense, which for I and we is that of habits."""
    first = rest[0] if rest else ""
    if verb in of.TASTES:
        general = rest[:2] == ["it", "when"] or (rest and first not in ("it", "how", "that", "your", "this", "you"))
        return {"preference"} if general else {"passing"}
    if verb in ("want", "need", "expect", "ask"):
        return _wants(rest, scoped or often)
    if verb == "find":
        return {"preference"} if rest and first not in ("it", "that", "this", "the") else {"passing"}
    if verb in ("tend", "refuse", "struggle"):
        return {"preference", "state"}
    ailments = first.endswith("s") and first not in of.PASSING_THINGS | of.DETERMINERS
    if verb == "get" and (first == "up" or ailments or {"easily", "quickly"} & set(rest)):
        return {"state"}
    if often and verb in of.MENTAL and verb not in ("think", "know", "guess", "mean", "hope"):
        return {"passing"} if of.RESULTS & set(rest) else {"state"}
    if verb in of.MENTAL or not verb or verb in of.PRONOUNS or verb in of.DETERMINERS:
        return {"passing"}
    if not often and verb in of.AT_ONCE and first in of.POINTERS:
        return {"past"}
    if {"first", "following", "then"} & set(rest) or (verb == "work" and rest[:2] == ["on", "the"]):
        return {"passing"}
    return {"state"}


def _wants(rest: list[str], scoped: bool) -> set[str]:
    """I want dates written out, I need a title: a wish for always, or one for now."""
    if scoped and rest[:1] != ["to"]:
        return {"preference"}
    if (rest[:1] != ["to"] and of.GENERAL & set(rest)) or "in my" in " ".join(rest):
        return {"preference", "scope"}
    return {"passing"} if rest[:1] and rest[0] in ("to", "a", "an", "the", "you") else {"preference"}


def _being(words: list[str]) -> set[str]:
    """What follows I'm, we're."""
    at, often = skip(words, 0)
    word, rest = (words[at] if at < len(words) else ""), words[at + 1:]
    if word in ("not", "no"):
        at, more = skip(words, at + 1)
        often |= more
        word, rest = (words[at] if at < len(words) else ""), words[at + 1:]
        if word == "longer":
            word, rest = (rest[0] if rest else ""), rest[1:]
    first = rest[0] if rest else ""
    if (word == "about" and first == "to") or (word == "at" and first == "the"):
        return often | {"passing"}
    if word == "going" and (first in ("with", "for") or first in of.TRAITS or first in of.WAYS or (
            first == "to" and words[:1] == ["not"])):
        return often | {"turning", "state"}
    if is_ing(word) and word not in ("willing", "boring", "interesting"):
        return often | _doing(word, rest)
    return often | _is(word, rest)


def _doing(word: str, rest: list[str]) -> set[str]:
    """What is going on passes, unless it turns something or takes years."""
    if word in of.TURNING:
        return {"turning"}
    if word in of.LONG_DEEDS and set(rest[:8]) & of.BIG_WORKS:
        return {"state"}
    lasts = word in of.LONG_STATES and (word in of.LONG_ALONE or (rest[:1] and rest[0] in ("for", "as", "in", "from")))
    return {"state"} if lasts else {"passing"}


def _is(word: str, rest: list[str]) -> set[str]:
    """What somebody is: a trait, a role, at a place; or tired."""
    if word in ("a", "an", "the", "one"):
        return {"passing"} if set(rest[:3]) & {"bit", "little", "lot", "mess", "idiot", "fool", "wreck", "while"} else set(_STATE)
    if word in of.TRAITS or "-" in word or (word.endswith(("ic", "blind", "deaf", "ian", "ish", "ese")) and word not in of.PASSING):
        return set(_STATE)
    if "waiting" in rest[:3]:
        return {"state"}
    if word in ("in", "at", "on"):
        return {"passing"} if set(rest[:3]) & of.PASSING_THINGS else {"state"}
    if word in of.BETTER:
        return {"preference"}
    if word in of.HELD:
        return {"state"}
    passing = word in of.PASSING or word in of.PASSING_THINGS or not word or word in of.PRONOUNS or word.endswith("ly")
    return {"passing"} if passing else {"state"}


def _having(rest: list[str], verb: str, text: str) -> set[str]:
    """I have: a thing, a duty, or the perfect tense."""
    at, often = skip(rest, 0)
    word = rest[at] if at < len(rest) else ""
    if verb == "haven't":
        return often | ({"state", "habit"} if SINCE.search(text) else {"passing"})
    if word == "no" and not set(rest[at:at + 4]) & (of.PASSING_THINGS | of.PASSING_LACKS):
        return often | _STATE
    if word in ("to", "got", "been", "no") or word in of.DECIDED or (word.endswith("ed") and len(word) > 4) or word in of.PAST:
        return often | _perfect(rest[at:])
    return often | ({"passing"} if set(rest[at:at + 4]) & of.PASSING_THINGS else set(_STATE) if rest[at:] else set())


def _perfect(words: list[str]) -> set[str]:
    """I've: decided, got, been."""
    at, often = skip(words, 0)
    word = words[at] if at < len(words) else ""
    rest, text = words[at + 1:], " ".join(words)
    if word in of.DECIDED or (word == "made" and "mind" in rest[:4]):
        return often | {"decision"}
    if word == "got":
        return often | ({"passing"} if set(rest[:4]) & of.PASSING_THINGS or rest[:1] == ["to"] else {"state"})
    if "habit" in often or "always" in words[:2]:
        return often | ({"preference"} if word in of.LIKED else {"state"} if word in of.LONG_HELD else {"passing"})
    if word == "been" and SINCE.search(text) and not _NOT_LONG.search(text):
        return often | {"state", "habit"}
    return often | ({"state"} if SINCE.search(text) and word != "to" else {"passing"})


def _will(words: list[str]) -> set[str]:
    """A plan holds when something says for how long, or that it is settled."""
    if words[:1] == ["not"]:
        return {"decision"}
    text = " ".join(words)
    if {"always", "never", "only", "every", "all", "each"} & set(words) or PLANNED.search(text) or "no longer" in text:
        return {"decision", "habit"}
    return {"turning"} if words else {"decision", "passing"}


def _would(words: list[str]) -> set[str]:
    at, often = (0, set()) if words[:1] == ["rather"] else skip(words, 0)
    word = words[at] if at < len(words) else ""
    if word in ("rather", "sooner", "prefer", "appreciate"):
        return often | {"preference"}
    general = {"every", "each", "all", "always", "whenever", "any"} & set(words)
    return often | ({"preference", "scope"} if general and word in ("like", "love", "want") else {"passing"})


def _negated(verb: str, rest: list[str]) -> set[str]:
    """What somebody does not, cannot, never do holds; what did not happen is past."""
    at, often = skip(rest, 0)
    word = rest[at] if at < len(rest) else ""
    if verb in ("couldn't", "didn't"):
        return {"past"}
    if verb == "do" and (word in of.DETERMINERS or not word):
        return {"state"}
    if verb == "do" and word != "not":
        return _present(word, rest[at + 1:], False)
    if verb == "do":
        at, _ = skip(rest, at + 1)
        word = rest[at] if at < len(rest) else ""
    if word == "have" and rest[at + 1: at + 2] and rest[at + 1] in ("a", "an", "any") and not set(rest[at + 2:at + 4]) & (
            of.PASSING_THINGS | of.PASSING_LACKS):
        return set(_STATE)
    if word in of.TRANSIENT_NEGATED or not word:
        return {"passing"}
    if verb in ("cannot", "can't"):
        return {"preference"} if word in ("stand", "bear", "tolerate", "abide") else {"state"}
    liked = word in of.TASTES or (word in ("need", "want") and at + 1 < len(rest))
    return often | {"forbids", "preference" if liked else "state"}


def own_thing(words: list[str]) -> set[str]:
    """My, our: what it is, when its noun is a thing that lasts."""
    found = {"owner"}
    at = next((number for number, word in enumerate(words[1:10], 1) if word in of.RELATIONS or (
        word in of.AUXILIARY and word not in ("needs", "need", "get"))), None)
    if set(words[2:5]) & (of.MINDS - {"lives", "works"}) and not _thing(words[1]):
        return found | {"third"}
    if at is None or at < 2:
        return _verbless(words)
    nouns, verb, rest = words[1:at], words[at], words[at + 1:]
    head = nouns[-2] if nouns[-1] in of.ADVERBS and len(nouns) > 1 else nouns[-1]
    if head in ("tongue", "board", "surname", "name"):
        return found | _STATE
    if verb == "has" and rest[:1] and rest[0] in of.DECIDED and head not in of.GROUPS:
        return found | {"third"}
    if verb in ("always", "never") and rest[:1] and past(rest[0]):
        return found | {"past"}
    return found | (_somebody(nouns, head, verb, rest) or _something(head, verb, rest))


def _thing(word: str) -> bool:
    return word in of.THINGS or word in of.MANNER


def _verbless(words: list[str]) -> set[str]:
    """My … without a verb that is known."""
    if set(words[1:3]) & (of.PEOPLE | of.HOUSEHOLD):
        return {"owner", "third"}
    if any(past(word) for word in words[2:4] if not words[2].endswith("s")) or (len(words) > 1 and words[1] in of.NOT_MINE):
        return {"owner", "past"}
    return {"owner", "relation"} if len(words) > 4 else set()


def _somebody(nouns: list[str], head: str, verb: str, rest: list[str]) -> set[str]:
    """People of the speaker: those the work is for, those of the household, and the rest; empty when it is about a thing."""
    text = " ".join(rest)
    people = any(word.removesuffix("'s") in of.PEOPLE or word.removesuffix("s") in of.PEOPLE for word in nouns)
    household = head in of.HOUSEHOLD or head.removesuffix("s") in of.HOUSEHOLD
    if head in of.AUDIENCE and verb in of.AUDIENCE_DOES:
        return set(_STATE)
    if (people or household) and _WITH_US.search(text) and verb in of.RELATIONS | {"is", "are"}:
        return {"state"}
    about = head in of.PEOPLE or head.removesuffix("s") in of.PEOPLE or not any(word in of.THINGS or word in of.NOT_MINE for word in nouns)
    if people and about and not any(word.endswith("'s") for word in nouns):
        return {"third"}
    if household and verb == "will":
        return {"decision"}
    if household:
        return {"state"} if _CARE.search(text) else {"third"}
    return {"third"} if verb in of.MINDS and not _thing(head) and head not in of.NOT_MINE else set()


def _something(head: str, verb: str, rest: list[str]) -> set[str]:
    """A thing of the speaker, and whether what is said of it passes."""
    if head in of.NOT_MINE:
        return {"passing"}
    if verb in ("was", "were"):
        return {"past"}
    if verb == "will":
        return {"decision"}
    start, often = skip(rest, 0)
    after = rest[start:start + 3]
    if head in of.SENSES or (head in of.CALLINGS and verb in ("is", "are")):
        return often | _STATE
    ill = after and (after[0] in of.PASSING or (verb in ("is", "are") and (is_ing(after[0]) or after[0] in of.BROKEN)))
    if ill or set(after) & of.PASSING_THINGS:
        return often | {"passing"}
    if after[:1] == ["at"] and len(after) > 1 and after[1].isdigit():
        return often | {"passing"}
    if verb in ("must", "should", "may", "can"):
        return often | {"duty"}
    return often | {"state"} | ({"relation"} if verb in of.RELATIONS else set())


def you(words: list[str], scoped: bool) -> set[str]:
    """You can skip …, you don't need to …: a request in other words."""
    text, said = " ".join(words), set(words)
    if "never be too" in text:
        return {"general"}
    if not _MAY.match(text):
        return set()
    mine = bool(said & (FOR_ME | {"anything", "everything", "nothing"})) or scoped
    tone = bool(of.TONES & said)
    found = {"request"} | ({"scope"} if mine else set()) | ({"forbids"} if said & {"don't", "needn't", "never"} else set())
    if tone:
        return found | {"manner", "policy"}
    return found | ({"manner"} if of.MANNER & said else set() if mine else {"general"})
