"""Statements worth keeping, found by rule in the owner's own words, Chinese and English.

Three strengths: what is asked to be remembered or agreed for all time to come; agreements, preferences, decisions and
corrections in other words; and weaker cues, lasting facts about the owner and the owner's world. The quote is verbatim, so that
the owner sees where a proposal comes from; the text is the quote without its lead-in ("please remember: …"), never reworded,
so that "only" and "not" stay where they were.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from deepseedian.core import cues_en, cues_zh, lasting, secret, unkept
from deepseedian.core.aspect import values
from deepseedian.core.own_words import LONGEST, MASK, Sentence, sentences
from deepseedian.core.telling import units

SENTENCE_LIMIT = 240
SHORTEST = 4
ASKED, STATED, WEAK = 1, 2, 3
MODES = {"explicit": ASKED, "implicit": STATED, "assist": WEAK}
MOST_FOUND = 40
LOOKED = 400  # of a longer sentence the cue stands at the beginning


@dataclass(frozen=True, slots=True)
class Candidate:
    """`quote` stands in the message as it is; `text` is what would be remembered; `correction` replaces something.

    `alone` is false for a correction that says only what is right ("it's on Friday"), not of what. `because` names the cue that it
    was taken for, or the features of its build.
    """

    text: str
    quote: str
    kind: str
    correction: bool = False
    strength: int = ASKED
    alone: bool = True
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A candidate with its place in the message, for what the next sentence says about it."""

    candidate: Candidate
    start: int
    end: int


_LEAD = re.compile(
    r"^(?:另外|[哦噢啊]?还有|對了|对了|而且|顺便(?:说(?:一下|一句)?|提一下)?|順便|嗯+|好的?|行|哦|噢|那个|话说|对|是的|再就是|最后|首先|"
    r"其次|其一|然后|补充(?:一下|一点)?|"
    r"ok(?:ay)?|also|and|oh|btw|by the way|yes|yeah|well|so|anyway|plus|additionally|thanks|great|nice|cool|first(?:ly)?|"
    r"second(?:ly)?|finally|lastly|ps|p\.s|fyi|"
    r"one more thing|another thing|hi|hey|hello|hm+|sure|right|just so you know|for the record|honestly|frankly)\s?[，,、.:：!！—–-]+\s*|"
    r"^(?:also|and|oh|btw|so|plus|but)\s+", re.I)
_WORD = re.compile("[a-z]+(?:['’][a-z]+)?")
_WIDE = re.compile("[\u4e00-\u9fff]")
_EDGES = " \t，,：:、—–-"
_POLITE = re.compile(
    r"^(?:(?:hi|hey|hello|so|and|also|please)[, ]+)*(?:can|could|would|will) you\b|^(?:能不能|能否|可不可以|可否|可以|你能|你可以|"
    r"能(?=记|帮))", re.I)
_ONLY_VALUE = re.compile(
    r"^(?:it|it's|that|that's|this|there|they|these|those|on|at|in|by|from|to|the other|not|try|again|fine|make|you|your|i think|"
    r"let|just|please|never|go|use|do|add|remove|what|when|why|how|because|nothing|all|both|neither|ok)\b|"
    r"^(?:你|它|他|她|这|那|是|应该|不是|再|就|别|请|先|改|我的意思|没事|没关系|不用|可以|行|好|算|等|换|另|"
    r"重|还是|因为|太|很|有点|应为)", re.I)
_SAYS_OF = re.compile(
    r"^[\w' ./&-]{2,50}? (?:is|are|was|were|lives?|uses?|runs?|starts?|ends?|goes|moved|has|have|works?|meets?|costs?|happens?|"
    r"takes|sits|closes|opens|expires|called|spelled)\b|\w's (?!go\b|see\b|try\b|make\b)|"
    r"^[^，,。是在叫改为用有住]{1,14}(?:是|在|叫|改|为|用|有|住|应该|定|换|搬|已经|到|只|都|不)", re.I)
_SETTLED = re.compile(
    r"\b(?:decided|agreed|settled|decision|voted|chose)\b|决定|说好|说定|商定|约定|选定|敲定|定下|定了|定为|拍板|通过了", re.I)
_HAPPENS = re.compile(r".*(?:坏了|不工作|失灵)$|.*\b(?:doesn't|does not|isn't|won't) work\w*\b|(?:每次|每回|一|只要)(?![^。]*(?:你|请|别|"
    r"不要|先|问|告诉|提醒))|(?:when(?:ever)?|every time|each time|if) (?:i|we)\b[^,]*, ?(?:it|nothing|everything|the|i get|i see)\b", re.I)
