"""receipts, verdict, feedback and stats: why recall answered as it did, and the owner's word on it."""

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.recall import scored
from deepseedian.cli.show import Document, answer, local, rows


@click.command("receipts")
@click.argument("receipt", default="")
@click.option("--session", default="", help="Only the recalls of one session.")
@click.option("--offset", default=0, show_default=True, help="How many to skip.")
@click.option("--limit", default=20, show_default=True, help="How many to show.")
@pass_door
def receipts_command(door: Door, receipt: str, session: str, offset: int, limit: int) -> None:
    """The last recalls, newest first; with RECEIPT everything about one of them."""
    if receipt:
        found = door.call("receipt", id=receipt)
        answer(found, lambda: _whole(found))
    else:
        listed = door.call("receipts", session=door.full(session, "session"), offset=offset, limit=limit)
        answer(listed, lambda: rows(listed["receipts"], _line, "no recall yet") + f"\n{listed['total']} in all")


def _line(item: Document) -> str:
    offered = item.get("offered")
    number = len(offered) if isinstance(offered, list) else 0
    why = f"  ({item['reason']})" if item.get("reason") else ""
    return f"{item['id']}  {local(item['at'])}  {number} of {item['matched']}{why}  {item['question']}"


def _whole(item: Document) -> str:
    receipt, judge = item["receipt"], item["judge"]
    assert isinstance(receipt, dict) and isinstance(judge, dict)
    head = [f"question: {item['question']}"] if item.get("question") else []
    head.append(f"at: {local(item['at'])}")
    head += [f"{name}: {item[name]}" for name in ("door", "session", "chars", "tokens") if item.get(name)]
    head.append(f"milliseconds: {float(str(item['milliseconds'])):.1f}")
    head += ["shadow: nothing was injected"] if item.get("shadow") else []
    head += [f"reason: {receipt['reason']}"] if receipt.get("reason") else []
    offered = rows(receipt.get("offered") or [], scored, "")
    left = rows(receipt.get("leftOut") or [], lambda one: f"left out ({one['reason']}): {scored(one)}", "")
    words = item.get("verdicts")
    told = {key: f" ({word})" for key, word in words.items()} if isinstance(words, dict) else {}
    judged = [f"judge: {judge['state']}"] if judge.get("state") else []
    judged += [f"{what} by the judge: {key}{told.get(key, '')}" for what in ("kept", "dropped") for key in judge[what]]
    return "\n".join(part for part in (*head, offered, left, *judged) if part)


@click.command("verdict")
@click.argument("receipt")
@click.argument("entry")
@click.argument("verdict", type=click.Choice(["right", "wrong"]))
@pass_door
def verdict_command(door: Door, receipt: str, entry: str, verdict: str) -> None:
    """Say whether the judge was right to keep or drop ENTRY in the recall RECEIPT."""
    found = door.call("verdict", id=receipt, entry=door.full(entry, "entry"), verdict=verdict)
    answer(found, lambda: f"noted: the judge was {verdict} to {'keep' if found['kept'] else 'drop'} {entry}")


@click.command("feedback")
@click.argument("id")
@click.argument("feedback", type=click.Choice(["useful", "wrong"]))
@click.option("--question", default="", help="What was asked when it helped or misled.")
@pass_door
def feedback_command(door: Door, id: str, feedback: str, question: str) -> None:
    """Say that the entry ID was useful or wrong: it moves a little in later recalls, and is neither changed nor hidden."""
    found = door.on("entry", "feedback", id, feedback=feedback, question=question)
    answer(found, lambda: f"noted: {found['id']} was {feedback}")


@click.command("stats")
@click.option("--days", default=7, show_default=True, help="How many days to sum up, today included (1-90).")
@pass_door
def stats_command(door: Door, days: int) -> None:
    """What recall did and cost in the last days."""
    found = door.call("stats", days=days)
    answer(found, lambda: _sums(found))


def _sums(found: Document) -> str:
    lines = {"recalls": f"{found['recalls']}, {found['withMemory']} with memory",
             "injected": f"{found['injectedChars']} characters, about {found['estimatedTokens']} tokens",
             "judge": f"{found['judgeKept']} kept, {found['judgeDropped']} dropped, {found['judgeCalls']} calls",
             "verdicts": f"{found['verdictsChecked']} re-checked, {found['verdictsWrong']} of them wrong",
             "embedding": f"{found['embeddingCalls']} calls", "corrections": f"{found['corrections']}",
             "feedback": f"{found['useful']} useful, {found['wrong']} wrong", "new entries": f"{found['newEntries']}"}
    return f"since {found['since']}\n" + "\n".join(f"{name + ':':<13}{told}" for name, told in lines.items())
