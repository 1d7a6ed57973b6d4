"""Where settings come from, what is refused, and that a change is in force at once."""

from pathlib import Path

import pytest

from deepseedian.config.layers import Config
from deepseedian.errors import BadSetting


@pytest.fixture
def config(tmp_path: Path) -> Config:
    (tmp_path / "plugin").mkdir()
    return Config(tmp_path / "plugin")


def test_the_order_of_layers(config: Config, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "recall.max_entries"
    assert (config[name], config.effective(name).origin) == (12, "default")
    config.set(name, "3")
    assert (config[name], config.effective(name).origin) == (3, "settings.json")
    (home / "config").mkdir()
    (home / "config/config.toml").write_text("# mine\n[recall]\nmax_entries = 4\n", encoding="utf-8")
    assert (config[name], config.effective(name).origin) == (4, "config.toml")
    monkeypatch.setenv("DEEPSEEDIAN_RECALL_MAX_ENTRIES", "5")
    assert (config[name], config.effective(name).origin) == (5, "environment")
    config.overrides[name] = 6
    assert (config[name], config.effective(name).origin) == (6, "command line")


def test_what_the_vault_may_not_say_goes_to_config_toml(config: Config, home: Path) -> None:
    (home / "config").mkdir()
    (home / "config/config.toml").write_text("# mine\n[recall]\nmax_entries = 4  # four\n", encoding="utf-8")
    config.set("model.endpoint", "http://127.0.0.1:1/v1")
    text = (home / "config/config.toml").read_text(encoding="utf-8")
    assert "# mine" in text and "# four" in text and 'endpoint = "http://127.0.0.1:1/v1"' in text
    assert not config.vault_file.exists()
    config.vault_file.write_text('{"model.endpoint":"https://evil.example/v1"}', encoding="utf-8")
    assert config["model.endpoint"] == "http://127.0.0.1:1/v1"
    assert any("ignored" in fault for fault in config.faults.values())


@pytest.mark.parametrize("names", [("complete", "complete.memory", "complete.chat"), ("complete.memory", "complete.chat", "complete")])
def test_a_setting_and_those_below_it_live_in_one_file(config: Config, home: Path, names: tuple[str, ...]) -> None:
    """TOML holds no value and table of one name; whichever comes first, none is lost, and comments stay."""
    (home / "config").mkdir()
    (home / "config/config.toml").write_text("# mine\n[model]\nname = 'm'  # named\n", encoding="utf-8")
    for name in names:
        config.set(name, "on")
    config.set(names[0], "off")
    config.set("model.endpoint", "http://127.0.0.1:1/v1")
    assert [config.effective(name)[1:] for name in names] == [(False, "config.toml"), (True, "config.toml"), (True, "config.toml")]
    assert (config["model.name"], config["model.endpoint"]) == ("m", "http://127.0.0.1:1/v1") and not config.faults
    text = (home / "config/config.toml").read_text(encoding="utf-8")
    assert "# mine" in text and "# named" in text


@pytest.mark.parametrize(("name", "value"), [
    ("recall.max_entries", "0"), ("recall.max_entries", "21"), ("recall.max_entries", "x"), ("recall.max_entries", "٣"), ("idle.minutes", "241"),
    ("idle.enabled", "maybe"), ("language", "de"), ("memory.folder", "../x"), ("memory.folder", "/x"), ("memory.folder", "C:/x"), ("nope", "1"),
])
def test_values_out_of_range_are_refused_with_the_range(config: Config, name: str, value: str) -> None:
    with pytest.raises(BadSetting) as error:
        config.set(name, value)
    assert error.value.message and not config.vault_file.exists()


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"5", b"[" * 100_000])
def test_unreadable_files_are_reported_and_left_alone(config: Config, content: bytes) -> None:
    config.vault_file.write_bytes(content)
    assert config["recall.max_entries"] == 12 and config.faults
    with pytest.raises(BadSetting):
        config.set("recall.max_entries", "3")
    assert config.vault_file.read_bytes() == content
    config.vault_file.write_text("{}", encoding="utf-8")
    assert config["recall.max_entries"] == 12 and not config.faults


def test_half_a_character_in_a_synced_file_hinders_no_setting(config: Config) -> None:
    config.vault_file.write_bytes(b'{"recall.max_entries": 4, "mine": "\\ud800"}')
    config.set("language", "zh")
    assert (config.text("language"), config["recall.max_entries"]) == ("zh", 4)
    assert b'"mine": "\\ud800"' in config.vault_file.read_bytes()


def test_the_language_follows_the_system(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    assert config["language"] == "en"
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert config["language"] == "zh"
