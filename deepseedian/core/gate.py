"""What may be offered at all: smalltalk and questions that memory cannot answer are offered nothing.

Coverage is the part of a question's content that an entry holds, each word alike; relevance is the same with rare
words counting more. Content is what is left of a question without its question words: Latin terms, and runs of
Chinese, Japanese or Korean characters between function words, in which a character is covered by any pair that holds it.
Words that only say what is to be done, when and how politely are spare: they count for an entry that holds them, and are
not missed in one that does not.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import lru_cache

from deepseedian.core.entry import TRUSTS
from deepseedian.core.text import FILLER, STOPPED, WIDE, folded_line, pairs, tokens

INTENT_RELEVANCE, REMARK_RELEVANCE = 0.25, 0.5
QUESTION_SHARE = 0.45
WISH_CHARS = 60
HELPING = "有没会能要想"  # by themselves they are what auxiliary verbs are in English

_WORD = re.compile(r"\w+(?:[.'\-]\w+)*")
# What a question says is read in lower case: a pattern that has to mind the case takes twice as long.
# Possessive where a piece could be split in two ways: 嗯嗯嗯…x would be tried in every way.
_SMALLTALK = re.compile(
    r"^\W*(?:(?:hi|hello|hey|yo|good (?:morning|afternoon|evening|night)|thanks?(?: you)?(?: so much| a lot|"
    r" very much)?|thx|ok(?:ay)?|cool|great|nice|awesome|perfect|"
    r"sure|yes|yeah|yep|no|nope|lol|haha++|bye|goodbye|see you(?: later| soon| tomorrow)?|got it|sounds good|never ?mind|"
    r"well done|good job|you'?re welcome|welcome back|how are you(?: doing)?(?: today)?|"
    r"how'?s it going|what'?s up|sorry|please|go on|continue|there|again|everyone|all|friend|buddy|then)\W*)+$|"
    r"^\W*(?:(?:你好|您好|嗨|哈喽|早上好|早安|早|上午好|中午好|下午好|晚上好|晚安|谢谢你?+|多谢|感谢|辛苦了?+|好的?+|行|可以|没问题|没事|明白了?+|知道了|收到|嗯++|哦++|哈++|呵++|再见|拜拜|回头见|明天见|"
    r"太好了|太棒了|真棒|厉害|不错|对|是的|没错|不用了?+|算了|继续|抱歉|对不起|不好意思|在吗|你在吗|最近怎么样|你好吗|吃了吗|啦|呀|啊|了|哇|呢|吧)\W*)+$")
_WISH = re.compile(
    r"^\W*(?:(?:happy|merry) (?:new year|birthday|holidays?|christmas|easter|\w+day)|have a (?:good|great|nice|lovely|"
    r"safe|wonderful) \w+|good luck|congratulations|"
    r"what an? (?!m)|(?:i'?m|i am|i feel) (?:so |very |really |a bit |just |quite )*(?:tired|bored|happy|sad|sleepy|excited|"
    r"hungry|lonely|stressed|fine|ok)|"
    r"it'?s (?:so |very |really )?(?:raining|snowing|hot|cold|sunny|late|nice|lovely|friday|monday))\b|"
    r"^\W*(?:祝你|祝您|恭喜|.{0,4}(?:愉快|快乐)\W*$|一路(?:顺风|平安)|加油|(?:我)?(?:今天|现在|最近)?(?:有点|好|很|真|太)(?:累|困|饿|无聊|开心|高兴|难过|冷|热|忙|烦))")
_INTENT = re.compile(
    r"\b(?:we|our|ours|us|my|mine|i|i'm|i've|remember(?:ed)?|remind|recall|last time|earlier|previously|before|"
    r"decid(?:e|ed)|decision|agree[ds]?|agreement|convention|"
    r"prefer(?:s|red|ence)?|favou?rite|usual(?:ly)?|policy|rule|plan(?:ned)?|promis(?:e|ed)|told you|said|mention(?:ed)?|"
    r"noted?|team|project)\b|"
    r"我|咱|记得|记住|上次|上回|之前|以前|先前|约定|约好|说好|决定|定的|定了|说过|提过|讲过|偏好|喜欢|习惯|讨厌|规定|规则|惯例|一般|通常|平时|计划|打算|项目|团队|还记|当初")

_ASKED = re.compile(
    r"[?？]\s*$|^\W*(?:and |so |but )?(?:who|whom|whose|what(?! an? )|when|where|which|why|how(?! (?:nice|lovely|sweet|cute|sad))|"
    r"is|are|was|were|do|does|did|can|could|should|shall|may|has|have(?! an? )|will|please|"
    r"book|order|plan|draft|schedule|set up|prepare|make|give|write|suggest|recommend|choose|pick|buy|remind|find|"
    r"look up|check|list)\b|^\W*(?:请|按|照)|(?:帮|给|替)我|^\W*帮|推荐|建议|安排|"
    r"什么|怎么|怎样|如何|哪|谁|多少|几[个点号天月位种条次年]|吗|为何|为什么|是不是|有没有|能不能|多[大长久高]")
_LIKES = re.compile(
    r"\b(?:i (?:do )?(?:like|love|prefer|hate|want|eat|drink|take)|do i (?:like|prefer|take|want|drink|eat|usually)\b|"
    r"(?:which|what) .{1,40} should i\b|my (?:favou?rite|usual|style|taste)|the way i|"
    r"how do i (?:like|take)|prefer\w*)\b|我.{0,4}(?:喜欢|爱|偏好|习惯|讨厌|常|一贯|一般|不吃|忌)|忌口|老样子")
_TASTE = re.compile(
    r"(?i)\b(?:i (?:always |only |never |usually |do not |don't )?(?:like|love|prefer|hate|eat|drink|take|ask for|book|use|want|need)|"
    r"prefer\w*|favou?rite|rather than|never with|allerg\w+|sign my|keep my|avoid)\b|"
    r"喜欢|偏爱|偏好|讨厌|习惯|从不|绝不|绝对不|不喝|不吃|不用|不写|不要|只喝|只吃|只用|过敏|爱")
# That something is known, was said or is liked is what a question supposes, not what it is about, unless it says nothing else.
_SUPPOSED = re.compile(r"(?i)\b(?:know|known|knew|remember(?:ed)?|recall|said|says?|tell|told|mention(?:ed)?|talk(?:ed|ing)?|"
                       r"discuss(?:ed)?|likes?|prefers?|(?:any|some|every)thing)\b")
_LIKED = re.compile("喜欢|偏好|习惯|讨厌")
# What a request wants done is not what it is about, nor is what only says when, how surely or how politely: 还, 已经 and 请 are
# fillers in Chinese, and still, already and please are no more. What an entry holds of them counts, what it lacks does not.
_SPARE = re.compile(
    r"\b(?:please|still|already|yet|now|currently|again|ever|anyway|actually|maybe|perhaps|while|"
    r"until|as usual|remind(?: me| us)?|"
    r"make sure|don't forget)\b|"
    r"^\W*(?:(?:can|could|would|will) you )?(?:please )?(?:book|order|make|write|draft|plan|give|get|find|schedule|set up|prepare|"
    r"suggest|recommend|create|buy|reserve|help|show|list|pick|choose)\b(?: (?:me|us))?|"
    r"(?:^\W*(?:请|麻烦)?|(?:帮|给|替)(?:我|我们|忙)?|[，,。;；]\s*)(?:安排|推荐|建议|预约|预订|计划|看看|看一下|查查|查一下|找找|提醒|准备|"
    r"[订定点买挑选找写做填查想](?=一|个|几|份|张|封|双|款|下))(?:一下|(?:一|几)?[个份张封篇首段家双款条趟些]|点)?|"
    r"(?:今|明|后|昨)(?:天|日|晚|早|年)(?:早上|晚上|上午|下午)?|(?:上|下|这|本)(?:个)?(?:周|星期|礼拜|月)(?![一二三四五六日天末])|怎么办|要不要|该不该|"
    r"\b(?:today|tomorrow|tonight|yesterday|(?:this|next|last) (?:week|month|year|time))\b|"
    r"别忘了?|不要忘|老样子|照旧|照常")
_TO_ME = re.compile(r"\b(?:tell|give|show|write|send|teach|let) (?:me|us)\b|"
                    r"(?:帮|给|替|告诉|教|跟|和|让)我(?:们)?(?![爸妈爷奶哥姐弟妹老女儿孩家])")
# What only its owner can want done: whoever does it has to know with whom, where and how. Writing and explaining can be done without.
_ERRAND = re.compile(
    r"^\W*(?:(?:can|could|would|will) you )?(?:please )?(?:book|order|buy|reserve|schedule|plan|pack|remind|"
    r"make (?:me |us )?(?:an? )?(?:\w+ )?(?:list|plan|reservation|appointment)|"
    r"(?:suggest|recommend|pick|choose|find) (?:me |us )?(?:an?|some) )\b|"
    r"(?:^|[，,。；\s]|(?:帮|给|替)(?:我|我们)?)(?:安排|预约|预订|提醒|推荐|准备|[订定点买挑选约](?!义|击|评|择|束))")
_OWN = re.compile(r"\b(?:i|i'm|i've|me|my|mine|we|us|our|ours|remember\w*|recall|memor(?:y|ies))\b|我|咱|记得|记住|记忆")
_YOU = re.compile(r"\b(?:you|your|yours|you're)\b|你|您")
# What the assistant is asked to do with something is asked of it, not about it.
_YOU_KNOW = re.compile(r"^\W*(?:can|could|would|will) you (?:please )?(?!be\b|feel\b|think\b)\w+ (?:an?|the|some|\w+'s)\b|"
                       r"\byou (?:know|remember|tell|find|look|check|show|list|help)\b|"
                       r"(?:你|您)(?:还)?(?:知道|记得|记不记得|能|可以|帮|说|告诉|查|看|找)")
_GENERAL = re.compile(
    r"\b(?:what (?:is|are|does) (?:an?|the (?:meaning|definition|difference|capital|population|history))\b|"
    r"what does .{1,40} mean|explain|define|in general|"
    r"how (?:do|does) .{1,60} work|why (?:do|are) (?!us\b|his\b|its\b|this\b)[a-z]+s\b|"
    r"who (?:invented|wrote|discovered|painted)|write (?:a|an|me)\b|a joke|joke about|"
    r"summari[sz]e|translate|recipe|"
    r"difference between|history of|plot of|meaning of)|"
    r"什么是|是什么意思|(?:什么|何|啥)(?:区别|不同)|区别是|解释|介绍|讲了|讲(?:一)?个|写(?:一|个|首|段|篇)|谁发明|谁写的|原理|定义|翻译|笑话|故事|做法|世界上|历史上")


@dataclass(frozen=True, slots=True)
class Gates:
    """The settings of the gates; see the table of settings for their ranges."""

    intent: bool = True
    confident: float = 0.9
    coverage: float = 0.2
    score: float = 0.1
    relevance: float = 0.12
    chars: int = 4
    trusts: frozenset[str] = frozenset(TRUSTS[:2])


@dataclass(frozen=True, slots=True)
class Piece:
    """One bit of a question's content: held by a text that has one of these terms. A spare one counts only where it is held."""

    terms: frozenset[str]
    share: float
    spare: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """A question as the gates see it. What is asked of the assistant about itself is smalltalk: memory does not know it."""

    pieces: tuple[Piece, ...]
    intent: bool = False
    smalltalk: bool = False
    asked: bool = False
    general: bool = False
    taste: bool = False

    def least(self, confident: float, text: str = "") -> float:
        """From which relevance on an entry is offered: much for a remark or a question about the world, little for one
        about what was shared, agreed or preferred, and in between for any other question. A question about somebody's
        taste needs no more than a text that tells of taste."""
        if self.taste and _TASTE.search(text):
            return 0.0
        if self.intent:
            return INTENT_RELEVANCE if self.asked else REMARK_RELEVANCE
        return confident * QUESTION_SHARE if self.asked and not self.general else confident


