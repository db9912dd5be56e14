"""What the pages say when something cannot be done."""

import base64
import struct
import zlib

from playwright.sync_api import expect
from stage import Visitor, signed_up_with_bike, test

# What browsers do whose push service refuses, or never answers.
SUBSCRIBE = {
    "refuses": "Promise.reject(new DOMException('Registration failed - push service error', 'AbortError'))",
    "hangs": "new Promise(() => {})",
}


@test
def push_services_that_fail(registry, browser):
    """If the push service refuses or does not answer, or the person says no, the page says what to do instead."""
    for behaviour, answer in SUBSCRIBE.items():
        visitor = Visitor(browser, registry, permissions=["notifications"])
        visitor.context.add_init_script(f"PushManager.prototype.subscribe = () => {answer};")
        turn_on(visitor)
        # The page waits ten seconds for a push service.
        expect(visitor.page.get_by_role("alert")).to_contain_text("choose another way below", timeout=30_000)
        expect(visitor.page.get_by_role("button", name="Turn on")).to_be_enabled()
        channels = registry.call("GET", "/v1/channels", token=visitor.token)["items"]
        assert channels == [], f"{behaviour}: {channels}"
        visitor.close()
    visitor = Visitor(browser, registry)
    visitor.context.add_init_script("Notification.requestPermission = async () => 'denied';")
    turn_on(visitor)
    expect(visitor.page.get_by_role("alert")).to_contain_text("blocks")
    visitor.close()


def turn_on(visitor):
    visitor.token = visitor.registry.owner()["token"]
    visitor.sign_in(visitor.token)
    visitor.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    visitor.open("/my/account")
    visitor.page.get_by_role("button", name="Turn on").click()


def drawn(page, kind, width=2000, height=1500):
    """A picture that the browser itself draws, wider than high, dark on the left."""
    data = page.evaluate("""([kind, width, height]) => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [width, height];
        const context = canvas.getContext("2d");
        context.fillStyle = "white";
        context.fillRect(0, 0, width, height);
        context.fillStyle = "black";
        context.fillRect(0, 0, width / 2, height);
        return canvas.toDataURL(kind);
    }""", [kind, width, height])
    return base64.b64decode(data.split(",")[1])


def with_place(jpeg):
    """A JPEG file as a phone writes it that was held upright: turned by a quarter (orientation 6), with the place (Exif)."""
    def entry(tag, kind, count, value):
        return struct.pack(">HHI4s", tag, kind, count, value)

    place = struct.pack(">H", 1) + entry(1, 2, 2, b"N\0\0\0") + struct.pack(">I", 0)
    main = struct.pack(">H", 2) + entry(0x112, 3, 1, struct.pack(">HH", 6, 0)) + \
        entry(0x8825, 4, 1, struct.pack(">I", 8 + 30)) + struct.pack(">I", 0)
    exif = b"Exif\0\0MM\0*" + struct.pack(">I", 8) + main + place
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def png(width, height):
    """The beginning of a PNG file, without a picture."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header)) + b"\0" * 2000


@test
def photos_of_any_kind(registry, browser):
    """A photo with a place is kept upright and without it, for its owner alone; what is no photo is refused in words."""
    visitor = Visitor(browser, registry)
    page = visitor.page
    bike = signed_up_with_bike(visitor)
    path = f"/my/bikes/{bike}"
    visitor.open(path)
    # A photo that is not sent has no link.
    photo = page.locator(".photos a")

    def add(name, data):
        page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "image/jpeg", "buffer": data})

    visitor.allowed.append("status of 422")
    good = drawn(page, "image/jpeg")
    refused = {
        "the page of a shop.jpg": (b"<html>" + b" " * 2000, "This file is not a JPEG photo"),
        "a PNG file without a picture.jpg": (png(100, 100), "it is a PNG picture"),
        "cut off in the header.jpg": (good[:100], "ends early"),
        # A browser shows the first half, and a grey rest.
        "cut off in the middle.jpg": (good[:len(good) // 2], "ends early"),
    }
    for name, (data, words) in refused.items():
        visitor.open(path)
        add(name, data)
        expect(page.get_by_role("alert"), name).to_contain_text(words)
        expect(photo).to_have_count(0)
    visitor.open(path)
    # The browser can read it, so the page makes a JPEG file of it.
    readable = [("IMG_1.jpg", with_place(good) + b"moving"), ("a PNG file.jpg", drawn(page, "image/png"))]
    for count, (name, data) in enumerate(readable, 1):
        add(name, data)
        # Before that, the page shows the photo of this device.
        expect(page.locator(".photos a")).to_have_count(count)
    addresses = page.locator(".photos a").evaluate_all("(links) => links.map((link) => link.href)")
    stored = [visitor.context.request.get(address) for address in addresses]
    assert all(answer.headers["content-type"] == "image/jpeg" for answer in stored)
    assert all(b"Exif" not in answer.body() for answer in stored)
    sizes = page.evaluate("""(addresses) => Promise.all(addresses.map(async (address) => {
        const image = await createImageBitmap(await (await fetch(address)).blob());
        return image.width < image.height;
    }))""", addresses)
    assert sizes == [True, False], "the first photo is upright"
    stranger = Visitor(browser, registry)
    stranger.sign_in(registry.owner()["token"])
    assert [stranger.context.request.get(address).status for address in addresses] == [404, 404]
    stranger.close()
    visitor.close()
