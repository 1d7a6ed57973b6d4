"""JSON answers. Half a character that a caller sent and an answer repeats becomes an escape, not a failure."""

import json

from starlette.responses import JSONResponse


class Answer(JSONResponse):
    def render(self, content: object) -> bytes:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
