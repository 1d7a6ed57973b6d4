"""Which model is asked: profiles of config.toml, the settings, the default; what is wrong is named and breaks nothing."""

from pathlib import Path

import pytest

from deepseedian.config.folders import config_folder, private
from deepseedian.config.layers import Config
from deepseedian.errors import BadSetting
from deepseedian.models import credentials, profiles
from deepseedian.models.profiles import Profile, chosen, judging
from deepseedian.models.streaming import OpenAIStreaming
from deepseedian.sidecar import Sidecar

WORK = """[profiles.work]
endpoint = "https://models.example/v1/"
model = "large-1"
images = true
context_tokens = 100000
input_price = 2
output_price = 8.0
cached_price = 0.5

[profiles.home]
endpoint = "http://127.0.0.1:9/v1"
model = "small"
key = "Work_2"
"""


def written(text: str) -> Path:
    path = private(config_folder()) / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(tmp_path / "plugin")


def test_without_anything_there_is_no_model(config: Config) -> None:
    assert chosen(config) is None and judging(config) is None


def test_a_key_alone_means_deepseek(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEDIAN_KEY_OTHER", "x")
    assert chosen(config) is None
    monkeypatch.setenv("DEEPSEEDIAN_MODEL_KEY", "sk-1")
    found = chosen(config)
    assert found is not None and (found.name, found.endpoint, found.model) == ("", "https://api.deepseek.com", "deepseek-flash")
    assert found.secret() == "sk-1" and found.context_tokens > profiles.CONTEXT_TOKENS
    config.set("model.name", "deepseek-pro")
    assert chosen(config).model == "deepseek-pro"  # type: ignore[union-attr]
    monkeypatch.setenv("DEEPSEEDIAN_MODEL_KEY", "  ")
    assert chosen(config) is None


def test_the_settings_are_a_profile_without_a_name(config: Config) -> None:
    config.set("model.endpoint", "http://127.0.0.1:11434/v1")
    assert chosen(config) is None
    config.set("model.name", "qwen3")
    assert chosen(config) == Profile("", "http://127.0.0.1:11434/v1", "qwen3")


def test_a_profile_by_setting_and_by_name(config: Config) -> None:
    written(WORK)
    work = Profile("work", "https://models.example/v1", "large-1", "work", True, 100_000, 2.0, 8.0, 0.5)
    assert chosen(config) is None and chosen(config, "work") == work
    assert chosen(config.still(), "home") == Profile("home", "http://127.0.0.1:9/v1", "small", "work-2")
    config.set("model.profile", "work")
    assert chosen(config) == work and config.faults == {}
    assert work.cost(1_000_000, 400_000, 500_000) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 4)
    assert Profile("", "x", "y").cost(1, 0, 1) is None
    port = profiles.opened(work, config)
    assert isinstance(port, OpenAIStreaming) and (port.name, port.images, port.idle, port.seconds) == ("large-1", True, 60.0, 120.0)


def test_the_judge_has_a_profile_of_its_own(config: Config) -> None:
    written(WORK)
    config.set("model.profile", "work")
    assert judging(config).name == "work"  # type: ignore[union-attr]
    config.set("judge.provider", "home")
    assert (judging(config).name, judging(config).model) == ("home", "small")  # type: ignore[union-attr]
    config.set("judge.model", "tiny")
    assert (judging(config).name, judging(config).model) == ("home", "tiny")  # type: ignore[union-attr]
    assert chosen(config).model == "large-1"  # type: ignore[union-attr]


@pytest.mark.parametrize(("body", "place"), [
    ('model = "m"', "profiles.x.endpoint is missing"), ('endpoint = "https://a.example"', "profiles.x.model is missing"),
    ('endpoint = "http://a.example"\nmodel = "m"', "profiles.x.endpoint takes an https:// address"),
    ('endpoint = "https://a.example"\nmodel = 5', "profiles.x.model takes"),
    ('endpoint = "https://a.example"\nmodel = "m"\nkey = "../k"', "profiles.x.key names no key"),
    ('endpoint = "https://a.example"\nmodel = "m"\napi_key = "sk-SECRET"', "profiles.x.api_key is no key of a profile"),
    ('endpoint = "https://a.example"\nmodel = "m"\nimages = 1', "profiles.x.images takes true or false"),
    ('endpoint = "https://a.example"\nmodel = "m"\ncontext_tokens = 10', "profiles.x.context_tokens takes"),
    ('endpoint = "https://a.example"\nmodel = "m"\ninput_price = nan', "profiles.x.input_price takes"),
    ('endpoint = "https://a.example"\nmodel = "m"\noutput_price = true', "profiles.x.output_price takes"),
])
def test_a_bad_profile_is_named_with_file_and_key(body: str, place: str, config: Config) -> None:
    path = written(f"[profiles.x]\n{body}\n[profiles.good]\nendpoint = 'https://a.example'\nmodel = 'm'\n")
    with pytest.raises(BadSetting) as told:
        chosen(config, "x")
    assert f"{path}: {place}" in told.value.message and "SECRET" not in told.value.message
    assert chosen(config, "good") is not None
    assert profiles.faults(config) == [told.value.message]
    with pytest.raises(BadSetting, match=r"no profile 'nowhere' in .*config\.toml"):
        chosen(config, "nowhere")


def test_tables_that_are_none(config: Config) -> None:
    for text in ("profiles = 3", "[[profiles]]\nx = 1", "[profiles]\nwork = 3", '[profiles."a b"]\nendpoint = "https://a.example"\nmodel = "m"',
                 "[profiles.a.b]\nmodel = 'm'"):
        written(text)
        for name in ("work", "a", "a b"):
            with pytest.raises(BadSetting):
                chosen(config, name)
    written("profiles = 3")
    assert config.profiles() == {} and "are tables" in str(config.faults)


def test_t22_a_vault_names_no_profile_and_no_address(sidecar: Sidecar) -> None:
    sidecar.config.vault_file.write_text('{"profiles":{"work":{"endpoint":"https://evil.example","model":"m"}},"model.profile":"work",'
                                         '"judge.provider":"work","model":{"idle_seconds":1}}', encoding="utf-8")
    assert chosen(sidecar.config) is None and sidecar.config["model.idle_seconds"] == 60
    told = str(sidecar.health())
    assert "profiles are ignored in a vault's file" in told and "model.profile is ignored" in told and "judge.provider is ignored" in told


def test_a_bad_profile_costs_a_sidecar_only_its_model(sidecar: Sidecar) -> None:
    sidecar.remember("I prefer green tea.")
    written("model.profile = 'gone'\n[profiles.x]\nzz = 1\n")
    assert sidecar.recall("Which tea do I prefer?")["index"]
    sidecar.observe("chat", [{"role": "user", "text": "Remember that the release is on Friday."}], "2026-11-30T09:00:00Z")
    done = sidecar.organize()
    assert done["model"] is False and "no profile 'gone'" in str(done["fault"])
    faults = [fault for fault in sidecar.health()["faults"] if fault["code"] == "bad_setting"]  # type: ignore[union-attr,attr-defined]
    assert len(faults) == 2 and all("config.toml" in fault["message"] for fault in faults)
    assert sidecar.status()["judge"] is None
    with pytest.raises(BadSetting):
        sidecar.models()


def test_no_profile_holds_a_key(config: Config) -> None:
    written(WORK)
    credentials.keep("work", "sk-hidden")
    assert "sk-hidden" not in repr(chosen(config, "work")) and chosen(config, "work").secret() == "sk-hidden"  # type: ignore[union-attr]
