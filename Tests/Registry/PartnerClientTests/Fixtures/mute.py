"""Plays partner registries that accept connections and never answer, each at an address of its own: 127.0.0.1, 127.0.0.2
and so on, as many as the argument says. At 127.0.0.200 it answers how many requests wait. Ends when its input closes.
"""

import asyncio
import sys

WAITING = set()


async def stay_mute(reader, writer):
    await reader.read(1)
    WAITING.add(writer)
    # Until the other side closes the connection.
    await reader.read()
    WAITING.discard(writer)
    writer.close()


async def tell(reader, writer):
    await reader.readuntil(b"\r\n\r\n")
    text = b"%d" % len(WAITING)
    writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
    await writer.drain()
    writer.close()


async def listen(count):
    """A port that is free at all addresses, and the servers there."""
    while True:
        servers = [await asyncio.start_server(tell, "127.0.0.200", 0)]
        port = servers[0].sockets[0].getsockname()[1]
        try:
            for number in range(1, count + 1):
                servers.append(await asyncio.start_server(stay_mute, "127.0.0.%d" % number, port))
            return port, servers
        except OSError:
            for server in servers:
                server.close()


async def main():
    port, _servers = await listen(int(sys.argv[1]))
    print(port, flush=True)
    await asyncio.to_thread(sys.stdin.read)


asyncio.run(main())
