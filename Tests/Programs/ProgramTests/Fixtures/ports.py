"""Ports for the servers that tests start. `Tests/Pages` imports it, too."""

import socket

RESERVED = []


def free_port():
    """A port that the system gives to no other program, even while its server is away: the socket stays. Servers set
    SO_REUSEADDR."""
    probe = socket.socket()
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(("127.0.0.1", 0))
    RESERVED.append(probe)
    return probe.getsockname()[1]
