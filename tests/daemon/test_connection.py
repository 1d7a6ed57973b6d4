"""The head of an answer goes out with its body, and by itself when nothing follows at once."""

import asyncio

from deepseedian.daemon.connection import _Joining

HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


class Written:
    """A transport that keeps what was written, packet by packet."""

    def __init__(self) -> None:
        self.packets: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.packets.append(data)

    def close(self) -> None:
        self.packets.append(b"closed")


def test_head_and_body_are_one_packet_and_order_is_kept() -> None:
    async def answer() -> list[bytes]:
        written = Written()
        joining = _Joining(written, asyncio.get_running_loop())  # type: ignore[arg-type]
        for data in (HEAD, b"body", b"more"):
            joining.write(data)
        joining.write(HEAD)
        await asyncio.sleep(0)
        joining.write(b"later")
        joining.write(HEAD)
        joining.close()
        await asyncio.sleep(0)
        return written.packets

    assert asyncio.run(answer()) == [HEAD + b"body", b"more", HEAD, b"later", HEAD, b"closed"]