_ONCE = re.compile(
    r"^(?:那)?(?:就|都)?(?:这么)?(?:定|说定|办)了[。!！]?$|"
    r"\blast (?:christmas|easter|summer|winter|spring|autumn|fall|weekend|year)\b.*\bdecided to\b|决定[^。]*结果(?:下|就|还|没|发|又|遇)|"
    r"^(?:那)?就[用选按叫走][^，,]{1,10}吧[。!！]?$|"
    r"\bdecided? (?:where|what|who|how|which|whether|when)\b|\bdecided to (?:go (?!with|for|back|all|fully)|fly|travel|visit|drive|take|"
    r"walk|stay|sleep|eat|order|watch|leave|wait|try|skip|drive|call|ask|have|cook|see)\b"
    r"(?!.*\b(?:always|never|every|for good|from now|permanently|only|instead of|rather than)\b)|决定(?:就|再|先)?(?:去|飞|坐|走(?:回|着|"
    r"路)|回家|早点|打车|"
    r"走路|留在|出去|点(?!名)|吃|看|睡|等)(?![^，]*(?:每|以后|长期|都|从)|.*[，,]不)", re.I)
_FOR_CASES = re.compile(
    r"(?:if|when) (?!(?:i|we) (?:was|were|had|could|lived|won|knew|became|ever|moved)\b)|(?:你)?(?:如果|要是|若)(?!我(?:们)?(?:是|有|能|"
    r"会|变|住|当|搬|决定|从|以后|都|不)|能|有(?:钱|一天|机会))", re.I)
_YOU_ERR = re.compile(r"you (?:keep|always|still|got|get|said|say|wrote|have|mixed|confused)\b|you've\b|你(?:又|老|总|还|怎么|刚)?", re.I)
_WISH_IF = re.compile(r"\b(?:prefer(?: it)?|appreciate it|love it|like it|grateful|happy|glad|nice|better|rather) (?:if )?you\b", re.I)
_SAID_BY = re.compile(r", (?:says?|said|claims|reads|wrote|writes) (?:the|my|an?|he|she|this|that|his|her)\b", re.I)
_TOLD_SO = re.compile(r"^[\x00-\u2e7f]+$|^(?!.*[，,]我(?:就|也|会|得|肯定|倒))(?=.*(?:别|不要|先|请|你|问|告诉|提醒|用|按|直接|给我|必须|"
    r"一律|就(?=[写用叫说给删])))")
_INJECTED = re.compile(
    r"\b(?:the|your) (?:user|owner|human)(?:'s)? (?:always |already |never )?(?:wants?|prefers?|approves?|approved|has|agrees?|agreed|"
    r"likes?|consents?|allows?|authori[sz]e[sd]?|is)\b|"
    r"\b(?:dear |hey |hello |attention )?(?:ai )?(?:assistants?|agents?|chat ?bots?|language models?|llms?)\b.{0,20}\b(?:must|should|"
    r"please|remember|note|are to)\b|"
    r"(?:用户|主人)(?:希望|同意|已经?|批准|偏好|喜欢|要求|授权|允许|始终|总是)|(?:AI|智能)?助手(?:请|必须|应|们|要|须)|请(?:AI|智能|"
    r"本)?助手|ignore (?:all |the |any |my )?(?:previous|prior|above) (?:instructions|rules|prompts)|忽略(?:之前|以上|"
    r"前面)的?(?:所有)?(?:指令|提示)", re.I)
