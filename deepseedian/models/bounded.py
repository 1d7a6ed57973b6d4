"""An answer of a server that may not be without end."""

from collections.abc import Iterator
from typing import Any

from deepseedian.errors import ModelFailed


def bound(response: Any, most: int, who: str, setting: str) -> None:
    """Count an answer's bytes as they come in: beyond `most` reading it raises ModelFailed instead of filling our memory."""
    import httpx2

    class Limited(httpx2.SyncByteStream):
        """The answer's own stream, cut off with an error beyond the limit."""

        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __iter__(self) -> Iterator[bytes]:
            seen = 0
            for chunk in self.inner:
                seen += len(chunk)
                if seen > most:
                    raise ModelFailed(f"{who} answered more than {most} bytes", f"check {setting}", code="model_answer")
                yield chunk

        def close(self) -> None:
            self.inner.close()

    response.stream = Limited(response.stream)
