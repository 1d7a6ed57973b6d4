"""How a daemon is, as a person reads it: one line for each part, in words."""

from deepseedian.cli.show import Document, counted, local, rows, waiting

KINDS = {"none": "no model was found", "away": "the model does not answer", "embedding": "embedding", "ready": "ready"}


def page(found: Document) -> str:
    """The status of a running daemon."""
    health = found["health"]
    assert isinstance(health, dict)
    lines = [f"running: process {found['pid']}, {counted(found['entries'], 'entry', 'entries')}",
             f"socket: {found['socket']}", f"memory: {found['memory']}", f"health: {health['status']}"]
    for name, told in (("semantic", _semantic), ("judge", _judge), ("notes", _notes), ("review", _review), ("idle", _idle)):
        state = found.get(name)
        if isinstance(state, dict):
            lines.append(f"{name}: {told(state)}")
    return "\n".join([*lines, rows(health["faults"], lambda fault: f"  {fault['code']}: {fault['message']}", "")])


def _semantic(state: Document) -> str:
    if state["state"] == "off":
        return "off"
    told = [KINDS.get(str(state["state"]), str(state["state"]))]
    if state["model"]:
        told[0] += f": {state['model']}" + (f" at {state['address']}" if state["address"] else "")
        told.append(f"{state['dimension']} dimensions, {counted(state['entries'], 'entry', 'entries')}, {state['bytes']} bytes")
    told += [f"{state['missing']} to do"] if state["missing"] else []
    told += [f"{state['refused']} refused"] if state["refused"] else []
    told += [f"{state['latencyMs']} ms"] if state["latencyMs"] is not None else []
    return ", ".join([*told, *([str(state["fault"])] if state["fault"] else [])])


def _judge(state: Document) -> str:
    told = [str(state["model"])]
    told += [f"last answer after {state['milliseconds']} ms"] if state["milliseconds"] is not None else []
    return ", ".join([*told, *([str(state["fault"])] if state["fault"] else [])])


def _notes(state: Document) -> str:
    if state["state"] == "ready":
        wrong = f", {counted(state['problems'], 'problem')}: deepseedian notes problems" if state["problems"] else ""
        return f"{state['notes']} indexed{wrong}"
    return f"being indexed, {state['done']} of {state['of']}" if "done" in state else str(state["state"])


def _review(state: Document) -> str:
    if not state["open"]:
        return "nothing waits for you"
    told = [waiting(state["open"], state["oldestDays"])]
    told += [f"{state['stale']} out of date"] if state["stale"] else []
    return ", ".join(told) + (f"; in {state['note']}" if state["note"] else "; deepseedian review list")


def _idle(state: Document) -> str:
    """What model runs have cost today, and the last run."""
    told = [f"{state['runs']} of {state['mostRuns']} model runs and {state['chars']} of {state['mostChars']} characters today"]
    told += [f"the last run {local(state['lastAt'])}: {state['last']}"] if state["last"] else []
    told += ["one is running"] if state.get("running") else []
    told += [f"failed {counted(state['failures'], 'time')}, tried again in {state['retryInSeconds']} s"] if state.get("failures") else []
    return ", ".join(told)
