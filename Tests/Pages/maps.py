"""Maps: tiles from a tile server that the operator chose, which only the registry talks to."""

import contextlib
import http.server
import pathlib
import struct
import tempfile
import threading
import time
import zlib

from axe_playwright_python.sync_playwright import Axe
from desk import operator
from playwright.sync_api import expect
from stage import Registry, Visitor, instant, test

SETTINGS = """\
map:
  tiles:
    url: http://127.0.0.1:{port}/{{z}}/{{x}}/{{y}}.png
    cacheFolder: {folder}/tiles
  attribution: © OpenStreetMap contributors
  contact: mailto:operator@example.org
"""


def png(red, green, blue):
    """A picture of 256 × 256 pixels in one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes([red, green, blue]) * 256) * 256
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


@contextlib.contextmanager
def tile_server():
    """A server that notes who asks for what. While `status` is not 200, it gives no tiles."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.asked.append((self.path, dict(self.headers)))
            body = png(200, 220, 200) if self.server.status == 200 else b"no"
            self.send_response(self.server.status)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "max-age=600")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked, server.status = [], 200
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def visit_trail(registry, browser, allowed=(), **options):
    """The trail of a bike that two stations heard, in a browser of its own; `allowed`: what it may log."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    registry.report(owner["token"], bike, missingSince=instant(time.time() - 3600))
    registry.hear(1, bike, 50, 40)
    registry.hear(0, bike, 30, 20)
    visitor = Visitor(browser, registry, **options)
    visitor.allowed += allowed
    visitor.context.request.post(f"{registry.url}/v1/sessions", data={"token": owner["token"]}, headers={
        "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
    visitor.open(f"/my/bikes/{bike['id']}")
    return visitor


@test
def a_street_map(registry, browser):
    """A trail is shown on the operator's map, whose tiles come from the registry, once each; dark inverts only them."""
    with tile_server() as upstream, tempfile.TemporaryDirectory(prefix="findmybike-map-") as folder:
        mapped = Registry(registry.programs, folder, more=SETTINGS.format(port=upstream.server_port, folder=folder))
        for options in ({}, {"color_scheme": "dark", "locale": "de-DE"}):
            visitor = visit_trail(mapped, browser, **options)
            page = visitor.page
            page.wait_for_function("() => document.querySelectorAll('.leaflet-tile-loaded').length > 3")
            expect(page.locator(".map-credit")).to_have_text("© OpenStreetMap contributors")
            expect(page.locator(".map .grid-line")).to_have_count(0)
            expect(page.locator(".map path.path")).to_be_visible()
            assert page.locator(".map").bounding_box()["height"] > 250
            # The trail, some 500 m from west to east and 300 m from north to south, gets the width.
            trail, whole = page.locator(".map path.path").bounding_box(), page.locator(".map").bounding_box()
            assert trail["width"] > whole["width"] / 2, (trail, whole)
            for button in (("Closer", "Farther", "Show my position") if not options else ("Näher", "Weiter weg")):
                expect(page.locator(".map").get_by_role("button", name=button)).to_be_visible()
            filters = page.evaluate("""() => ['.leaflet-tile-pane', '.leaflet-overlay-pane'].map(
                (pane) => getComputedStyle(document.querySelector(pane)).filter)""")
            assert (filters[0] == "none") == (not options) and filters[1] == "none", filters
            violations = Axe().run(page).response["violations"]
            assert not violations, [rule["id"] for rule in violations]
            bike = page.url.rsplit("/", 1)[1]
            share = visitor.send("POST", f"/v1/bikes/{bike}/shares", {})
            friend = Visitor(browser, mapped, **options)
            friend.page.goto(share["link"])
            friend.page.wait_for_function("() => document.querySelectorAll('.leaflet-tile-loaded').length > 3")
            friend.close()
            visitor.close()  # fails if anything left the registry
        paths = [path for path, _ in upstream.asked]
        assert len(paths) == len(set(paths)) and len(paths) > 3, paths
        for _, headers in upstream.asked:
            assert headers["User-Agent"].startswith("FindMyBike-registry/1") and "operator@" in headers["User-Agent"]
            assert headers["Referer"] == mapped.url + "/", headers
            assert "Cookie" not in headers and "X-Forwarded-For" not in headers, headers
        assert list(pathlib.Path(folder, "tiles").rglob("*.tile"))
        mapped.stop()


@test
def the_desk_without_a_map(registry, browser):
    """A registry without a map says so on its operators' overview, and one with a map does not."""
    visitor = operator(registry, browser)
    expect(visitor.page.get_by_text("There are no streets behind the trails")).to_be_visible()
    visitor.close()
    with tile_server() as upstream, tempfile.TemporaryDirectory(prefix="findmybike-map-") as folder:
        mapped = Registry(registry.programs, folder, more=SETTINGS.format(port=upstream.server_port, folder=folder))
        visitor = operator(mapped, browser)
        expect(visitor.page.get_by_role("heading", name="What needs attention")).to_be_visible()
        expect(visitor.page.get_by_text("There are no streets behind the trails")).to_have_count(0)
        visitor.close()
        mapped.stop()


@test
def a_map_server_that_fails(registry, browser):
    """Without tiles the trail stays usable, with the grid; the registry does not repeat its requests."""
    with tile_server() as upstream, tempfile.TemporaryDirectory(prefix="findmybike-map-") as folder:
        upstream.status = 503
        mapped = Registry(registry.programs, folder, more=SETTINGS.format(port=upstream.server_port, folder=folder))
        visitor = visit_trail(mapped, browser, ["status of 503"])
        page = visitor.page
        expect(page.locator(".trail > li")).to_have_count(2)
        expect(page.locator(".map path.path")).to_have_count(1)
        page.wait_for_function("() => document.querySelectorAll('.map .grid-line').length > 3")
        expect(page.locator(".map-credit")).to_be_hidden()
        assert len(upstream.asked) <= 12, len(upstream.asked)
        visitor.close()
        mapped.stop()
