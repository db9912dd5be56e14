"""Plays a registry that can be cut off, and that remembers what was reported.

POST /control {"script": ["503", "lost", …]} sets the outcomes of the next reports: an HTTP status, "lost" (stored, but
the response never arrives), "cut" (the connection ends before anything is read), "invalid"; later reports succeed.
"pulse": ["503", "displays", "partners", "revoked", …] does the same for heartbeats. "ignoresCoverage": true makes it an older registry, which stores none.
"lookFor": {…} is what stations may look for, returned with every stored visit.
POST /control {"list": {"tag": …, "full": …, "deltas": {tag: …}, "broken": …}} sets the missing list, bytes in
Base64, and what the next request for it gets instead.
GET /state returns what is stored and the tags in the requests. Ends when its input closes.
"""

import base64
import json
import threading

import peer

lock = threading.Lock()
state = {"visits": {}, "reports": 0, "forPartners": 0, "script": [], "list": {}, "questions": [], "pulse": [],
         "heartbeats": []}


def merge(visit):
    """Merges as the registry does: the earliest first time, the latest last time, the highest count; ends are final."""
    known = state["visits"].get(visit["id"])
    if known is None:
        state["visits"][visit["id"]] = visit
        return
    known["firstSeen"] = min(known["firstSeen"], visit["firstSeen"])
    known["lastSeen"] = max(known["lastSeen"], visit["lastSeen"])
    known["count"] = max(known["count"], visit["count"])
    known["ended"] = known["ended"] or visit["ended"]
    if "confirmation" in visit:
        known["confirmation"] = visit["confirmation"]


class Handler(peer.Handler):
    def do_GET(self):
        if self.path == "/state":
            return self.answer(200, state)
        tag = self.headers.get("If-None-Match")
        state["questions"].append(tag)
        missing = state["list"]
        if missing.get("broken") is not None:
            return self.list(200, missing.pop("broken"))
        if tag == missing["tag"]:
            return self.list(304, "")
        delta = missing["deltas"].get(tag) if self.headers.get("A-IM") == "findmybike" else None
        return self.list(226, delta) if delta else self.list(200, missing["full"])

    def list(self, status, body):
        data = base64.b64decode(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/vnd.findmybike.missing-list")
        self.send_header("ETag", state["list"]["tag"])
        if status != 304:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        body = json.loads(self.body())
        if self.path == "/control":
            state.update(body)
            return self.answer(200, {})
        with lock:
            state["reports"] += 1
            state["forPartners"] += body.get("partners", True)
            fate = state["script"].pop(0) if state["script"] else "ok"
            if fate == "cut":
                self.close_connection = True
                return None
            if fate.isdigit():
                return self.answer(int(fate), {}, Retry_After="3")
            if fate == "invalid":
                errors = [{"pointer": "/visits/0/count", "detail": "too many"}]
                results = [{"id": visit["id"], "result": "invalid", "errors": errors} for visit in body["visits"]]
                return self.answer(200, {"results": results})
            for visit in body["visits"]:
                merge(visit)
            if fate == "lost":
                self.close_connection = True
                return None
            stored = {"result": "stored", "lookFor": state["lookFor"]} if "lookFor" in state else {"result": "stored"}
            return self.answer(200, {"results": [{"id": visit["id"], **stored} for visit in body["visits"]]})

    def do_PUT(self):
        body = json.loads(self.body())
        with lock:
            fate = state["pulse"].pop(0) if state["pulse"] else "ok"
            if fate.isdigit():
                return self.answer(int(fate), {})
            if fate == "revoked":
                problem = {"type": "about:blank", "title": "Unauthorized", "status": 401, "detail": "It is revoked."}
                return self.answer(401, problem, Content_Type="application/problem+json")
            state["heartbeats"].append(body)
            if fate == "displays":
                return self.answer(200, {"stored": 0, "ignored": 0, "displays": {"station": "Café"}})
            if fate == "partners":
                return self.answer(200, {"stored": 0, "ignored": 0, "partners": ["Berlin", "Lyon"]})
            if body.get("coverage") and not state.get("ignoresCoverage"):
                return self.answer(200, {"stored": len(body["coverage"]), "ignored": 0})
        self.send_response(204)
        self.end_headers()
        return None

peer.Server(Handler).serve()