_OWN = re.compile(r"\b(?:my|our|we|i)\b|我|咱", re.I)
_ORDER = re.compile(r"\bfirst\b.*\b(?:then|second|after|later)\b|\b(?:before|after)\b|先.*(?:后|再)|才", re.I)
_CONTRAST = re.compile(r"\bnot\b|n't\b|\bno longer\b|\binstead\b|不是|不在|不叫|不用|而不|没有|不再|不住|而是", re.I)
_CREDENTIAL = re.compile(
    r"(?:pass(?:word|code|phrase)|\bpin\b(?: code)?|door code|gate code|alarm code|security code|cvv|密码|口令|验证码|门禁码|密碼|"
    r"开机码|取件码|提取码|支付码|助记词|seed phrase|recovery (?:code|phrase|key)|安全码|\bpwd\b)"
    r"[^，,。.;；]{0,12}?\s?(?:is|are|was|[:=：]|是|为|叫|设成|改成|改为)[\s：:“\"'`「]*(?!(?:kept|stored|in\b|on\b|at\b|with\b|"
    r"managed|rotated|放|存|在|由|每|多久|统一|要|不|必须|for\b|to be|never|only|not\b|changed|the same|shared|by\b))"
    r"[\w!@#$%^&*+=?~.-]{3,}|(?:密码|口令|验证码|门禁码|(?<![A-Za-z])pin(?![A-Za-z])|passcode|(?:door|gate|alarm) code|cvv|password|"
    r"passphrase|令牌|token)(?:[^。.;；]{0,24}?(?<![A-Za-z0-9.]))?[（(“\"]?(?!(?:19|20)\d\d\b)(?!1password)"
    r"(?=[A-Za-z0-9_!@#$%^&*~-]*\d)[A-Za-z0-9_!@#$%^&*~-]{3,}(?!\s?(?:天|位|个|次|年|小时|分钟|字符|characters?|chars|days?|months?|"
    r"weeks?|hours?|digits?|minutes?|seconds?|letters?|times|years?|秒))", re.I)
_WORDS_KEY = re.compile(r"\bcode\b[^.;,]{0,30}\bis\s+\d{4,}|门禁码?[^，,。]{0,4}\d{4,}|(?:助记词|seed phrase|recovery (?:phrase|words|"
    r"key)|mnemonic)\s*(?:is|are|是|为|[:：=])", re.I)
_NUMBER = re.compile(r"(?<![\d.])(?:\d[ -]?){15,19}(?![\d.])|(?<!\d)\d{17}[\dXx](?!\d)|\b\d{3}-\d{2}-\d{4}\b")


def candidates(message: str, limit: int = 2, mode: str = "assist", most_chars: int = SENTENCE_LIMIT) -> list[Candidate]:
    """At most `limit` statements in one message of the owner: the strongest, in the order in which they stand."""
    if mode not in MODES:
        return []
    found = _found(message, MODES[mode], min(most_chars, LONGEST))
    strongest = sorted(found, key=lambda item: (item.candidate.strength, item.start))[:max(0, limit)]
    return [item.candidate for item in sorted(strongest, key=lambda item: item.start)]


_CONCLUDES = re.compile(
    r"^(?:so,? )?(?:in conclusion|conclusion|to sum up|in short|in summary|bottom line|(?:the )?(?:root )?cause (?:is|was)|decision|"
    r"we (?:have )?decided|"
    r"agreed|from now on|the (?:fix|answer|upshot|takeaway) (?:is|was))\b|^(?:因此[，,]?)?(?:结论|总之|"
    r"总的来说|综上|最终|根本原因|原因(?:是|在于)|以后|统一|决定|约定)", re.I)
_CONCLUDES_LEAD = re.compile(
    r"^(?:(?:so,? )?(?:in conclusion|conclusion|to sum up|in short|in summary|bottom line|decision|agreed)|结论(?:是)?|总之|"
    r"总的来说|综上(?:所述)?)\s*[，,:：]\s*", re.I)


def conclusion(message: str, most_chars: int = SENTENCE_LIMIT) -> Candidate | None:
    """The last sentence of an assistant's message that draws a conclusion."""
    for sentence in reversed(sentences(message)):
        masked = sentence.masked.lstrip("*_ ")
        if not _CONCLUDES.match(masked) or not SHORTEST * 2 <= len(sentence.text) <= most_chars or sensitive(sentence.text):
            continue
        if unkept.question(masked) or unkept.guessed(masked) or unkept.supposed(masked) or unkept.others(masked):
            continue
        lead = _CONCLUDES_LEAD.match(sentence.masked)
        return Candidate(sentence.text[lead.end() if lead else 0:], sentence.text, "finding", strength=WEAK)
    return None


def _secret_at(message: str, item: _Found) -> bool:
    """Whether a statement holds a credential, or the end of one that the cut between sentences went through."""
    begin = max(0, item.start - 40)
    around = message[begin: item.end]
    return sensitive(item.candidate.quote) or any(found.end() + begin > item.start for found in _CREDENTIAL.finditer(around))


