"""Which model answers: interim, replaced by the room's own."""

from typing import Any

from deepseedian.config.layers import Config


def chosen(config: Config, name: str = "") -> Any:
    endpoint, model = config.text("model.endpoint"), config.text("model.name")
    return (endpoint, model) if endpoint and model else None


def opened(profile: Any, config: Config) -> Any:
    from deepseedian.models.connection import Server
    from deepseedian.models.credentials import model_key
    from deepseedian.models.streaming import OpenAIStreaming

    return OpenAIStreaming(Server(profile[0]), profile[1], lambda: model_key()[0], seconds=float(config.number("model.timeout_seconds")))
