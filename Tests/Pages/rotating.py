"""Tests of rotating beacons: the key on the page, and the trail of a bike whose beacon changes its identity."""

import re
import subprocess
import tempfile
import time
import uuid

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash
from playwright.sync_api import expect
from stage import Visitor, instant, test


@test
def a_rotating_beacon(registry, browser):
    """The key of a rotating beacon is shown once, as text, QR code and file; the missing bike is found by what it sends."""
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_up()
    page.get_by_role("link", name="Add a bike").click()
    page.get_by_label("Make").fill("Brompton")
    page.get_by_label("Model").fill("C Line")
    page.get_by_text("Green", exact=True).click()
    page.get_by_text("Other kinds of beacon").click()
    page.get_by_text("My beacon changes its identity").click()
    page.get_by_role("button", name="Add this bike").click()
    expect(page.get_by_role("heading", name="The beacon’s key")).to_be_visible()
    key = page.locator(".copy .mono").inner_text()
    assert re.fullmatch("[0-9a-f]{32}", key), key
    with tempfile.NamedTemporaryFile(suffix=".png") as picture:
        page.get_by_role("img", name="The key as a QR code").screenshot(path=picture.name)
        assert key in read_code(picture.name)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as a file").click()
    assert download.value.suggested_filename == "bike.key"
    assert download.value.path().read_text("utf-8") == key + "\n"

    page.evaluate("() => history.back()")
    page.get_by_role("dialog", name="Have you kept the key?").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="I have kept the key").click()
    page.wait_for_url("**/my/bikes/*")
    bike = page.url.rpartition("/")[2]
    page.reload()
    expect(page.get_by_role("heading", name="Brompton")).to_be_visible()
    storage = page.evaluate("() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    for text in (page.content(), storage, str(visitor.send("GET", f"/v1/bikes/{bike}"))):
        assert key not in text, text

    visitor.send("POST", f"/v1/bikes/{bike}/reports", {"missingSince": instant(time.time() - 3600)})
    now = time.time()
    registry.hear(0, {"identity": identity(key, now - 2400)}, 2400, 2300)
    visitor.open(f"/my/bikes/{bike}")
    expect(page.get_by_text("Only your beacon can have sent this")).to_be_visible()
    registry.hear(1, {"identity": identity(key, now - 9 * 1024)}, 30, 0)
    expect(page.get_by_text("somebody may have recorded and repeated it")).to_be_visible()
    visitor.close()


def read_code(path):
    return subprocess.run(["zbarimg", "--quiet", "--raw", path], capture_output=True, text=True, check=True).stdout


def identity(key, seconds):
    """What a beacon with this key and an exact clock sends, by PyCA’s key derivation (profile “rot 1”)."""
    secret, slot = bytes.fromhex(key), int(seconds) >> 10

    def derive(secret, purpose, number, length):
        info = b"FindMyBike rot 1" + purpose + number.to_bytes(4, "big")
        return ConcatKDFHash(algorithm=SHA256(), length=length, otherinfo=info).derive(secret)

    low = derive(derive(secret, b"E", slot >> 6, 16), b"L", slot, 16)
    tail = derive(secret, b"T", slot, 4)
    return {"uuid": str(uuid.UUID(bytes=low)).upper(), "major": int.from_bytes(tail[:2], "big"),
            "minor": int.from_bytes(tail[2:], "big")}
