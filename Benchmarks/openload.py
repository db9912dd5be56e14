"""What benchmarks of alerts have in common: a webhook's receiver and connections in one program, with one clock."""

import asyncio
import json
import re
import statistics
import sys
import time


class Receiver(asyncio.Protocol):
    """Records when each visit's alert has arrived completely, and responds at once. A batch of visits that is sent straight
    to it counts, too."""

    arrivals = {}

    def connection_made(self, transport):
        self.transport, self.data = transport, b""

    def data_received(self, data):
        self.data += data
        while (end := self.data.find(b"\r\n\r\n")) >= 0:
            length = int(re.search(rb"(?i)content-length: *(\d+)", self.data[:end])[1])
            if len(self.data) < end + 4 + length:
                return
            body, self.data = self.data[end + 4:end + 4 + length], self.data[end + 4 + length:]
            now = time.perf_counter()
            message = json.loads(body)
            if "visits" in message:
                self.arrivals.setdefault(message["visits"][0]["id"], []).append(now)
            elif message["type"] == "sighting.created":
                self.arrivals.setdefault(message["data"]["sighting"]["id"], []).append(now)
            self.transport.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    @classmethod
    async def latencies(cls, due, wait=60):
        """For each visit the milliseconds from when it was due until its alert; ends the program if one is lost or comes
        twice."""
        for _ in range(wait * 10):
            if all(name in cls.arrivals for name in due):
                break
            await asyncio.sleep(0.1)
        lost = [name for name in due if name not in cls.arrivals]
        twice = [name for name in due if len(cls.arrivals.get(name, [])) > 1]
        if lost or twice:
            sys.exit(f"{len(lost)} alerts did not arrive, {len(twice)} came twice")
        return [(cls.arrivals[name][0] - begin) * 1000 for name, begin in due.items()]


class Client(asyncio.Protocol):
    """One connection; a request waits until the previous one is answered."""

    def __init__(self):
        self.turn, self.answer, self.data = asyncio.Lock(), None, b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.data += data
        end = self.data.find(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", self.data[:max(end, 0)])
        if end < 0 or len(self.data) < end + 4 + (int(length[1]) if length else 0):
            return
        answer, self.data = (int(self.data[9:12]), self.data[end + 4:]), b""
        self.answer.set_result(answer)

    async def post(self, path, body, token=None):
        """The body of the answer; ends the program if the request is refused."""
        fields = f"Host: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        if token:
            fields += f"Authorization: Bearer {token}\r\n"
        async with self.turn:
            self.answer = asyncio.get_running_loop().create_future()
            self.transport.write(f"POST {path} HTTP/1.1\r\n{fields}\r\n".encode() + body)
            status, answer = await asyncio.wait_for(self.answer, 60)
        if status not in (200, 204):
            sys.exit(f"{path} was answered {status}")
        return answer


async def connect(port, count):
    loop = asyncio.get_running_loop()
    return [client for _, client in await asyncio.gather(
        *(loop.create_connection(Client, "127.0.0.1", port) for _ in range(count)))]


def describe(name, latencies):
    """Prints the quantiles, and returns p50 and p99."""
    cuts = statistics.quantiles(latencies, n=1000)
    print(f"{name:44} {len(latencies):6} p50 {cuts[499]:7.2f} ms  p99 {cuts[989]:7.2f} ms  most {max(latencies):7.2f} ms")
    return cuts[499], cuts[989]
