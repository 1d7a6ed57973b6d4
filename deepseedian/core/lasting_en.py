"""The build of an English sentence: whose it is, the tense of its verb, what it rules or asks for; see `lasting`.

Words are looked at one after the other, never by patterns that could try a long text in many ways. The lists (`words_en`) hold
classes of words (verbs of the mind, things that pass, things of a project), not sentences.
"""

import re
from collections.abc import Iterator

from deepseedian.core import marks_en as mark
from deepseedian.core import words_en as of
from deepseedian.core.first_person_en import is_ing, own_thing, owner, past, skip, touches_me, you

_WORD = re.compile(r"[a-z]+")
_DECIDES = re.compile(r"\b(?:decided|settled|agreed|chose|picked)\b")
_CONTRAST = re.compile(r"\bnot\b|\bnever\b|\brather than\b|\binstead of\b|\bover\b|\bno longer\b|\bwithout\b|\bonly\b|n't\b")
_SPAN = re.compile(r"\bfrom \w+ to \w+\b")
_SCOPE = re.compile(
    r"\b(?:whenever|unless|every time|each time|any time|when(?:ever)? (?:you|i|we|it comes|in doubt|there)|if (?:you|i|we|there|in doubt)|"
    r"with me\b|(?:in|on|to|for|with|from|of) (?:all|every|each|any|my|our|formal|informal|official)\b|all (?:my|our|the time)|"
    r"instead of \w+ing|without (?:asking|my)|by default|at all times|any \w+|before (?:you|we|\w+ing|every|each|any)|"
    r"after (?:every|each|any)|as (?:doctor|professor|mr|mrs|ms|dr|mx)\b)")
_MINE = frozenset(("my", "our"))
_BE = ("is", "are")
_Words = list[str]


def clauses(masked: str) -> Iterator[frozenset[str]]:
    """The features of each clause that says something, with those of the whole sentence."""
    text = masked.replace("’", "'").strip()
    told = mark.TELLS.match(text)
    text = text[told.end():] if told else text
    announced = mark.ANNOUNCED.match(text) is not None
    case = mark.CASES.match(text)
    text = text[case.end():] if case and case.end() < len(text) else text
    lead = mark.LEADS.match(text)
    rest = text[lead.end():] if lead and lead.end() < len(text) else text
    low = text.lower()
    whole = _whole(low, announced) | ({"told"} if told else set())
    yields = False
    for words, raw, scoped in _main(rest, whole, bool(case)):
        found = _clause(words, raw, scoped)
        if found:
            yields = True
            found |= {"pointing"} if "request" in found and mark.POINTING.search(low) else set()
            found |= {"habit"} if "state" in found and mark.MEALS.search(low) else set()
            yield frozenset(found | whole | _colour(words, raw, found | (whole & {"habit"})))
    if mark.HEADED.match(text) and (of.MANNER | of.THINGS) & set(_WORD.findall(low)):
        yields = True
        yield frozenset(whole | {"headed", "manner"})
    if mark.CLEFT.search(low):
        yield frozenset(whole | {"owner", "state"})
    elif announced and not yields:
        yield frozenset(whole)


def _whole(low: str, announced: bool) -> set[str]:
    """What a sentence says as a whole."""
    found = {name for name, pattern in (("standing", mark.STANDING), ("final", mark.FINAL), ("habit", mark.HABIT), ("story", mark.OLD),
                                        ("contrast", _CONTRAST), ("general", mark.WHO_DOES)) if pattern.search(low)}
    found |= {"announced"} if announced else set()
    now = mark.NOW.search(low) and not (mark.PLANNED.search(low) or _DECIDES.search(low) or announced)
    return found | ({"moment"} if now else set())


def _main(rest: str, whole: set[str], scoped: bool) -> Iterator[tuple[_Words, _Words, bool]]:
    """The clauses that say something; those that only say when or where make the ones behind them hold for cases."""
    for words, raw in _clauses(mark.TOKEN.findall(rest)):
        at = next((number for number, word in enumerate(words) if not _leads(word)), len(words))
        words, raw = words[at:], raw[at:]
        if not words:
            continue
        if _depends(words):
            inner = _inside(words)
            if words[0] in ("when", "while", "before", "after", "as", "once", "until") and any(word in of.PAST for word in words[1:5]):
                whole.add("story")
            scoped = scoped or _scopes(words)
            if inner is None:
                continue
            words, raw = words[inner:], raw[inner:]
        yield words, raw, scoped


