"""The unit texts for each kind of system, and installing where no service system answers."""

from pathlib import Path
from xml.dom import minidom

import pytest

from deepseedian.daemon import service
from deepseedian.errors import NotFound


def test_units_quote_what_they_are_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    odd = Path('/home/林/My "Vault" 100% & <more>')
    systemd = service.unit(odd, "linux")
    assert systemd.path.parent == tmp_path / "systemd/user"
    assert '"/home/林/My \\"Vault\\" 100%% & <more>"' in systemd.text and "Restart=on-failure" in systemd.text
    agent = service.unit(odd, "darwin")
    words = [node.firstChild.data for node in minidom.parseString(agent.text).getElementsByTagName("string")]  # type: ignore[union-attr]
    assert str(odd) in words and words[-1] != ""
    assert str(odd) in service.unit(odd, "win32").text
    assert service.unit(odd, "linux").path != service.unit(Path("/home/other"), "linux").path


def test_install_writes_the_unit_and_says_when_the_system_will_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(service.shutil, "which", lambda name: None)
    done = service.install(tmp_path / "vault")
    assert Path(str(done["unit"])).exists() and done["enabled"] is False and "start it by hand" in str(done["message"])
    assert service.remove(tmp_path / "vault")["removed"] is True
    with pytest.raises(NotFound):
        service.remove(tmp_path / "vault")
