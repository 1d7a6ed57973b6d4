"""The build of a Chinese sentence: whose it is, what its particles say about time, what it rules or asks for; see `lasting`.

Chinese verbs have no tense. What holds is said bare or with a word of habit; what happens or has happened carries 了, 过, 在 or a word
of time. So a bare statement about the speaker counts as lasting, and the marks of the moment (`marks_zh`) speak against it.
"""

import re
from collections.abc import Iterator

from deepseedian.core import marks_zh as mark

_STATE = {"state", "relation"}
_SPEAKER = ("我", "我们", "咱", "咱们", "俺", "我家", "咱家", "我们家")
_ALONE = ("我", "俺", "咱", "我这边")
_WEAK_RULES = ("都得", "也得", "都要", "也要", "一定要", "一定得")
_ALWAYS = (("standing", mark.STANDING), ("final", mark.FINAL), ("habit", mark.HABIT), ("contrast", mark.CONTRAST), ("past", mark.PAST),
           ("story", mark.STORY), ("moment", mark.NOW), ("pointing", mark.POINTING), ("value", mark.VALUE), ("announced", mark.ANNOUNCED))


def clauses(masked: str) -> Iterator[frozenset[str]]:
    """The features of each clause that says something, with those of the whole sentence."""
    text = masked.strip().rstrip("。.！!~～ 哈啊呀哦喔嘛")
    told = mark.TELLS.match(text)
    told = told if told and told.end() < len(text) else None
    text = text[told.end():] if told else text
    whole = _whole(text) | ({"told"} if told else set())
    scope = mark.SCOPE.search(text) is not None
    pieces = [piece for piece in mark.CUT.split(text) if piece]
    yields = owned = False
    for number, piece in enumerate(map(_led, pieces)):
        found = _clause(piece, scope, number, "".join(pieces[number + 1:]))
        if not found and owned and len(piece) > 3:
            found = _owner("我", piece, "", "")  # who it is about goes without saying
        owned = "owner" in found and not found & {"passing", "third"}
        if found:
            yields = True
            points = "request" in found or (mark.POINTING.search(piece) and not found >= {"owner", "decision"})
            there = whole if points else whole - {"pointing"}
            yield frozenset(found | there) - ({"past"} if "decision" in found else frozenset())
    if not yields:
        yield frozenset(whole)


def _led(piece: str) -> str:
    """A clause without `那么，` and its like."""
    for _ in range(2):
        lead = mark.LEAD.match(piece)
        piece = piece[lead.end():] if lead and lead.end() < len(piece) else piece
    return piece


def _whole(text: str) -> set[str]:
    """What a sentence says as a whole."""
    found = {name for name, pattern in _ALWAYS if pattern.search(text)}
    if mark.SETTLED.search(text) or mark.YOU_BUT_I.match(text):
        found.discard("pointing")
    decided_then = mark.DECIDES.search(text) and mark.THEN.search(text)
    regular = mark.EVERY.search(text) and not mark.NOW.search(mark.CLOCK.sub("", text))
    if regular or "announced" in found or decided_then or ("standing" in found and mark.FROM_THEN.search(text)):
        found.discard("moment")
    return found


def _clause(text: str, scope: bool, number: int, after: str) -> set[str]:
    """By what stands in it: about whom or what it is, or what it asks for."""
    if mark.SINGLE.search(text) and not scope and not mark.STANDING.search(text):
        return {"request", "single"}
    mine = mark.ABOUT_ME.match(text)
    if mine and mark.MANNER.search(mine["topic"]) and mark.WISHED.match(mine["rest"]):
        return {"owner", "preference"}
    if mine and not mark.NO_TOPIC.search(mine["topic"]):
        found = _owner(mine["who"], mine["rest"].strip(), mine["topic"], after)
        if found and not ("passing" in found and mark.THEN_DO.search(text)):
            return found | ({"scope"} if scope else set())
    if mark.BOARD_DECIDES.match(text):
        return {"decision", "final"}
    if not mine and number == 0 and (mark.OTHERS.match(text) or mark.NAMED.match(text)) and not mark.PERMITS.match(text):
        return {"third"}
    if mark.MY_WAY.search(text):
        return {"owner", "preference"}
    if mark.CHILDREN.match(text):
        return {"owner", "state"}
    if not mine and mark.IMPLIED.match(text) and number == 0:
        return {"owner", "preference"} | ({"manner"} if mark.MANNER.search(text) else set())
    rules, thing = _rules(text, scope), _thing(text, scope)
    return thing if "relation" in thing and not rules & {"forbids", "duty", "scope", "manner", "passing"} else rules or thing


def _owner(who: str, rest: str, topic: str, after: str) -> set[str]:
    """I, we, my: what follows tells."""
    people = _people(who, rest, after)
    if people:
        return {"owner"} | people
    adverbs = mark.ADVERBS.match(rest)
    said = rest[adverbs.end():] if adverbs else rest
    if not said and not topic:
        return set()
    return {"owner"} | (_minds(rest, said) or _does(who, rest, said, topic))