def _leads(word: str) -> bool:
    return word in of.LINKS or word in of.ADVERBS - of.FREQUENT - of.SUBORDINATE - {"all", "both"}


def _depends(words: _Words) -> bool:
    if words[0] in ("every", "each") and words[1:2] != ["time"]:
        return mark.HABIT.match(" ".join(words)) is not None
    return words[0] in of.SUBORDINATE


def _clauses(tokens: _Words) -> Iterator[tuple[_Words, _Words]]:
    words: _Words = []
    raw: _Words = []
    for number, token in enumerate([*tokens, ","]):
        low = token.lower()
        after = tokens[number + 1].lower().split("'")[0] if number + 1 < len(tokens) else ""
        parts = low in mark.SPLIT or low in mark.END or (low == "so" and len(words) > 2) or (
            low == "and" and len(words) > 2 and after in ("i", "we", "my", "our"))
        if low == "but" and words and words[-1] in of.ALL_OF | {"none"}:
            parts = False  # nobody but me
        if parts:
            yield words, raw
            words, raw = [], []
        else:
            words.append(low)
            raw.append(token)


def _inside(words: _Words) -> int | None:
    """Where the main clause begins when nothing parts it from what stands before: `from January I'll …`, `in this repo we …`."""
    begin = 3 if words[1:2] == ["time"] else 2 if words[0] in of.CONDITIONS else 1
    end = 8 if begin == 1 else len(words)
    return next((at for at, word in enumerate(words[:end]) if at >= begin and word.split("'")[0] in mark.WE and word != "we'd"), None)


def _scopes(words: _Words) -> bool:
    """Whether a clause says for which cases something holds."""
    if words[0] == "unless":
        return True
    if words[0] in of.CONDITIONS - {"while"} or words[0] in ("every", "each", "any"):
        return not any(word in of.PAST for word in words[1:4])
    if words[0] == "for" and len(words) < 5 and words[1:2] and words[1].endswith("s"):
        return True
    return bool({"my", "our", "all", "every", "each", "any"} & set(words[1:5])) or (
        words[1:2] == ["the"] and any(word in of.THINGS or word in of.MANNER for word in words[2:5]))


def _valued(raw: _Words) -> bool:
    """Whether a name or a number stands in it."""
    return any(mark.CAPITAL.match(token) and token not in mark.ONESELF for token in raw)


def _colour(words: _Words, raw: _Words, had: set[str]) -> set[str]:
    """What the rest of a clause adds."""
    text, said = " ".join(words), set(words)
    found = {"value"} if "request" not in had and _valued(raw[1:]) else set()
    if mark.THAT_DAY.search(text) and not had & {"state", "rule", "relation", "decision"}:
        found.add("moment")
    decided = "decision" in had and (of.DECIDED | {"will", "won't"}) & said and words[-1] not in of.ONE_OF
    turned = had & {"decision", "turning"} and "value" in found and said & {"my", "our", "we're", "we"}
    if decided or turned or words[:2] in (["my", "pronouns"], ["our", "pronouns"]):
        return found
    if "request" in had:
        return found | ({"pointing"} if mark.POINTING.search(text) else set())
    if of.PLACES & set(words[2:]):
        found.add("placed")
    text = text.removesuffix(" here") if said & {"we", "our"} else text  # we use Vitest here
    return found | ({"pointing"} if "habit" not in had and mark.POINTING.search(text) else set())