class Lens:
    """A question's content against one index: which of its terms an entry holds is a number, one bit for each term.

    Asked some hundred times in a recall, so sums over bits replace sums over words.
    """

    def __init__(self, asked: Content, weight: Callable[[str], float]) -> None:
        """`weight` is what a term says about a text: `ranking.rarity`."""
        self.terms = tuple(sorted(frozenset().union(*(piece.terms for piece in asked.pieces))))
        bits = {term: 1 << at for at, term in enumerate(self.terms)}
        self.words = sum(bit for term, bit in bits.items() if term.isascii())
        self._pieces = [(sum(bits[term] for term in piece.terms), piece.share, piece.share * min(map(weight, piece.terms)), piece.spare)
                        for piece in asked.pieces]
        self._shares: dict[int, tuple[float, float]] = {}

    def bits(self, held: Collection[str]) -> int:
        """Of terms that a text holds."""
        return sum(1 << at for at, term in enumerate(self.terms) if term in held)

    def coverage(self, seen: int) -> float:
        """0–1: how much of the question's content is held, each word alike."""
        return self.shares(seen)[0]

    def relevance(self, seen: int) -> float:
        """The same with each piece weighing what its best-known term does."""
        return self.shares(seen)[1]

    def shares(self, seen: int) -> tuple[float, float]:
        """Coverage and relevance."""
        found = self._shares.get(seen)
        if found is None:
            counted = [(share, value, mask & seen) for mask, share, value, spare in self._pieces if mask & seen or not spare]
            shares, values = sum([share for share, *_ in counted]) or 1.0, sum([value for _, value, _ in counted]) or 1.0
            found = self._shares[seen] = (sum([share for share, _, held in counted if held]) / shares,
                                          sum([value for _, value, held in counted if held]) / values)
        return found