def sensitive(text: str) -> bool:
    """Whether a text holds a credential or a number that identifies or pays; how credentials are handled is none."""
    return bool(secret.find(text)) or any(pattern.search(text) for pattern in (_WORDS_KEY, _CREDENTIAL, _NUMBER))


def _found(message: str, most: int, limit: int) -> list[_Found]:
    """Every statement up to a strength. A later sentence may take an earlier one back, correct it, or ask to remember it."""
    found: list[_Found] = []
    before: Sentence | None = None
    listing = pending = False
    for sentence in sentences(message):
        if len(found) >= MOST_FOUND:
            break
        if len(sentence.text) > limit:
            before, listing = None, False
            continue
        if _taken_back(sentence.masked):
            found, before = found[:-1], None
            continue
        opened = sentence.opens and _requests(sentence.masked)
        meant = _meant(sentence, before) if not opened else None
        item = meant or _one(sentence, most, asked=pending or (listing and sentence.listed))
        pending = before is None and meant is None and item is None and not opened and _cue("THAT", sentence.masked) is not None
        listing = opened or (listing and sentence.listed)
        if item is not None:
            _join(found, item, message, limit)
        before = sentence
    return [item for item in found if item.candidate.strength <= most and not _secret_at(message, item)]


def _taken_back(masked: str) -> bool:
    """`Never mind` takes back; `never mind, let's use the date` says what holds instead."""
    found = _cue("TAKEN_BACK", masked)
    rest = masked[found.end():].lstrip(_EDGES + "。.") if found else ""
    return found is not None and not (len(rest) >= SHORTEST and lasting.verdict(rest[:LOOKED]).holds)


def _requests(masked: str) -> bool:
    """`Please remember the following:` and its like, with a list behind it."""
    return _cue("ASK", masked) is not None or _cue("RULE", masked) is not None


def _meant(sentence: Sentence, before: Sentence | None) -> _Found | None:
    """`I am a vegetarian. Please remember that.`: the sentence before is what is asked for."""
    if _cue("THAT", sentence.masked) is None:
        return None
    if before is None or len(before.text) < SHORTEST or unkept.question(before.masked) or unkept.others(before.masked):
        return None
    text = _led(before).text
    return _Found(Candidate(text, text, "fact"), before.end - len(text), before.end)


def _led(sentence: Sentence) -> Sentence:
    """The sentence without `also, ` and its like."""
    for _ in range(3):
        lead = _LEAD.match(sentence.masked)
        if lead is None or lead.end() >= len(sentence.text):
            break
        at = lead.end()
        sentence = replace(sentence, text=sentence.text[at:], masked=sentence.masked[at:], start=sentence.start + at)
    return sentence


def _cue(name: str, masked: str) -> "re.Match[str] | None":
    """The first cue of this name; patterns of a language that the sentence has no words of are not tried."""
    words = _words(masked)
    wanted = cues_en.WORDS.get(name)
    beginning = masked[:LOOKED]
    if words and (wanted is None or not words.isdisjoint(wanted)) and (found := getattr(cues_en, name).search(beginning)):
        return found  # type: ignore[no-any-return]
    return getattr(cues_zh, name).search(beginning) if _WIDE.search(masked) else None


@lru_cache(maxsize=8)
def _words(masked: str) -> frozenset[str]:
    return frozenset(_WORD.findall(masked.lower().replace("’", "'")))


def _one(sentence: Sentence, most: int, asked: bool) -> _Found | None:
    mocked = unkept.sarcasm(sentence.masked)  # before `oh sure, ` is gone
    sentence = _led(sentence)
    if len(sentence.text) < SHORTEST or _INJECTED.search(sentence.masked):
        return None
    candidate = _listed(sentence) if asked else None
    for look, name in _LOOKS:
        if candidate is None and (look is _asked or (not mocked and (sentence.alone or look is _ruled))):
            candidate = look(sentence)
            if candidate is not None and look in (_ruled, _decided, _tasted, _held) and _spoken_against(sentence.masked, look):
                return None
            candidate = replace(candidate, because=candidate.because or (name,)) if candidate is not None else None
    if candidate is None or candidate.strength > most:
        return None
    return _Found(candidate, sentence.start, sentence.end)


def _listed(sentence: Sentence) -> Candidate | None:
    """An item of a list that the owner asked to remember."""
    masked = sentence.masked
    if unkept.question(masked) or cues_en.TASK.match(masked) or cues_zh.TASK.match(masked):
        return None
    return Candidate(sentence.text, sentence.text, "fact")