def _clause(words: _Words, raw: _Words, scoped: bool) -> set[str]:
    """By its first words: about whom or what it is, or what it asks for."""
    first = words[0].split("'")[0]
    if words[:2] in (["we", "humans"], ["we", "people"]):
        return {"general"}
    if first in mark.WE:
        return owner(words, scoped)
    if words[0] in _MINE:
        return owner(words[3:], scoped) if words[2:4] == ["and", "i"] else own_thing(words)
    if words[0] in ("all", "both") and words[1:2] and words[1] in _MINE:
        return own_thing(words[1:])
    if words[0] == "you":
        return you(words, scoped)
    if words[0] in of.ALL_OF:
        return _rules(words, scoped)
    if words[0] == "there" and words[1:2] and words[1] in _BE and _MINE & set(words):
        return {"owner", "relation"}
    if words[0] == "let's" or words[:2] == ["let", "us"]:
        return _together(words[1 if words[0] == "let's" else 2:], scoped)
    return touches_me(words) or _asks(words, scoped) or _somebody(words, raw) or _about_thing(words, raw, scoped)


def _together(words: _Words, scoped: bool) -> set[str]:
    """Let's: an agreement when it is for all cases, else a proposal for now."""
    general = of.GENERAL & set(words) - {"first", "whenever", "out", "no"} or "from" in words or mark.HABIT.search(" ".join(words))
    asked = _asks(words, scoped) if words and general else set()
    return (asked | {"policy", "scope"}) - {"single"} if asked else set()


def _somebody(words: _Words, raw: _Words) -> set[str]:
    """Somebody else, or somebody who decided something of ours."""
    said = set(words)
    of_mine = words[:2] == ["one", "of"] and len(words) > 3 and words[2] in ("my", "our", "the")
    if of_mine and words[3].removesuffix("s") in of.PEOPLE | of.HOUSEHOLD:
        return {"third"}
    at = 1 if words[0] in ("the", "a", "an") and len(words) > 1 else 0
    after = words[at + 1] if len(words) > at + 1 and len(words) > 2 else ""
    noun = after in of.THINGS or after in of.MANNER  # client contracts
    if words[at] in of.PEOPLE and words[at] not in of.THINGS and not set(_BE) & set(words[2:3]) and not noun and not mark.FOR_ME & said:
        return {"third"}
    if words[0].split("'")[0] in of.OTHERS or (words[0] in of.PEOPLE and not noun):
        return {"third"}
    decides = next((number for number, word in enumerate(words[:6]) if word in of.DECIDED), 0)
    if decides and ({"my", "our", "us"} & set(words[decides:]) or words[decides - 1] in of.GROUPS):
        return {"owner", "decision"}
    named = mark.NAME.match(raw[0]) and len(words) > 1 and words[1] in mark.PERSON_DOES and words[0] not in of.THINGS
    return {"third"} if named and not mark.FOR_ME & said else set()


def _rules(words: _Words, scoped: bool) -> set[str]:
    """All, every, nobody, only: a rule when a duty follows."""
    first, rest = words[0], set(words[1:])
    if len(words) < 2:
        return set()
    if past(words[1]):
        return {"past"}
    found = {"rule"} | ({"scope"} if scoped else set())
    if (first == "nobody" and words[1].endswith("s") and {"without", "unless", "before", "except", "until"} & rest) or (
            first in ("all", "every", "each") and {"get", "gets", "carry"} & rest and {"a", "an", "the", "its", "their"} & rest) or (
            first == "only" and {"go", "goes", "get", "come", "gets"} & rest and {"in", "into", "to", "through", "on"} & rest):
        return found | {"duty"}
    if first == "no" and len(words) > 2 and (of.RULED & rest or of.MANNER & rest):
        return set() if words[1] in of.NO_RULE else found | {"forbids", "duty"}
    if first in of.ALL_OF - {"all", "every", "each", "any", "no", "nobody", "only", "anyone"} and not rest & of.BINDS:
        return {"third"} if first in ("everyone", "everybody") else set()
    duty = of.TIES_OF_RULE & rest
    if duty & {"is", "are", "can", "has", "have", "get", "go"} and not duty & {"must", "should", "may", "needs", "goes", "follow"}:
        return found | ({"duty"} if of.PERMITTED & rest else {"single"})
    return found | ({"duty"} if duty else set()) | ({"owner"} if first in ("nobody", "only") and mark.FOR_ME & rest else set())


