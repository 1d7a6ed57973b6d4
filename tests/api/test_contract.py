"""The whole OpenAPI contract, tried by schemathesis: whatever is sent, the answer is one that the contract names."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

from schemathesis.specs.openapi.checks import positive_data_acceptance  # noqa: E402

from deepseedian.api.app import create, named_routes  # noqa: E402
from deepseedian.api.host import Host  # noqa: E402
from deepseedian.sidecar import Sidecar, initialise  # noqa: E402

EXAMPLES = int(os.environ.get("DEEPSEEDIAN_CONTRACT_EXAMPLES", "20"))


def over_unix_socket(app: Any) -> Callable[..., Any]:
    """The application as a client of the Unix socket meets it: who reaches that needs no token."""
    async def called(scope: Any, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        await app(scope | {"server": ("/deepseedian.sock", None)} if scope["type"] == "http" else scope, receive, send)
    return called


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Of a vault with an entry, a proposal and a conversation in it. Streams that would go on for ever end with what they have."""
    place = tmp_path_factory.mktemp("contract")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("STATE", "RUNTIME", "CONFIG"):
            patch.setenv(f"DEEPSEEDIAN_{name}_DIR", str(place / name.lower()))
        initialise(place / "v")
        sidecar = Sidecar.open(place / "v")
        sidecar.remember("I drink oolong tea")
        sidecar.observe("s1", [{"role": "user", "text": "Remember that I never work on Fridays."}])
        app = create(Host(sidecar, "token", 1, "/deepseedian.sock", stopping=lambda: True))
        yield schemathesis.openapi.from_asgi("/v1/openapi.json", over_unix_socket(app))
        sidecar.close()


OPERATIONS = sorted((method, "/v1" + route.path.replace(":path}", "}")) for route in named_routes() for method in route.methods)


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[" ".join(operation) for operation in OPERATIONS])
def test_every_answer_is_one_of_the_contract(contract: Any, method: str, path: str) -> None:
    """503 is an answer of ours (busy, no model), and so is 400 for what no schema can tell, such as a secret; 500 never is."""
    operation = contract[path][method.lower()]

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy() | operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE))
    def tried(case: Any) -> None:
        response = case.call()
        assert response.status_code != 500, response.text
        case.validate_response(response, excluded_checks=[schemathesis.checks.not_a_server_error, positive_data_acceptance])
    tried()
