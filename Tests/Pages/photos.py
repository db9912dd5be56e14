"""Photos: several at a time on a slow line, in the format of iPhones, and shown to a venue's staff if the owner agrees."""

import base64
import re
import time
import urllib.error
import urllib.request
import uuid

import displays
from playwright.sync_api import expect
from stage import Visitor, missing_bike, test, visit_id


def drawn(page, name="bike.jpg", noise=False):
    """A picture that the browser itself draws; with noise, it is one of some hundred kilobytes."""
    data = page.evaluate("""(noise) => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [1600, 1200];
        const context = canvas.getContext("2d");
        const pixels = context.createImageData(1600, 1200);
        pixels.data.forEach((_, index) => { pixels.data[index] = index % 4 === 3 ? 255 : noise ? Math.random() * 255 : 90; });
        context.putImageData(pixels, 0, 0);
        return canvas.toDataURL("image/jpeg", 0.8);
    }""", noise)
    return {"name": name, "mimeType": "image/jpeg", "buffer": base64.b64decode(data.split(",")[1])}


def add(registry, token, bike, file):
    """Adds a photo as the command line does."""
    request = urllib.request.Request(
        f"{registry.url}/v1/bikes/{bike['id']}/photos", data=file["buffer"], method="POST",
        headers={"Content-Type": "image/jpeg", "Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid.uuid4())})
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.headers["Location"].rpartition("/")[2]


def fetch(url):
    """The status of an address, and what it gives."""
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return response.status, response.read(), response.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


@test
def photos_on_a_slow_line(registry, browser):
    """Several photos are seen at once, each says how far it is, and they are stored in their order; too many are left out."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    files = [drawn(page, f"{number}.jpg", noise=number == 0) for number in range(3)]
    session = visitor.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions",
                 {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000})
    begin = time.monotonic()
    page.locator("[data-part=photos] input[type=file]").set_input_files(files)
    tiles = page.locator(".photos > li")
    expect(tiles).to_have_count(3)
    expect(page.locator(".photos img[src^='blob:']").first).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(1)
    print(f"    the first photo was on the screen after {time.monotonic() - begin:.1f} s")
    expect(tiles.nth(2)).to_contain_text("Waits for its turn")
    # The page can be used meanwhile.
    expect(page.get_by_role("button", name="Add a photo")).to_be_enabled()
    session.send("Network.emulateNetworkConditions",
                 {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    expect(page.get_by_role("checkbox", name="Staff may see it")).to_have_count(3, timeout=60_000)
    stored = registry.call("GET", f"/v1/bikes/{bike['id']}/photos", token=owner["token"])["items"]
    assert len(stored) == 3 and stored[0]["bytes"] > 2 * stored[1]["bytes"], stored
    page.locator("[data-part=photos] input[type=file]").set_input_files([drawn(page) for _ in range(4)])
    expect(page.get_by_text("the last ones were left out")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Staff may see it")).to_have_count(6, timeout=60_000)
    expect(page.get_by_role("button", name="Add a photo")).to_be_hidden()
    visitor.close()


@test
def a_photo_that_is_not_sent(registry, browser):
    """A HEIC file that the browser cannot read is not sent, and the page says what to do; a lost photo can be tried again."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    visitor = Visitor(browser, registry)
    visitor.allowed.append("ERR_FAILED|Failed to load resource")
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    heic = {"name": "IMG_1.HEIC", "mimeType": "image/heic", "buffer": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(5000)}
    picker = page.locator("[data-part=photos] input[type=file]")
    picker.set_input_files(heic)
    expect(page.get_by_role("alert")).to_contain_text("cannot read HEIC photos")
    expect(page.get_by_role("alert")).to_contain_text("Most Compatible")
    assert not sent, sent
    page.get_by_role("button", name="Leave it out").click()
    expect(page.locator(".photos > li")).to_have_count(0)
    page.route("**/photos", lambda route: route.abort() if route.request.method == "POST" else route.continue_(), times=1)
    picker.set_input_files(drawn(page))
    expect(page.get_by_role("alert")).to_contain_text("We do not know whether it arrived")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("checkbox", name="Staff may see it")).to_have_count(1)
    visitor.close()


@test
def staff_see_a_photo(registry, browser):
    """Only with the owner's consent a display shows a photo, by a link that ends with the consent and with the visit."""
    owner, bike, _ = missing_bike(registry)
    displays.beat(registry)
    screen = Visitor(browser, registry, viewport=displays.TABLET)
    screen.allowed.append("status of 401|status of 404")
    visitor = Visitor(browser, registry)
    visitor.sign_in(owner["token"])
    add(registry, owner["token"], bike, drawn(visitor.page))
    displays.pair(screen, registry)
    visit = visit_id(time.time())
    displays.hear(registry, bike, visit, 20, 0)
    displays.refresh(screen.page)
    expect(screen.page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    expect(screen.page.locator(".look-for img")).to_have_count(0)

    page = visitor.page
    visitor.open(f"/my/bikes/{bike['id']}")
    box = page.get_by_role("checkbox", name="Staff may see it")
    expect(box).not_to_be_checked()
    box.check()
    expect(page.get_by_text("Saved: staff may see it.")).to_be_visible()
    displays.refresh(screen.page)
    picture = screen.page.get_by_role("img", name="Photo of the bike")
    expect(picture).to_be_visible()
    screen.page.wait_for_function("() => document.querySelector('.look-for img').naturalWidth === 400")
    link = picture.evaluate("(image) => image.src")
    status, body, headers = fetch(link)
    assert status == 200 and body[:2] == b"\xff\xd8" and b"Exif" not in body, status
    assert "no-store" in headers["Cache-Control"] and "noindex" in headers["X-Robots-Tag"], headers
    for wrong in (link[:-6] + "AAAAAA", link[:-1], f"{registry.url}/staff-photos/x"):
        assert fetch(wrong)[0] == 404, wrong

    box.uncheck()
    expect(page.get_by_text("Saved: staff do not see it.")).to_be_visible()
    status, body, _ = fetch(link)
    assert status == 404 and "no longer shown" in body.decode(), body
    # A new consent has another link.
    box.check()
    expect(page.get_by_text("Saved: staff may see it.")).to_be_visible()
    assert fetch(link)[0] == 404
    displays.refresh(screen.page)
    expect(picture).to_have_attribute("src", re.compile("^/staff-photos/"))
    screen.page.wait_for_function("(old) => document.querySelector('.look-for img').src !== old", arg=link)
    second = picture.evaluate("(image) => image.src")
    assert fetch(second)[0] == 200
    # The station gets the same link with the answer to its report.
    displays.hear(registry, bike, visit, 20, 0, ended=True)
    assert fetch(second)[0] == 404
    visitor.close()
    screen.close()


@test
def a_finder_adds_a_photo(registry, browser):
    """A finder adds up to three photos; the owner sees one only after a tap, and the operator only if it was reported."""
    owner, bike, _ = missing_bike(registry)
    link = registry.call("PUT", f"/v1/bikes/{bike['id']}/sticker", {}, owner["token"])["link"]
    finder = Visitor(browser, registry)
    finder.allowed.append("status of 409")
    found = finder.page
    finder.open(link.removeprefix(registry.url))
    expect(found.get_by_role("button", name="Add a photo")).to_have_count(0)
    found.get_by_label("Your message").fill("Here it is.")
    found.get_by_role("button", name="Send").click()
    picker = found.locator("[data-photos] input[type=file]")
    expect(found.get_by_role("button", name="Add a photo")).to_be_visible()
    assert picker.get_attribute("capture") == "environment"
    found.get_by_label("Your message").fill("I am still writing")
    for number in range(1, 4):
        picker.set_input_files(drawn(found))
        expect(found.get_by_role("img", name="Photo that you added")).to_have_count(number)
        expect(found.get_by_text("Your photo has been sent.")).to_be_visible()
    picker.set_input_files(drawn(found))
    expect(found.get_by_text("No more photos can be added now")).to_be_visible()
    expect(found.get_by_label("Your message")).to_have_value("I am still writing")
    found.goto(found.url)
    expect(found.get_by_role("img", name="Photo that you added")).to_have_count(3)
    found.locator("img.sent").first.scroll_into_view_if_needed()
    found.wait_for_function("() => document.querySelector('img.sent').naturalWidth === 400")

    visitor = Visitor(browser, registry)
    page = visitor.page
    asked = []
    page.on("request", lambda request: "/photos/" in request.url and asked.append(request.url))
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    page.get_by_text("via the sticker").click()
    shows = page.get_by_role("button", name="Show the photo; nobody has checked it")
    expect(shows).to_have_count(3)
    assert not asked, asked
    shows.first.click()
    page.wait_for_function("() => document.querySelector('img.sent').naturalWidth === 400")
    base = f"/v1/bikes/{bike['id']}/conversations"
    conversation = registry.call("GET", base, None, owner["token"])["items"][0]
    path = f"/v1/reported-conversations/{conversation['id']}/photos/{conversation['photos'][0]['id']}"

    def status(token):
        request = urllib.request.Request(registry.url + path, headers={"Authorization": f"Bearer {token}"})
        try:
            return urllib.request.urlopen(request, timeout=10).status
        except urllib.error.HTTPError as error:
            return error.code

    assert status(registry.operator) == 404
    registry.call("PUT", f"{base}/{conversation['id']}/closure", {"blocked": True, "report": "Look"}, owner["token"])
    assert status(registry.operator) == 200 and status(owner["token"]) == 403
    visitor.close()
    finder.close()