def _people(who: str, rest: str, after: str) -> set[str]:
    """Somebody of the speaker's: whom the work is for, who lives there too, or somebody else."""
    if mark.SOME_OF_MINE.match(rest):
        return {"third"}
    if mark.AUDIENCE.match(rest) or mark.AND_I.match(rest) or (mark.OWN_PEOPLE.match(rest) and mark.WITH_ME.search(rest)):
        return set(_STATE)
    kin = mark.OWN_PEOPLE.match(rest) if who in _SPEAKER else None
    if kin:
        outside = mark.OUTSIDERS.match(kin["kin"]) and not re.search("叫|姓|名字", kin["rest"])
        return {"state"} if mark.CARE.search(kin["rest"] + after) and not outside else {"third"}
    return {"third"} if mark.SOMEBODY_DOES.match(rest) else set()


def _minds(rest: str, said: str) -> set[str]:
    """Decided, liked, able: or only thought, felt, going on."""
    if mark.DECIDES.search(rest) and not mark.UNDECIDED.search(rest):
        return {"decision"}
    if mark.BROKEN.search(rest):
        return {"passing"}
    if mark.TASTE.search(rest) and not mark.LIKES_THAT.search(rest):
        return {"preference"}
    if mark.TRAIT.search(rest) and not mark.NO_TRAIT.match(said):
        return {"state"}
    if mark.LIKES_NOW.search(rest) or mark.HAS_NOW.match(said) or mark.PASSING.search(said) or mark.PASSING.match(rest):
        return {"passing"}
    return set()


def _does(who: str, rest: str, said: str, topic: str) -> set[str]:
    """Is, has, does: with 了 it has happened, else it holds."""
    if mark.IS.match(said) or mark.HAS.match(said):
        return {"passing"} if said.endswith("了") and not mark.LONG.search(said) else set(_STATE)
    if mark.HAPPENED.match(said):
        return {"passing"}
    if mark.TURNED.match(said):
        return set(_STATE)
    if mark.OVER.search(said) and not mark.NO_MORE.search(said):
        return {"passing"}
    not_mine = mark.NOT_MINE.match(rest) is not None
    if mark.OWN_THING.match(rest) and (not not_mine or who not in _ALONE):
        return set(_STATE)
    if mark.DOES.match(said):
        return {"state"}
    if (not_mine and who in _ALONE) or (mark.GOES.match(said) and not mark.GOES_OFTEN.search(topic + rest)):
        return {"passing"}
    if said[:1] == "的":
        return {"state"} if len(said) > 6 and mark.VALUE.search(said) and not not_mine else set()
    return {"state"} if len(said) >= 2 and not mark.NO_PREDICATE.match(said) else set()


def _rules(text: str, scope: bool) -> set[str]:
    """An order to the assistant, or a rule for everybody."""
    forbids, orders, rule, asks = (pattern.search(text) for pattern in (mark.FORBIDS, mark.ORDERS, mark.RULE, mark.ASKS))
    manner = mark.MANNER.search(text) is not None
    if not (forbids or orders or rule or (asks and scope)) or (mark.OVER.search(text) and not mark.ENOUGH.search(text)):
        return set()
    if rule and rule[0] in _WEAK_RULES and not (manner or scope or mark.THINGS.search(text)):
        return set()
    found = {name for name, there in (("rule", rule), ("request", forbids or orders or (asks and not rule)), ("forbids", forbids),
                                      ("policy", mark.POLICY.search(text) or mark.TOPIC_PLEASE.match(text)), ("scope", scope)) if there}
    if rule:
        found |= {"duty"} if mark.DUTY.search(text) else set() if mark.STANDING.search(text) else {"single"}
    if manner and "request" in found | ({"request"} if "duty" in found or "single" in found else set()):
        found.add("manner")
    if mark.ONE_DEED.search(text):
        found.add("single")
    if mark.WAVES_OFF.search(text) and not scope:
        found.add("passing")
    if mark.WORLD.search(text) or (mark.GENERAL.match(text) and not (scope or rule)):
        found.add("general")
    return found


def _thing(text: str, scope: bool) -> set[str]:
    """A thing of the owner's world and what ties it to something; or what was decided about it."""
    found = {"scope"} if scope else set()
    known = mark.THINGS.search(text)
    if mark.DECIDES.search(text) and not mark.NOTHING_DECIDED.search(text):
        return found | {"decision"} | ({"thing"} if known else set())
    over = mark.OVER.search(text)
    if not known and mark.STRONG_TIES.search(text) and not over and not mark.NO_THING.match(text):
        return found | {"thing", "relation", "placed"}
    if known and mark.TIES.search(text):
        return found | {"thing"} | ({"passing"} if over or mark.ILL.search(text) else {"relation", "placed"})
    return set()
