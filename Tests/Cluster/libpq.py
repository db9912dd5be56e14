"""A small client for PostgreSQL: libpq through ctypes, one connection for each thread."""
import ctypes
import ctypes.util
import select
import time

COMMAND_OK, TUPLES_OK, FATAL_ERROR = 1, 2, 7
SQLSTATE = ord("C")

_NoticeReceiver = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_library = None


def _load():
    """The library. Not when this module is imported: tests of other parts need no PostgreSQL."""
    library = ctypes.CDLL(ctypes.util.find_library("pq") or "libpq.so.5")
    for result, names in {
        ctypes.c_void_p: ("PQconnectdb", "PQgetResult", "PQsetNoticeReceiver"),
        ctypes.c_char_p: ("PQerrorMessage", "PQgetvalue", "PQresultErrorField", "PQcmdTuples"),
        ctypes.c_int: (
            "PQstatus", "PQsendQueryParams", "PQconsumeInput", "PQisBusy", "PQsocket", "PQresultStatus", "PQntuples",
            "PQnfields", "PQgetisnull"),
        None: ("PQclear", "PQfinish"),
    }.items():
        for name in names:
            getattr(library, name).restype = result
    library.PQconnectdb.argtypes = [ctypes.c_char_p]
    for name in ("PQerrorMessage", "PQstatus", "PQconsumeInput", "PQisBusy", "PQsocket", "PQgetResult", "PQfinish",
                 "PQresultStatus", "PQntuples", "PQnfields", "PQclear", "PQcmdTuples"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    library.PQgetvalue.argtypes = library.PQgetisnull.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    library.PQresultErrorField.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.PQsetNoticeReceiver.argtypes = [ctypes.c_void_p, _NoticeReceiver, ctypes.c_void_p]
    library.PQsendQueryParams.argtypes = [
        ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p),
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
    return library


class Refused(Exception):
    """The server answered with an error: nothing was changed."""

    def __init__(self, state, message):
        super().__init__("%s %s" % (state, message))
        self.state = state


class InDoubt(Exception):
    """No answer, or a warning with it: the change may be stored or not."""


class Connection:
    """One connection. After `InDoubt` it is closed."""

    def __init__(self, settings):
        global _library
        _library = _library or _load()
        self.handle = _library.PQconnectdb(settings.encode())
        if _library.PQstatus(self.handle) != 0:
            message = self.message()
            self.close()
            raise InDoubt(message)
        self.warnings = []
        # Kept, or Python would free what libpq calls.
        self.receiver = _NoticeReceiver(self.note)
        _library.PQsetNoticeReceiver(self.handle, self.receiver, None)

    def note(self, _, result):
        """Keeps warnings. A commit that did not wait for the standby succeeds with one (01000)."""
        state = (_library.PQresultErrorField(result, SQLSTATE) or b"").decode()
        if state.startswith("01"):
            self.warnings.append(state)

    def message(self):
        if self.handle is None:
            return "closed"
        return (_library.PQerrorMessage(self.handle) or b"").decode(errors="replace").strip()

    def run(self, sql, *parameters, seconds=5.0):
        """Runs one statement and returns its rows, as lists of texts or None.

        After `seconds` without an answer the connection is closed. It is never cancelled: a cancelled commit that waits
        for the standby would be answered as done.
        """
        if self.handle is None:
            raise InDoubt("closed")
        values = (ctypes.c_char_p * max(1, len(parameters)))(
            *[None if value is None else str(value).encode() for value in parameters])
        self.warnings.clear()
        if not _library.PQsendQueryParams(self.handle, sql.encode(), len(parameters), None, values, None, None, 0):
            raise self.lost()
        deadline = time.monotonic() + seconds
        rows, refusal = [], None
        while result := self.next_result(deadline):
            try:
                status = _library.PQresultStatus(result)
                if status == TUPLES_OK:
                    rows = self.rows(result)
                elif status != COMMAND_OK:
                    state = (_library.PQresultErrorField(result, SQLSTATE) or b"").decode()
                    # Without a state the connection is gone; class 57P is a server that shuts down.
                    if status != FATAL_ERROR or not state or state.startswith("57P"):
                        raise self.lost()
                    refusal = Refused(state, self.message())
            finally:
                _library.PQclear(result)
        if refusal:
            raise refusal
        if self.warnings:
            raise self.lost("answered with a warning: " + self.warnings[0])
        return rows

    def next_result(self, deadline):
        while _library.PQisBusy(self.handle):
            left = deadline - time.monotonic()
            if left <= 0:
                raise self.lost("no answer in time")
            if not select.select([_library.PQsocket(self.handle)], [], [], left)[0]:
                continue
            if not _library.PQconsumeInput(self.handle):
                raise self.lost()
        return _library.PQgetResult(self.handle)

    @staticmethod
    def rows(result):
        columns = range(_library.PQnfields(result))
        return [
            [None if _library.PQgetisnull(result, row, column) else _library.PQgetvalue(result, row, column).decode()
             for column in columns] for row in range(_library.PQntuples(result))]

    def lost(self, message=None):
        """Closes the connection; returns what to raise."""
        message = message or self.message()
        self.close()
        return InDoubt(message)

    def close(self):
        if self.handle is not None:
            _library.PQfinish(self.handle)
            self.handle = None
