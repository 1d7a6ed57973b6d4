"""What a judge is worth, worked out by hand with scripted ones, and through a real connection."""

import json
import re
import threading
from pathlib import Path

import pytest

from deepseedian.errors import ModelFailed
from deepseedian.evaluation.judged import Judged, chat_in_force, judged
from deepseedian.models.chat import Chat
from tests.commands import Command
from tests.scripted import Script, served

TEXTS = {"a": "the lamp in the hall is green", "b": "the lamp in the hall was bought in Oslo", "c": "the lamp shop is closed", "d": "tea"}


class Keeps:
    """A judge that keeps the candidates with this word; without one it fails."""

    def __init__(self, word: str | None) -> None:
        self.word = word

    def answer(self, system: str, user: str, schema: dict[str, object], cancelled: threading.Event) -> str:
        if self.word is None:
            raise ModelFailed("the model's server answered 500", "try again later")
        found = json.loads(re.findall(r"^\{.*\}$", user, re.M)[0])["candidates"]
        return json.dumps({"keep": [item["number"] for item in found if self.word in item["text"]]})


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Two questions to three entries about a lamp, one that looks like a secret, one without gold."""
    asked = [("Which colour is the lamp in the hall?", ["a"]), ("Where was the lamp bought?", ["b"]), ("password: hunter2x9!", ["a"]), ("the lamp?", [])]
    line = {"store": "s", "docs": [{"id": key, "text": text} for key, text in TEXTS.items()],
            "questions": [{"q": question, "gold": gold} for question, gold in asked]}
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return path


def worth(path: Path, word: str | None, limit: int = 0) -> Judged:
    chat: Chat = Keeps(word)
    return judged(path, lambda seconds: chat, limit=limit)


def test_shares_are_those_worked_out_by_hand(questions: Path) -> None:
    green = worth(questions, "green")  # keeps one of three candidates: right for the first question, wrong for the second
    assert (green.questions, green.asked, green.not_asked, green.gold, green.kept, green.kept_gold) == (3, 2, 1, 2, 2, 1)
    document = green.document("f")
    assert document["keptGold"] == 0.5 and document["rightOfKept"] == 0.5 and document["rightOfAll"] == round(2 / 6, 4)
    every = worth(questions, "lamp").document("f")
    assert every["keptGold"] == 1.0 and every["rightOfKept"] == every["rightOfAll"]
    nothing = worth(questions, "never").document("f")
    assert nothing["keptGold"] == 0.0 and nothing["rightOfKept"] is None and nothing["failed"] == 0
    assert worth(questions, "green", limit=1).questions == 1


def test_a_judge_that_fails_is_counted_and_not_scored(questions: Path) -> None:
    document = worth(questions, None).document("f")
    assert document["failed"] == 2 and document["judged"] == 0 and document["keptGold"] is None
    assert document["faults"] == {"the model's server answered 500": 2}


def test_the_configured_model_is_asked_with_its_key(questions: Path, tmp_path: Path) -> None:
    with served(Script('{"keep":[1]}')) as script:
        command = Command(tmp_path, DEEPSEEDIAN_MODEL_KEY="k-1")
        found = command("eval", "judge", str(questions), "--set", f"model.endpoint={script.url}", "--set", "model.name=small")
    row = found["files"][0]
    assert row["judged"] == 2 and row["keptGold"] == 1.0 and row["p50_ms"] > 0
    assert script.asked[0]["model"] == "small" and script.headers[0]["authorization"] == "Bearer k-1"
    people = command.run("eval", "judge", str(questions), "--set", "model.endpoint=http://127.0.0.1:1", "--set", "model.name=small")
    assert people.status == 0 and "2 failed: the model's server cannot be reached" in people.out


def test_without_a_model_or_a_file_it_says_what_is_missing(questions: Path, tmp_path: Path) -> None:
    command = Command(tmp_path)
    assert "no model is configured" in command("eval", "judge", str(questions), status=2)["error"]["message"]
    assert command("eval", "judge", status=2)["error"]["code"] == "bad_input"
    assert chat_in_force({"model.endpoint": "http://127.0.0.1:1/v1", "model.name": "a", "judge.model": "b"})(3).model == "b"  # type: ignore[attr-defined]