@lru_cache(maxsize=64)
def content(question: str) -> Content:
    """What a question is made of; the same for every entry."""
    line = folded_line(question)
    said = line.lower()
    bare, spare = _parted(line if len(said) == len(line) else said, said)
    pieces = _said(bare)
    if pieces:
        pieces += [replace(piece, spare=True) for words in spare for piece in _said(words)]
    else:  # a question of nothing else keeps these words, and one of no more than what it supposes keeps that
        pieces = _said(line) or _content(" ".join(_SUPPOSED.findall(line) + _LIKED.findall(line)))
    at_you = bool(_YOU.search(said)) and not _OWN.search(said) and not _YOU_KNOW.search(said)
    intent = bool(_INTENT.search(_TO_ME.sub(" ", said)) or _ERRAND.search(said)) and not at_you
    return Content(tuple(pieces), intent, at_you or _small(said), bool(_ASKED.search(said)), bool(_GENERAL.search(said)),
                   bool(_LIKES.search(said)) and not at_you)


def _content(line: str) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for run in WIDE.finditer(line):
        pieces += [piece for word in _WORD.findall(line[at:run.start()]) for piece in _named(word)] + _pieces(run[0])
        at = run.end()
    return pieces + [piece for word in _WORD.findall(line[at:]) for piece in _named(word)]


