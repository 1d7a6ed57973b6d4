"""The chat model as its owner sees it: which profiles there are, what the server lists, what works."""

from typing import TYPE_CHECKING

from deepseedian.errors import BadSetting, ModelFailed
from deepseedian.sidecar.opened import Document, Opened

if TYPE_CHECKING:
    from deepseedian.models.pieces import Streaming
    from deepseedian.models.profiles import Profile


class Modelling(Opened):
    """Questions about the model, and the port of a turn."""

    def streaming(self, profile: str = "", once: float = 0.0) -> "Streaming | None":
        """The model of a turn, None when none is configured; with `once` one that is asked but once, for so many seconds.

        Raises BadSetting for a profile that cannot be used.
        """
        from deepseedian.models import profiles

        if self.seam.streaming is not None:
            return self.seam.streaming()  # type: ignore[no-any-return]
        found = profiles.chosen(self.config, profile)
        return profiles.opened(found, self.config, once) if found else None

    def _profile(self, name: str) -> "Profile":
        from deepseedian.models import profiles

        found = profiles.chosen(self.config, name)
        if found is None:
            raise ModelFailed("no model is configured", "deepseedian key set model for DeepSeek; else set model.endpoint and model.name",
                              code="model_away")
        return found

    def models(self, profile: str = "") -> Document:
        """{"profile","endpoint","model","models"}: what the server lists. Raises ModelFailed, BadSetting."""
        from deepseedian.models import trying

        found = self._profile(profile)
        return {"profile": found.name, "endpoint": found.endpoint, "model": found.model, "models": trying.listed(found)}

    def model_test(self, profile: str = "") -> Document:
        """{"profile","endpoint","model","key":{"set","origin"},"lines":[{"name","state","reason","milliseconds"}],"latencyMs"}.

        Raises ModelFailed when no model is configured, BadSetting.
        """
        from deepseedian.models import credentials, trying

        found = self._profile(profile)
        key = credentials.held(found.key)
        about: Document = {"profile": found.name, "endpoint": found.endpoint, "model": found.model,
                           "key": {"set": bool(key.key), "origin": key.origin}}
        return about | trying.tried(found)

    def model_profiles(self) -> Document:
        """{"inForce","judge","profiles":[{"name","endpoint","model","key":{"name","set","origin"},"images","contextTokens",
        "prices","fault"}]}; a name is empty for what the settings say, `inForce` and `judge` are null without a model."""
        from deepseedian.models import profiles

        names = ["", *self.config.profiles()]
        shown = [row for name in names if (row := self._shown_profile(name)) is not None]
        in_force, judge = (self._name_of(choose) for choose in (profiles.chosen, profiles.judging))
        return {"inForce": in_force, "judge": judge if self._judging(self.config) else None, "profiles": shown}

    def _name_of(self, choose: object) -> str | None:
        try:
            found = choose(self.config)  # type: ignore[operator]
        except BadSetting:
            return None
        return found.name if found else None

    def _shown_profile(self, name: str) -> Document | None:
        from deepseedian.models import credentials, profiles

        try:
            found = profiles.profile(self.config, name) if name else profiles.plain(self.config)
        except BadSetting as error:
            return {"name": name, "endpoint": "", "model": "", "key": {"name": "", "set": False, "origin": ""}, "images": False,
                    "contextTokens": 0, "prices": None, "fault": error.message}
        if found is None:
            return None
        key = credentials.held(found.key)
        prices = {"input": found.input_price, "output": found.output_price, "cached": found.cached_price}
        return {"name": name, "endpoint": found.endpoint, "model": found.model,
                "key": {"name": found.key, "set": bool(key.key), "origin": key.origin} | ({"fault": key.fault} if key.fault else {}),
                "images": found.images, "contextTokens": found.context_tokens, "prices": prices if found.input_price is not None else None,
                "fault": ""}