def _asks(words: _Words, scoped: bool) -> set[str]:
    """An order to the assistant: how to do things, or one thing to do."""
    found, at = _order(words)
    verb = words[at] if at < len(words) else ""
    rest = words[at + 1:]
    if at == 0 and {"is", "are", "must", "should", "has", "have", "may", "never"} & set(words[1:5]):
        return set()  # deploy keys are …, test data must …: a noun
    deed = verb in of.BASE or ((scoped or found & {"forbids", "habit"}) and _deed_like(verb))
    if not deed or verb in of.NO_DEED or not rest:
        return set()
    found |= {"policy"} if verb in of.POLICY or ("not" in rest and {"just", "only"} & set(rest)) else set()
    if of.MANNER & set(rest):
        found.add("manner")
        if rest[0] not in of.DETERMINERS and {"in", "as"} & set(rest) and verb not in of.MAKES:
            found.add("placed")
        if (rest[0] == "out" or (rest[0].endswith("s") and rest[0] not in of.DETERMINERS)) and verb not in of.MAKES:
            found.add("placed")
    if _for_cases(words, rest, scoped, "policy" in found):
        found.add("scope")
    numbered = len(rest) < 5 and any(word.isdigit() for word in rest) and "to" not in rest
    if not found & {"scope", "habit"} and (_one_deed(rest) or numbered):
        found.add("single")
    if rest[0] in ("it", "that", "this", "them", "those", "anything", "everything") and len(rest) < 3:
        found.add("pointing")
    return found


def _order(words: _Words) -> tuple[set[str], int]:
    """How an order begins, and where its verb stands."""
    found, at = {"request"}, 0
    if words[0] in of.STARTS_NO:
        found.add("forbids")
        at = 1 if words[0] in ("don't", "never") else 0
    elif words[:2] == ["do", "not"]:
        found.add("forbids")
        at = 2
    elif words[0] == "always":
        found.add("habit")
        at = 1
    elif words[:2] in (["make", "sure"], ["feel", "free"]):
        found.add("policy")
    return found, skip(words, at)[0]


def _for_cases(words: _Words, rest: _Words, scoped: bool, policy: bool) -> bool:
    """Whether an order is for all cases of a kind, not for one."""
    near = any(before in ("in", "for") and (word in of.MANNER or after in of.MANNER)
               for before, word, after in zip(rest, rest[1:], [*rest[2:], ""], strict=False))
    if near or scoped:
        return True
    if rest[0] in ("a", "an") and not (of.FREQUENT | of.EVER) & set(words):
        return False
    return _SCOPE.search(" ".join(rest)) is not None or bool(_MINE & set(rest[:3]) and of.MANNER & set(rest)) or (
        policy and bool(of.EVERYTHING & set(rest[:2])))


def _one_deed(rest: _Words) -> bool:
    """Give me ten names, add the missing import: what is done once."""
    rest = rest[1:] if rest[:1] == ["me"] else rest
    return bool(rest) and (rest[0] in ("the", "a", "an") or rest[0] in of.CONTACT or rest[0].isdigit())


def _deed_like(word: str) -> bool:
    return (word.replace("-", "").isalpha() and len(word) > 2 and word not in of.PRONOUNS and word not in of.DETERMINERS
            and not word.endswith(("ing", "ed", "ly", "s")))


