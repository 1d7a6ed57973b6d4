"""What may be offered at all: smalltalk and questions that memory cannot answer are offered nothing.

Coverage is the part of a question's content that an entry holds, each word alike; relevance is the same with rare
words counting more. Content is what is left of a question without its question words: Latin terms, and runs of
Chinese, Japanese or Korean characters between function words, in which a character is covered by any pair that holds it.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from deepseedian.core.entry import TRUSTS
from deepseedian.core.text import CJK, STOPPED, folded_line, pairs, tokens

INTENT_RELEVANCE = 0.3

_FILLER = re.compile(
    "为什么|什么样|怎么样|是什么|有没有|能不能|可不可以|是不是|会不会|要不要|什么|怎么|怎样|如何|哪个|哪些|哪里|哪儿|哪一|时候|多少|几个|可以|我们|咱们|你们|他们|她们|"
    "它们|这个|那个|这些|那些|一下|一个|请问|告诉|现在|目前|如果|还是|或者|但是|因为|所以|应该|已经|来着|到底|另外|以及|分别|关于|知道|记得|记不记得|帮我|"
    "[的了是在吗呢吧啊呀嘛嗯哦喔哈呵我你您他她它们这那哪谁和与及或就都也还又很太再会能把被将让给对从到于以之其着过个么啥吗]")
_WORD = re.compile(rf"[{CJK}]+|[^\W{CJK}]+(?:[.'\-][^\W{CJK}]+)*")
_SMALLTALK = re.compile(
    r"(?i)^\W*(?:(?:hi|hello|hey|yo|good (?:morning|afternoon|evening|night)|thanks?(?: you)?(?: so much| a lot|"
    r" very much)?|thx|ok(?:ay)?|cool|great|nice|awesome|perfect|"
    r"sure|yes|yeah|yep|no|nope|lol|haha+|bye|goodbye|see you(?: later| soon| tomorrow)?|got it|sounds good|never ?mind|"
    r"well done|good job|you'?re welcome|welcome back|how are you(?: doing)?(?: today)?|"
    r"how'?s it going|what'?s up|sorry|please|go on|continue|there|again|everyone|all|friend|buddy|then)\W*)+$|"
    r"^\W*(?:(?:你好|您好|嗨|哈喽|早上好|早安|早|上午好|中午好|下午好|晚上好|晚安|谢谢你?|多谢|感谢|辛苦了?|好的?|行|可以|没问题|没事|明白了?|知道了|收到|嗯+|哦+|哈+|呵+|再见|拜拜|回头见|明天见|"
    r"太好了|太棒了|真棒|厉害|不错|对|是的|没错|不用了?|算了|继续|抱歉|对不起|不好意思|在吗|你在吗|最近怎么样|你好吗|吃了吗|啦|呀|啊|了|哇|呢|吧)\W*)+$")
_INTENT = re.compile(
    r"(?i)\b(?:we|our|ours|us|my|mine|i|me|i'm|i've|remember(?:ed)?|remind|recall|last time|earlier|previously|before|again|"
    r"decid(?:e|ed)|decision|agree[ds]?|agreement|convention|"
    r"prefer(?:s|red|ence)?|favou?rite|usual(?:ly)?|policy|rule|plan(?:ned)?|promis(?:e|ed)|told you|said|mention(?:ed)?|"
    r"noted?|team|project)\b|"
    r"我|咱|记得|记住|上次|上回|之前|以前|先前|约定|约好|说好|决定|定的|定了|说过|提过|讲过|偏好|喜欢|习惯|讨厌|规定|规则|惯例|一般|通常|平时|计划|打算|项目|团队|还记|当初")


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
    """One bit of a question's content: held by a text that has one of these terms."""

    terms: frozenset[str]
    share: float


@dataclass(frozen=True, slots=True)
class Content:
    """A question as the gates see it."""

    pieces: tuple[Piece, ...]
    intent: bool
    smalltalk: bool

    @property
    def terms(self) -> frozenset[str]:
        """Every term that counts."""
        return frozenset().union(*(piece.terms for piece in self.pieces))

    def coverage(self, held: Collection[str]) -> float:
        """0–1: how much of the question's content a text with these terms holds."""
        whole = sum(piece.share for piece in self.pieces)
        return sum(piece.share for piece in self.pieces if not piece.terms.isdisjoint(held)) / whole if whole else 0.0

    def relevance(self, held: Collection[str], weight: Callable[[str], float]) -> float:
        """The same with each piece weighing what its best-known term does."""
        weighed = [(piece, piece.share * min(map(weight, piece.terms))) for piece in self.pieces]
        whole = sum(value for _, value in weighed)
        return sum(value for piece, value in weighed if not piece.terms.isdisjoint(held)) / whole if whole else 0.0


def content(question: str) -> Content:
    """What a question is made of; the same for every entry."""
    line = folded_line(question)
    pieces: list[Piece] = []
    for match in _WORD.finditer(_FILLER.sub(" ", line)):
        pieces += _pieces(match[0])
    return Content(tuple(pieces), bool(_INTENT.search(line)), bool(_SMALLTALK.match(line)))


def _pieces(word: str) -> list[Piece]:
    if not re.match(f"[{CJK}]", word):
        terms = frozenset(tokens(word))
        return [Piece(terms, 1.0)] if terms and not terms <= STOPPED else []
    if len(word) == 1:
        return []
    held = list(pairs(word))
    around = [frozenset(held[max(0, at - 1): at + 1]) for at in range(len(word))]
    return [Piece(terms, 0.5) for terms in around]
