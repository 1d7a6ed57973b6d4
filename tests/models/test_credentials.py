"""Keys: environment, keyring, private file, in this order; a keyring that is missing, broken or hanging costs nothing but itself."""

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from deepseedian.config.folders import config_folder, private
from deepseedian.errors import BadInput
from deepseedian.models import credentials, keyrings
from deepseedian.models.credentials import Held, clear, held, keep, names, path_of, plain, variable

posix = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")


class Ring(ModuleType):
    """Stands in for the `keyring` package."""

    def __init__(self) -> None:
        super().__init__("keyring")
        self.kept: dict[tuple[str, str], str] = {}
        self.asked = 0
        self.before: Callable[[], None] = lambda: None

    def get_password(self, service: str, name: str) -> str | None:
        self.asked += 1
        self.before()
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, key: str) -> None:
        self.before()
        self.kept[service, name] = key

    def delete_password(self, service: str, name: str) -> None:
        self.before()
        del self.kept[service, name]


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Ring:
    found = Ring()
    monkeypatch.setitem(sys.modules, "keyring", found)
    return found


@pytest.fixture
def no_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyrings, "installed", lambda: False)


def test_the_order_is_environment_keyring_file(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    private(config_folder())
    path_of("model").write_text("from-file\n", encoding="utf-8")
    path_of("model").chmod(0o600)
    assert held("model") == Held("from-file", str(config_folder() / "model.key"))
    ring.kept["deepseedian", "model"] = "from-ring"
    assert held("model").origin != "keyring", "what was looked up holds for a while"
    keyrings._stamp()  # as another process does that changes one
    assert held("model") == Held("from-ring", "keyring")
    monkeypatch.setenv("DEEPSEEDIAN_MODEL_KEY", " from-environment\n")
    assert held("model") == Held("from-environment", "environment")
    for blank in ("", "  \n"):
        monkeypatch.setenv("DEEPSEEDIAN_MODEL_KEY", blank)
        assert held("model").origin == "keyring"


def test_each_name_has_a_variable_and_a_file_of_its_own(monkeypatch: pytest.MonkeyPatch, no_ring: None) -> None:
    assert [variable(name) for name in ("model", "embedding", "work", "Work_2")] == [
        "DEEPSEEDIAN_MODEL_KEY", "DEEPSEEDIAN_EMBEDDING_KEY", "DEEPSEEDIAN_KEY_WORK", "DEEPSEEDIAN_KEY_WORK_2"]
    monkeypatch.setenv("DEEPSEEDIAN_KEY_WORK_2", "k2")
    keep("work", "k1")
    assert held("work").key == "k1" and held("work-2").key == held("WORK_2").key == "k2" and held("model") == Held()
    assert credentials.embedding_key() == ("", "")
    assert names(["Other"]) == ["model", "embedding", "other", "work-2", "work"]


@pytest.mark.parametrize("name", ["", " ", "../model", "a/b", "con", "NUL", "a.b", "密钥", "-a", "x" * 41, "a b"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(BadInput):
        plain(name)


@posix
def test_a_key_is_kept_in_a_file_only_its_owner_reads(no_ring: None) -> None:
    path = Path(keep("work", " sk-1 \n"))
    assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700
    assert held("work") == Held("sk-1", str(path))
    path.chmod(0o640)
    assert held("work").key == "" and "others can read it" in held("work").fault
    path.unlink()
    path.symlink_to(config_folder() / "elsewhere")
    assert held("work").key == ""
    assert clear("work") == [str(path)] and clear("work") == [] and not path.is_symlink()


@pytest.mark.parametrize("key", ["", " \n", "two words", "línea", "a\nb", "x" * 5000])
def test_what_is_no_key_is_not_kept(key: str, ring: Ring) -> None:
    with pytest.raises(BadInput) as told:
        keep("work", key)
    assert not ring.kept and not path_of("work").exists() and (not key.strip() or key not in str(told.value))


def test_the_keyring_takes_a_key_and_the_file_goes(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    private(config_folder())
    path_of("model").write_text("old", encoding="utf-8")
    path_of("model").chmod(0o600)
    monkeypatch.setenv("DEEPSEEDIAN_MODEL_KEY", "mine")
    assert keep("model", "new") == "keyring" and ring.kept == {("deepseedian", "model"): "new"} and not path_of("model").exists()
    assert held("model").origin == "environment" and os.environ["DEEPSEEDIAN_MODEL_KEY"] == "mine"
    assert clear("model") == ["keyring"] and not ring.kept and os.environ["DEEPSEEDIAN_MODEL_KEY"] == "mine"
    monkeypatch.delenv("DEEPSEEDIAN_MODEL_KEY")
    assert held("model") == Held()


def test_a_broken_keyring_is_none(ring: Ring) -> None:
    def broken() -> None:
        raise RuntimeError("no bus")

    ring.before = broken
    assert held("model") == Held()
    path = keep("model", "k")
    assert path == str(path_of("model")) and held("model") == Held("k", path)
    assert clear("model") == [path]


def test_a_keyring_that_forgets_is_not_believed(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ring, "set_password", lambda service, name, key: None)
    assert keep("model", "k") == str(path_of("model")) and held("model").key == "k"


def test_a_keyring_that_hangs_is_waited_for_once(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    ring.before = lambda: go.wait(30) and None
    began = time.monotonic()
    assert held("model", 0.2) == Held() and time.monotonic() - began >= 0.2
    began = time.monotonic()
    for _ in range(20):
        assert held("model", 0.2) == Held()
    assert time.monotonic() - began < 1 and ring.asked == 1, "nobody waits for it again, and it is not asked again"
    ring.kept["deepseedian", "model"] = "late"
    go.set()
    until = time.monotonic() + 5
    while held("model").key != "late" and time.monotonic() < until:
        time.sleep(0.01)
    assert held("model") == Held("late", "keyring")


def test_an_answer_of_the_keyring_is_asked_for_again_behind_the_next(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    ring.kept["deepseedian", "model"] = "first"
    assert held("model").key == "first" and held("model").key == "first" and ring.asked == 1
    monkeypatch.setattr(keyrings, "HELD_SECONDS", 0.0)
    ring.kept["deepseedian", "model"] = "second"
    assert held("model").key == "first"
    until = time.monotonic() + 5
    while held("model").key != "second" and time.monotonic() < until:
        time.sleep(0.01)
    assert held("model").key == "second"


def test_without_the_package_nothing_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "keyring", raising=False)
    monkeypatch.setattr(keyrings, "find_spec", lambda name: None)
    assert held("model") == Held() and "keyring" not in sys.modules
