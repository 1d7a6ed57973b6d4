"""A model's own scale, from sentences whose relation is known: where unrelated ones lie, and a question and its answer.

Raw cosines of models differ so much that one limit for all would let everything of one model in and nothing of another.
The sentences are fixed, in two languages, on subjects of everyday memory; a model is asked for them once.
"""

from statistics import fmean, median

from deepseedian.core.similar import Calibration
from deepseedian.models.embedding import Embedder

PAIRS = (
    ("When is the team meeting?", "The team meeting takes place every Thursday at three in the afternoon."),
    ("What do I like to drink?", "I prefer green tea to coffee."),
    ("Where did we go on holiday?", "Last summer our family travelled to the coast of Portugal."),
    ("Which database does the project use?", "We decided to store the project's data in PostgreSQL."),
    ("How old is my daughter?", "My daughter will be seven years old in May."),
    ("What am I allergic to?", "I get a rash from peanuts and must not eat them."),
    ("Who repairs the car?", "The garage in Mill Street repairs our car."),
    ("How should the code be formatted?", "Source code is indented with four spaces and lines are short."),
    ("周会几点开始？", "团队周会改到每周四下午三点。"),
    ("我喜欢喝什么？", "我平时爱喝绿茶，不喝咖啡。"),
    ("去年我们去哪里旅行了？", "去年夏天全家去了云南大理旅游。"),
    ("项目用的是什么数据库？", "项目的数据存放在 PostgreSQL 里。"),
    ("我女儿几岁了？", "女儿今年五月满七岁。"),
    ("我对什么食物过敏？", "我吃花生会起疹子，不能吃花生。"),
    ("猫叫什么名字？", "家里的猫名叫小黑，是邻居送的。"),
    ("我的房租是多少？", "每月房租四千五百元，月初付。"),
)


def calibrated(embedder: Embedder, seconds: float) -> Calibration:
    """Raises ModelFailed. Pairs of the same subject in two languages count neither way."""
    questions = embedder.embed([question for question, _ in PAIRS], question=True, seconds=seconds)
    texts = embedder.embed([text for _, text in PAIRS], question=False, seconds=seconds)
    cosines = (questions @ texts.T).tolist()
    half = len(PAIRS) // 2
    related = [cosines[at][at] for at in range(len(PAIRS))]
    unrelated = [cosines[row][column] for row in range(len(PAIRS)) for column in range(len(PAIRS)) if (row - column) % half]
    return Calibration(round(fmean(unrelated), 4), round(median(related), 4))
