"""Tests of what an owner does before anything happens: choosing a registry, getting a bike ready, and keeping an account."""

import re
import sqlite3
import time

from midnight import listen
from playwright.sync_api import expect
from refusals import drawn
from stage import PLACES, Visitor, instant, kept_in, missing_bike, stored, test

HERE = {"latitude": 52.52, "longitude": 13.4, "accuracy": 12}


def signed_in(registry, browser, bike=None, **options):
    """An owner with a bike, and a browser that is signed in."""
    owner = registry.owner()
    bike = registry.bike(owner["token"], **(bike or {}))
    visitor = Visitor(browser, registry, **options)
    visitor.sign_in(owner["token"])
    return owner, bike, visitor


def step(page, title):
    return page.locator(".checklist > li", has=page.get_by_role("heading", name=re.compile(f"^{title}")))


def listed(registry):
    return registry.call("GET", "/v1/missing", token=registry.stations[0])["identities"]


@test
def a_new_bike_is_a_checklist(registry, browser):
    """A new bike's page says what is left to do; a test of an ordinary beacon says when a station heard it, and not where."""
    owner, bike, visitor = signed_in(registry, browser)
    page = visitor.page
    visitor.open(f"/my/bikes/{bike['id']}")
    summary = page.locator("[data-part=setup] > summary")
    expect(summary).to_have_text("Be ready: 0 of 5 done")
    step(page, "Set the beacon").get_by_role("button", name="Show the values").click()
    expect(page.get_by_text(bike["identity"]["uuid"])).to_be_in_viewport()
    before = listed(registry)
    page.get_by_role("button", name="Start a test").click()
    expect(page.get_by_text(re.compile(r"Stations listen until \d\d:\d\d"))).to_be_visible()
    assert [each for each in listed(registry) if each not in before] == [bike["identity"]]
    page.wait_for_timeout(1100)
    # The station is not told what it was, and nothing of it is kept with the bike but the time.
    registry.hear(1, bike, 0, 0, result="ignored")
    expect(page.get_by_text("Last heard in a test today, ")).to_be_visible(timeout=15_000)
    expect(summary).to_have_text("Be ready: 2 of 5 done")
    assert bike["identity"] not in listed(registry)
    now = registry.call("GET", f"/v1/bikes/{bike['id']}", token=owner["token"])
    assert list(now["test"]) == ["heard"] and PLACES[1][0] not in str(now), now
    visitor.allowed.append("status of 429")
    page.get_by_role("button", name="Test again").click()
    expect(page.get_by_role("alert")).to_contain_text("Too many of these in one day. Wait 6 hours")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "bike.jpg", "mimeType": "image/jpeg", "buffer": drawn(page, "image/jpeg")})
    expect(summary).to_have_text("Be ready: 3 of 5 done")
    stored(page)
    step(page, "Enter the frame number").get_by_role("link", name="Enter it").click()
    page.get_by_text("Frame number and more").click()
    page.get_by_label("Frame number", exact=True).fill("WTU 1")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_have_text("Saved")
    registry.call("POST", "/v1/channels", {"kind": "ntfy", "url": "https://ntfy.example.org/x"}, owner["token"])
    page.get_by_role("link", name="Back").click()
    expect(summary).to_have_text("All is ready")
    expect(page.get_by_role("button", name="Test again")).to_be_hidden()
    visitor.close()