def _asked(sentence: Sentence) -> Candidate | None:
    masked, text = sentence.masked, sentence.text
    after = cues_en.BEHIND.match(masked) if not _words(masked).isdisjoint(cues_en.WORDS["THAT"]) else None
    vetoes = (unkept.others, unkept.question, unkept.supposed)
    if after and len(_WORD.findall(after["text"])) >= 3 and not any(veto(after["text"]) for veto in vetoes):
        return Candidate(text[after.start("text"): after.end("text")].strip(_EDGES), text, "fact")
    for cues, wide in ((cues_en, False), (cues_zh, True)):
        tried = _WIDE.search(masked) is not None if wide else not _words(masked).isdisjoint(cues_en.WORDS["ASK"])
        found = cues.ASK.search(masked) if tried else None
        if found and found["text"] and _may_be_asked(masked[: found.start()], found["text"], cues.TASK):
            kept = text[found.start("text"): found.end("text")].strip(_EDGES)
            polite = _POLITE.match(masked)
            if unkept.question(found["text"]) and not polite:
                return None
            kept = kept.rstrip("?？吗 ") if polite else kept
            return Candidate(kept, text, "fact") if len(kept) >= 3 else None
    behind = cues_zh.BEHIND.match(masked) if _WIDE.search(masked) else None
    if behind and _may_be_asked("", behind["text"], cues_zh.TASK) and not (
            unkept.others(behind["text"]) or unkept.question(behind["text"])):
        return Candidate(text[behind.start("text"): behind.end("text")].strip(_EDGES), text, "fact")
    return None


def _may_be_asked(head: str, rest: str, task: "re.Pattern[str]") -> bool:
    if _SAID_BY.search(rest) or task.match(rest) or not rest.strip("。.!！?？" + _EDGES):
        return False
    return not (unkept.others(head) or unkept.supposed(head) or unkept.example(head) or (head and unkept.sarcasm(head)))


def _corrects(sentence: Sentence) -> Candidate | None:
    masked, text = sentence.masked, sentence.text
    found = _cue("WRONG", masked)
    if found is None or unkept.question(masked) or unkept.guessed(masked) or unkept.others(masked) or unkept.trouble(masked):
        return None
    kept = text[found.start("text"): found.end("text")].strip(_EDGES)
    said = found["text"]
    if len(kept) < 2 or MASK * 2 in said[:3]:
        return None
    mild = re.match(r"(?:actually|其实|實際|实际上|sorry|rather|准确|确切)", masked, re.I)
    full = _ONLY_VALUE.match(said) is None and _says_of_what(said)
    if mild and not (full and (_OWN.search(said) or _CONTRAST.search(said))):
        return None
    if unkept.moment(said) and not values(said):
        return None
    return Candidate(kept, text, "fact", True, STATED, full)


def _says_of_what(said: str) -> bool:
    """Whether a correction says by itself what it is about."""
    if lasting.verdict(said[:LOOKED]).holds or (_ORDER.search(said) is not None and len(said) >= 8):
        return True
    telling = bool(values(said)) or any(map(str.isdigit, said)) or _OWN.search(said) is not None or _CONTRAST.search(said) is not None
    return telling and _SAYS_OF.search(said) is not None


def _ruled(sentence: Sentence) -> Candidate | None:
    masked = sentence.masked
    now = _cue("RULE", masked) if not cues_zh.LATER.match(masked) else None
    cue = now or (_cue("MANNER", masked) if sentence.alone else None)
    if cue is None:
        return None
    if any(veto(masked) for veto in (unkept.question, unkept.guessed, unkept.others, unkept.sarcasm)):
        return None
    if unkept.example(masked[: cue.start()]) or (unkept.trouble(masked) and _HAPPENS.match(masked)):
        return None
    if unkept.supposed(masked) and not cue[0].lower().startswith(("if ", "如果", "要是")):
        return None
    if now is None and (unkept.example(masked) or unkept.moment(masked[: cue.start()] + masked[cue.end():]) or unkept.praise(masked)):
        return None
    return Candidate(sentence.text, sentence.text, "decision", strength=ASKED if now else STATED)