def _small(line: str) -> bool:
    """A greeting, thanks, a wish or a mood: short, and not a question."""
    return bool(_SMALLTALK.match(line)) or (len(line) <= WISH_CHARS and bool(_WISH.match(line)) and not _ASKED.search(line))


def _parted(line: str, said: str) -> tuple[str, list[str]]:
    """A line without its spare words, and these; `said` is the same in lower case."""
    bare, spare, at = [], [], 0
    for found in _SPARE.finditer(said):
        bare.append(line[at:found.start()])
        spare.append(line[found.start():found.end()])
        at = found.end()
    return " ".join((*bare, line[at:])), spare


def _said(line: str) -> list[Piece]:
    """The pieces of what is left of a line without the words that only ask."""
    return _content(FILLER.sub(" ", _SUPPOSED.sub(" ", line)))


def _named(word: str) -> list[Piece]:
    terms = frozenset(tokens(word))
    return [Piece(terms, 1.0)] if terms and not terms <= STOPPED else []


def _pieces(run: str) -> list[Piece]:
    if len(run) == 1:
        return [Piece(frozenset((run,)), 0.5)] if run not in HELPING else []
    held = pairs(run)
    around = [frozenset(held[max(0, at - 1): at + 1]) for at in range(len(run))]
    return [Piece(terms, 0.5) for terms in around]
