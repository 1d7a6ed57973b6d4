"""The stream of a turn, when its caller is gone before it began."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from deepseedian.api import asking as routes
from deepseedian.api.host import Host
from deepseedian.api.schemas import AskRequest
from tests.sidecar.test_asking import asking
from tests.streamed import answer, text


def test_a_caller_that_left_before_the_first_event_stops_its_turn(tmp_path: Path) -> None:
    async def gone() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def unheard(message: Any) -> None:
        raise OSError("gone")

    with asking(tmp_path / "v", [text("one "), 30.0, *answer("two")]) as (sidecar, _):
        told = routes.ask(Host(sidecar, "token", 0, ""), AskRequest(question="count", session="s1"))
        with pytest.raises(OSError):
            asyncio.run(told({"type": "http", "asgi": {"spec_version": "2.3"}}, gone, unheard))
        turn = next(iter(sidecar.running.values()))
        turn.join(20)
        assert turn.ended and sidecar.sessions.branch("s1")[-1].state == "stopped"