def _decided(sentence: Sentence) -> Candidate | None:
    masked = sentence.masked
    policy = _cue("POLICY", masked)
    if policy is None and _cue("DECISION", masked) is None:
        return None
    if _doubtful(masked) or any(veto(masked) for veto in (unkept.praise, unkept.undecided, unkept.sarcasm, unkept.example)):
        return None
    if _ONCE.search(masked) and not policy:
        return None
    if not policy and (unkept.trouble(masked) or (unkept.moment(masked) and not _SETTLED.search(masked))):
        return None
    return Candidate(sentence.text, sentence.text, "decision", strength=STATED)


def _tasted(sentence: Sentence) -> Candidate | None:
    if _cue("TASTE", sentence.masked) is None:
        return None
    return _lasting(sentence, "preference", STATED)


def _held(sentence: Sentence) -> Candidate | None:
    """A lasting fact, or what somebody means to reach."""
    masked = sentence.masked
    if _cue("FACT", masked) is None and _cue("PLAIN", masked) is None:
        return None
    goal = re.search(
    r"\b(?:goal|aim|target|ambition|want to|plan to|training for|saving)\b|目标|打算|计划|备考|攒钱|愿望|梦想", masked, re.I)
    return _lasting(sentence, "goal" if goal else "fact", WEAK)


def _built(sentence: Sentence) -> Candidate | None:
    """What no list of phrases knows but whose build says that it holds: see `lasting`."""
    masked = sentence.masked
    found = lasting.verdict(masked[:LOOKED])
    if not found.holds or _ONCE.search(masked) or unkept.question(masked) or unkept.sarcasm(masked):
        return None
    for_cases = _FOR_CASES.match(masked) and "request" in found.features and _TOLD_SO.search(masked)
    if unkept.supposed(masked) and not for_cases and not _WISH_IF.search(masked):
        return None
    doubts = [name for name in lasting.DOUBTS if getattr(unkept, name)(masked) and not (name == "reported" and _YOU_ERR.match(masked))
              and not (name == "praise" and "final" in found.features)]
    if found.score + sum(lasting.DOUBTS[name] for name in doubts) < lasting.ENOUGH:
        return None
    return Candidate(sentence.text, sentence.text, found.kind, strength=WEAK if found.kind == "fact" else STATED, because=found.features)


def _spoken_against(masked: str, look: object) -> bool:
    """Whether the build of a sentence says that it is about somebody else, about what was, or about this hour, in spite of its words."""
    if unkept.advised(masked):
        return False
    found = lasting.verdict(masked[:LOOKED])
    names = set(found.features)
    if names & {"third", "story"} or (names & {"general", "single"} and not found.holds):
        return True
    if "pointing" in names and not found.holds and look is not _ruled:
        return True
    return look is not _ruled and bool(found.features) and found.score < 0.5


def _lasting(sentence: Sentence, kind: str, strength: int) -> Candidate | None:
    masked = sentence.masked
    for veto in (unkept.moment, unkept.trouble, unkept.praise, unkept.sarcasm, unkept.example, unkept.chat):
        if veto(masked):
            return None
    return None if _doubtful(masked) else Candidate(sentence.text, sentence.text, kind, strength=strength)


def _doubtful(masked: str) -> bool:
    return unkept.question(masked) or unkept.supposed(masked) or unkept.guessed(masked) or unkept.others(masked)


_LOOKS = ((_asked, "asked"), (_corrects, "corrected"), (_ruled, "rule"), (_decided, "decision"), (_tasted, "preference"), (_held, "fact"),
          (_built, "build"))


def _join(found: list[_Found], item: _Found, message: str, limit: int) -> None:
    """Add a statement. A correction of one before it takes its place: the last one holds.

    One that says only the right value is kept together with the sentence it corrects, word for word.
    """
    candidate = item.candidate
    if found and found[-1].start <= item.start and item.end <= found[-1].end:
        found.pop()  # said, and then asked to be remembered
    if candidate.correction and found:
        last = found[-1]
        span = message[last.start: item.end]
        if not candidate.alone:
            if item.start - last.end <= 3 and len(span) <= limit:
                text = message[last.start + last.candidate.quote.find(last.candidate.text): item.end]
                found[-1] = _Found(replace(last.candidate, text=text, quote=span), last.start, item.end)
            return
        found[:] = [known for known in found if not same_subject(known.candidate.text, candidate.text)]
    found.append(item)


def same_subject(old: str, new: str) -> bool:
    """Whether a correction is about what was said before: it shares half of its telling words."""
    first, second = set(units(old)), set(units(new))
    return bool(first and second) and len(first & second) * 2 >= min(len(first), len(second))