@test
def a_test_that_nobody_hears(registry, browser):
    """A test that ends without a station says what to look at; one that runs goes on after a reload."""
    _, bike, visitor = signed_in(registry, browser)
    page = visitor.page
    visitor.open(f"/my/bikes/{bike['id']}")
    page.get_by_role("button", name="Start a test").click()
    expect(page.get_by_text("Stations listen until")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Stations listen until")).to_be_visible()
    with sqlite3.connect(registry.folder / "registry.sqlite", timeout=30) as database:
        database.execute("UPDATE identity SET tested_until = ? WHERE tested_until IS NOT NULL",
                         (int(time.time() * 1000) - 1000,))
    database.close()
    expect(page.get_by_text("No station heard it.")).to_be_visible(timeout=15_000)
    expect(page.get_by_role("button", name="Start a test")).to_be_visible()
    visitor.close()


@test
def before_signing_up(registry, browser):
    """Without an account, a page says which beacon, how many stations and roughly where, what is stored, and who runs it."""
    for number in range(6):
        registry.stations.append(registry.enrol(f"Späti {number}", 52.51 + number / 1000, 13.41, 10))
    listen(registry)
    visitor = Visitor(browser, registry, permissions=["geolocation"], geolocation=HERE)
    page = visitor.page
    visitor.open("/")
    page.get_by_role("link", name="Which beacon, how many stations, who runs it").click()
    expect(page.get_by_role("heading", name="Before you sign up")).to_be_visible()
    expect(page.get_by_text("Any iBeacon whose UUID")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\d+ stations listen now"))).to_be_visible()
    page.get_by_role("button", name="How many are near me?").click()
    expect(page.get_by_text(re.compile(r"At least \d+ of them are within about 15 km"))).to_be_visible()
    page.get_by_text("Where they are, roughly").click()
    expect(page.get_by_role("link", name=re.compile(r"^\d+ around 52.55° N, 13.45° E$"))).to_be_visible()
    expect(page.get_by_text("has not said so here")).to_be_visible()
    assert "Späti" not in page.content() and PLACES[0][0] not in page.content()
    answer = registry.call("GET", "/v1/about")
    assert all(area["stations"] >= 5 for area in answer["stations"]["areas"]), answer
    visitor.close()
    registry.enrol_stations()


@test
def a_language_that_stays(registry, browser):
    """The language that somebody chooses before signing up holds on every page, after a reload, and in the account."""
    visitor = Visitor(browser, registry)
    visitor.add_authenticator()
    page = visitor.page
    visitor.open("/")
    page.get_by_label("Language").select_option(label="Deutsch")
    expect(page.get_by_role("heading", name="Finde dein Rad wieder, wenn es weg ist")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Sprache")).to_have_value("de")
    page.get_by_role("link", name="Rad gefunden?").click()
    expect(page.get_by_role("heading", name="Ein Rad gefunden?")).to_be_visible()
    visitor.open("/check")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    visitor.open("/about")
    expect(page.get_by_role("heading", name="Bevor du ein Konto anlegst")).to_be_visible()
    page.get_by_role("link", name="Konto anlegen").click()
    page.get_by_role("button", name="Passkey anlegen").click()
    page.get_by_role("link", name="Ich habe meine Codes aufbewahrt").click()
    expect(page.get_by_role("heading", name="Meine Räder")).to_be_visible()
    with page.expect_response("**/v1/owner") as answered:
        page.goto(f"{registry.url}/my/account")
    assert answered.value.json()["language"] == "de"
    visitor.close()


@test
def reminders_and_numbers(registry, browser):
    """Dates, the breakdown number and the engine number are entered and shown; makes and models are suggested; text is free."""
    owner, bike, visitor = signed_in(
        registry, browser, {"kind": "motorbike", "make": "Triumph", "model": "Bonneville", "colours": ["black"]})
    page = visitor.page
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    visitor.open(f"/my/bikes/{bike['id']}/edit")
    assert not [url for url in asked if "makes.js" in url]
    page.get_by_label("Make").focus()
    expect(page.locator("#makes option[value=Yamaha]")).to_have_count(1)
    expect(page.locator("#makes option[value=Brompton]")).to_have_count(0)
    page.get_by_label("Make").fill("honda")
    page.get_by_label("Model").focus()
    expect(page.locator("#models option[value=CB125R]")).to_have_count(1)
    page.get_by_label("Make").fill("Workshop’s own")
    page.get_by_text("Frame number and more").click()
    page.get_by_label("Engine number").fill("865-1")
    page.get_by_text("Reminders", exact=True).click()
    page.get_by_label("Insurance ends").fill("2031-06-30")
    page.get_by_label("Breakdown number").fill("0161 496 0000")
    page.get_by_label("Battery of the beacon").select_option("CR2477")
    page.get_by_label("Battery fitted on").fill("2030-11-21")
    button = page.get_by_role("button", name="Save")
    button.click()
    expect(page.locator(".toast")).to_have_text("Saved")
    expect(button).to_be_focused()
    expect(button).to_be_in_viewport()
    stored = registry.call("GET", f"/v1/bikes/{bike['id']}", token=owner["token"])
    assert stored["make"] == "Workshop’s own" and stored["engineNumber"] == "865-1", stored
    assert stored["upkeep"] == {"insuranceEnds": "2031-06-30", "breakdownCoverNumber": "0161 496 0000",
                                "battery": "CR2477", "batteryFitted": "2030-11-21"}, stored
    page.get_by_role("link", name="Back").click()
    page.get_by_text("Details", exact=True).click()
    for text in ("865-1", "30 June 2031", "CR2477, 21 November 2030"):
        expect(page.get_by_text(text)).to_be_visible()
    expect(page.get_by_role("link", name="0161 496 0000")).to_have_attribute("href", "tel:01614960000")
    page.get_by_role("link", name="Change").click()
    # The page before has a part of that name, too.
    expect(page.get_by_label("Make")).to_be_visible()
    page.get_by_text("Reminders", exact=True).click()
    page.get_by_label("Insurance ends").fill("")
    with page.expect_response(lambda response: response.request.method == "PATCH"):
        page.get_by_role("button", name="Save").click()
    assert "insuranceEnds" not in registry.call("GET", f"/v1/bikes/{bike['id']}", token=owner["token"])["upkeep"]
    # A bicycle has no engine.
    page.get_by_text("Bicycle", exact=True).click()
    expect(page.get_by_label("Engine number")).to_be_hidden()
    visitor.close()


@test
def where_did_i_leave_it(registry, browser):
    """A tap keeps where the bike is parked, for its owner alone; a report takes it as the last place; it can be forgotten."""
    owner, bike, visitor = signed_in(registry, browser, permissions=["geolocation"], geolocation=HERE)
    page = visitor.page
    visitor.open(f"/my/bikes/{bike['id']}")
    page.get_by_text("Where did I leave it?").click()
    page.get_by_role("button", name="I park here").click()
    expect(page.get_by_text("You parked it just now")).to_be_visible()
    visitor.context.set_geolocation({"latitude": 52.5, "longitude": 13.3, "accuracy": 20})
    page.get_by_role("button", name="I park here now").click()
    expect(page.get_by_text("within about 20 m")).to_be_visible()
    expect(page.get_by_role("link", name="Open in maps")).to_have_attribute("href", re.compile("52.5.*13.3"))
    page.get_by_role("button", name="It’s gone").click()
    page.get_by_text("When, where and police reference").click()
    expect(page.get_by_text("The place where you parked it")).to_be_visible()
    page.get_by_role("button", name="Report as missing").click()
    expect(page.get_by_text("No station has heard it yet")).to_be_visible()
    [report] = registry.call("GET", f"/v1/bikes/{bike['id']}/reports", token=owner["token"])["items"]
    assert report["lastPlace"]["latitude"] == 52.5, report
    # After a search, the place where a station heard it is shown, too. A visit counts from the report on.
    page.wait_for_timeout(1100)
    registry.hear(0, bike, 0, 0, ended=False)
    registry.call("POST", f"/v1/bikes/{bike['id']}/reports/{report['id']}/closure", {"outcome": "recovered"}, owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.get_by_text("You parked it")).to_be_visible()
    expect(page.get_by_text(f"a station heard it just now: {PLACES[0][0]}")).to_be_visible()
    page.get_by_role("button", name="Forget this place").click()
    expect(page.get_by_text("You parked it")).to_have_count(0)
    assert "parked" not in registry.call("GET", f"/v1/bikes/{bike['id']}", token=owner["token"])
    visitor.close()


@test
def a_poster(registry, browser):
    """A poster shows the bike and the sticker's code with a QR code, fits on a page, and shows no number of the bike."""
    owner, bike, _ = missing_bike(registry)
    path = f"/v1/bikes/{bike['id']}"
    code = registry.call("PUT", f"{path}/sticker", {}, owner["token"])["code"]
    visitor = Visitor(browser, registry)
    visitor.allowed.append("status of 404")
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}/edit")
    page.get_by_text("Frame number and more").click()
    page.get_by_label("Frame number", exact=True).fill("SECRET 1")
    page.get_by_label("Number plate").fill("SECRET 2")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_be_visible()
    visitor.open(f"/my/bikes/{bike['id']}")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "bike.jpg", "mimeType": "image/jpeg", "buffer": drawn(page, "image/jpeg")})
    stored(page)
    page.get_by_role("link", name="Poster to print").click()
    poster = page.locator(".poster")
    expect(poster).to_contain_text("STOLEN BICYCLE")
    expect(poster).to_contain_text("Call the police")
    page.get_by_label("Code of your sticker").fill("0000-0000-0000")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not a code")
    page.get_by_label("Code of your sticker").fill(code.lower().replace("-", " "))
    page.get_by_role("button", name="Continue").click()
    expect(poster).to_contain_text(code)
    page.wait_for_function("() => document.querySelector('.answers img')?.naturalWidth > 0")
    page.wait_for_function("() => document.querySelector('.poster .photo')?.naturalWidth > 0")
    assert "SECRET" not in page.content()
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(poster).to_be_visible()
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
    assert pages == 1, pages
    visitor.close()


