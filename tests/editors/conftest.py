"""An editor on a note of the vault, with the client installed into a configuration of this test alone."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.editors.neovim import Editor, install, program

Open = Callable[..., Editor]


@pytest.fixture
def edit(vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Open a note of the vault, made with what it shall hold; all editors are closed at the end."""
    program()
    monkeypatch.setenv("HOME", str(tmp_path / "house"))
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "house" / name.lower()))
    monkeypatch.delenv("NVIM_APPNAME", raising=False)
    install(vault)

    with ExitStack() as opened:
        def open_note(name: str = "日记.md", text: str | bytes = "# 今天\n\n早上喝茶。\n", **environment: str) -> Editor:
            note = vault / name
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_bytes(text if isinstance(text, bytes) else text.encode())
            return opened.enter_context(Editor(vault.parent, str(note), **environment))

        yield open_note