def _about_thing(words: _Words, raw: _Words, scoped: bool) -> set[str]:
    """The firmware targets …, staging lives in …: a thing of the owner's world, and what ties it to something."""
    at = next((number for number, word in enumerate(words[:10]) if number and (word in of.RELATIONS or (
        word in of.AUXILIARY and word not in ("have", "was", "were", "don't", "doesn't", "isn't", "aren't")))), None)
    if at is None:
        return set()
    nouns, verb, rest = [word.removesuffix("'s") for word in words[:at]], words[at], words[at + 1:]
    found = {"scope"} if scoped else set()
    if nouns[-1] in of.PEOPLE and not mark.FOR_ME & set(words):
        return {"third"}
    listed = any(word in of.THINGS for word in nouns)
    if verb in _BE and rest[:1] and rest[0] in of.ENDED and (listed or rest[0] in ("forbidden", "banned")):
        return found | {"thing", "decision"}
    if not listed and {"my", "our", "we", "us"} & set(rest) and verb in of.RELATIONS:
        return found | {"owner", "relation"}
    if verb in _BE and rest[:1] and rest[0] in ("my", "our", "how", "what", "where") and mark.FOR_ME & set(rest):
        return found | {"owner", "state"}
    known = any(word in of.THINGS or word.removesuffix("s") in of.THINGS or word + "s" in of.THINGS for word in nouns[:4])
    told = _known(verb, rest, raw[at + 1:]) if known else _unknown(words, raw, nouns, at, scoped)
    duty = _duty(words, nouns, verb, rest, known)
    return found | (told if duty is None else duty)


def _plural(words: _Words, nouns: _Words) -> bool:
    return (nouns[-1].endswith("s") or nouns[0].endswith("s")) and words[0] not in ("the", "a", "an")


def _duty(words: _Words, nouns: _Words, verb: str, rest: _Words, known: bool) -> set[str] | None:
    """Filenames must not contain spaces, tickets without a description get closed; None when it is no duty."""
    start, often = skip(rest, 0)
    plural = _plural(words, nouns)
    if verb in of.DUTIES or (verb in ("have", "has") and rest[:1] == ["to"]):
        bare = words[0] not in ("the", "a", "an", "this", "that", "there") and words[0] not in of.PRONOUNS
        strict = verb in ("must", "shall") or (verb == "may" and rest[:1] in (["only"], ["not"], ["never"]))
        ruled = (plural and (known or of.MANNER & set(nouns))) or (strict and (known or bare))
        return often | ({"rule", "duty"} if ruled else set())
    if verb in ("get", "gets") and plural and rest[start:start + 1] and rest[start].endswith("ed"):
        return {"rule", "duty"}
    return None


def _unknown(words: _Words, raw: _Words, nouns: _Words, at: int, scoped: bool) -> set[str]:
    """A thing that no list knows: the rest of the clause has to say all the more."""
    verb, rest = words[at], words[at + 1:]
    start, often = skip(rest, 0)
    plural, habit = _plural(words, nouns), mark.HABIT.search(" ".join(words))
    done = rest[start:start + 1] and rest[start].endswith(("ed", "en", "set", "kept"))
    regular = words[0] == "the" and habit and nouns[-1] not in mark.LOCAL
    if verb in _BE and done and (regular or (often and (plural or _MINE & set(rest)))):
        return {"rule", "habit"}
    telling = any(mark.CAPITAL.match(token) for token in raw[at + 1:]) or habit or _SPAN.search(" ".join(words))
    common = words[0] == "the" and len(nouns) > 1 and nouns[1] not in mark.LOCAL and not raw[1][:1].isupper()
    if common and verb in of.RELATIONS and telling:
        return often | {"thing", "relation"}
    if scoped and verb in ("always", "never", "only"):
        return {"rule", "habit", "scope"}
    return {"rule", "habit"} if verb in ("go", "goes", "come", "comes") and plural and of.MANNER & set(nouns) else set()


def _known(verb: str, rest: _Words, raw: _Words) -> set[str]:
    """A thing of a project, a work, a home."""
    start, often = skip(rest, 0)
    after = rest[start:start + 3]
    first = after[0] if after else ""
    passing = verb in ("is", "are", "has") and (first in of.PASSING or is_ing(first) or bool(set(after[:2]) & of.TOO))
    if verb == "will":
        return {"thing", "decision"} if first in of.WILL_BE and not passing else set()
    if passing:
        return {"thing", "passing"}
    if verb in of.RELATIONS or (verb in _BE and (first in of.RELATIONS or first in of.STANDS)):
        return often | {"thing", "relation"}
    if verb in ("is", "are", "has") and any(mark.CAPITAL.match(token) for token in raw):
        return often | {"thing", "duty"}
    return {"thing", "habit", "placed"} if verb in ("always", "never", "only") else often | {"thing"}