@test
def after_a_recovery_code(registry, browser):
    """After a recovery code, the page counts those left, adds a passkey here, and signs the lost phone out."""
    lost = Visitor(browser, registry)
    codes = lost.sign_up()
    visitor = Visitor(browser, registry)
    visitor.add_authenticator()
    page = visitor.page
    visitor.open("/sign-in?to=%2Fmy%2Faccount")
    page.get_by_text("Lost your phone? Use a code").click()
    page.get_by_label("Recovery code").fill(codes[0])
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="You are signed in")).to_be_focused()
    expect(page.get_by_text("9 codes are left")).to_be_visible()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("This device has a passkey now")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Remove: Chrome on Linux, ")).click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/my/account")
    lost.allowed.append("status of 401")
    lost.page.goto(f"{registry.url}/my")
    lost.page.wait_for_url("**/sign-in**")
    lost.close()
    visitor.close()


@test
def saving_and_proving(registry, browser):
    """A save says so and leaves the page where it was; a proof says why it is asked for; equal devices get numbers."""
    visitor = Visitor(browser, registry)
    visitor.allowed.append("status of 403")
    codes = visitor.sign_up()
    page = visitor.page
    visitor.open("/my/account")
    page.get_by_label("Language").select_option("de")
    page.get_by_role("button", name="Save").scroll_into_view_if_needed()
    place = page.evaluate("() => scrollY")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_have_text("Gespeichert")
    assert abs(page.evaluate("() => scrollY") - place) < 60
    page.get_by_label("Sprache").select_option("en")
    page.get_by_role("button", name="Speichern").click()
    expect(page.locator(".toast")).to_have_text("Saved")
    kept_in(page, "en")
    # The browser may look for a newer service worker at any time, also while the registry is stopped.
    visitor.allowed.append("fetching the script")
    # As if ten minutes had passed; the registry keeps sessions in memory.
    registry.stop()
    with sqlite3.connect(registry.folder / "registry.sqlite", timeout=30) as database:
        database.execute("UPDATE token SET confirmed = 1 WHERE confirmed IS NOT NULL")
        [key] = database.execute("SELECT owner FROM token ORDER BY created DESC LIMIT 1").fetchone()
        name = database.execute("SELECT name FROM passkey WHERE owner = ?", (key,)).fetchone()[0]
    database.close()
    registry.start()
    assert re.fullmatch(r"Chrome on Linux, \d+ \w+", name), name
    visitor.open("/my/account")
    page.get_by_text("Passkeys (1)").click()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("This device has a passkey for this account already.")
    page.get_by_role("button", name="Add an e-mail address").click()
    page.get_by_role("textbox", name="E-mail").fill("me@example.org")
    page.get_by_role("button", name="Save").last.click()
    dialog = page.get_by_role("dialog", name="Confirm that it is you")
    expect(dialog).to_contain_text("Somebody else may be holding this device")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert").last).to_contain_text("This needs a passkey or a recovery code")
    page.get_by_role("button", name="Save").last.click()
    dialog.get_by_role("button", name="Use a recovery code instead").click()
    page.get_by_role("textbox", name="Recovery code").fill(codes[2])
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".toast")).to_have_text("Saved")
    expect(page.get_by_text("me@example.org")).to_be_visible()
    expect(page.get_by_text("Passkeys (1)")).to_be_visible()
    visitor.send("POST", "/v1/owner/tokens", {"name": "laptop", "scope": "read"})
    visitor.send("POST", "/v1/owner/tokens", {"name": "laptop", "scope": "read"})
    visitor.open("/my/account")
    page.get_by_text("Tokens (2)").click()
    expect(page.get_by_role("button", name="Remove: laptop (2)")).to_be_visible()
    visitor.close()
