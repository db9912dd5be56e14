"""Tests of bikes and searches: pending beacons, long trails, earlier searches, and errors in the owner's language."""

import re
import time

from playwright.sync_api import expect
from stage import PLACES, Visitor, instant, missing_bike, test

HOUR = 3600


@test
def a_pending_beacon(registry, browser):
    """A beacon with its own values: the page says what is pending and what to do, and why it cannot be reported yet."""
    owner = registry.owner()
    identity = {"uuid": "3fb7e7de-1a2b-4c3d-8e4f-5a6b7c8d9e0f", "major": 7, "minor": 8}
    bike = registry.bike(owner["token"], identity=identity)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    expect(page.get_by_role("button", name="It’s gone")).to_be_disabled()
    expect(page.get_by_text("Not possible until the beacon is confirmed")).to_be_visible()
    page.get_by_role("link", name="Brompton C Line").click()
    expect(page.get_by_role("heading", name="Confirm your beacon")).to_be_visible()
    expect(page.locator(".steps .copy")).to_contain_text(str(bike["identity"]["minor"]))
    page.get_by_role("button", name="Test the beacon").click()
    expect(page.get_by_text("Stations listen for it until")).to_be_visible()
    # The station is not told that it proved something, and a visit counts from the test's beginning.
    page.wait_for_timeout(1100)
    registry.hear(0, bike, 0, 0, result="ignored")
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.get_by_role("button", name="It’s gone")).to_be_enabled()
    expect(page.get_by_role("heading", name="Confirm your beacon")).to_have_count(0)
    visitor.close()


@test
def a_long_trail(registry, browser):
    """Five sightings are shown at first, below the advice; a new one, or a minute more, leaves the focus where it is."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    registry.report(owner["token"], bike, missingSince=instant(time.time() - 20 * HOUR))
    for number in range(12):
        registry.hear(number % 3, bike, (15 - number) * HOUR, (15 - number) * HOUR - 60)
    visitor = Visitor(browser, registry)
    page = visitor.page
    page.clock.install()
    visitor.sign_in(owner["token"])
    page.get_by_role("link", name="Brompton C Line").click()
    rows = page.locator(".trail > li")
    expect(rows).to_have_count(5)
    tops = [page.get_by_text(text).first.bounding_box()["y"] for text in (
        "Do not confront anybody", "Where it was heard", "Letter to the police", "End the search…")]
    assert tops == sorted(tops), tops
    button = rows.nth(1).get_by_role("button", name="I have read this")
    button.focus()
    expect(page.locator(".age").first).to_have_text("4 hours ago")
    page.clock.fast_forward(HOUR * 1000)
    expect(page.locator(".age").first).to_have_text("5 hours ago")
    expect(button).to_be_focused()
    registry.hear(3, bike, 2, 0, ended=False)
    expect(page.locator(".latest-place")).to_have_text("Radwerkstatt Süd")
    expect(rows.nth(2).get_by_role("button", name="I have read this")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="Heard again: Radwerkstatt Süd")).to_have_count(1)
    page.get_by_role("button", name="Show more (8)").click()
    expect(rows).to_have_count(13)
    expect(rows.nth(5)).to_be_focused()
    # The receiver that heard it, with its own place on the map if the venue has set one near the station.
    registry.hear(3, bike, 1, 0, receiver={"name": "Werkbank"})
    expect(rows.first).to_contain_text("Heard by the receiver “Werkbank”")
    expect(page.get_by_role("link", name="Werkbank")).to_have_count(0)
    _, latitude, longitude, _ = PLACES[3]
    registry.hear(3, bike, 0, 0, receiver={"name": "Hof", "place": {"latitude": latitude, "longitude": longitude}})
    link = rows.first.get_by_role("link", name="Heard by the receiver “Hof”")
    expect(link).to_have_attribute("href", re.compile(re.escape(f"{latitude}/{longitude}")))
    visitor.close()


@test
def earlier_searches(registry, browser):
    """After a search its outcome, places, evidence and letter are still on the bike's page."""
    owner, bike, report = missing_bike(registry)
    registry.hear(0, bike, 30, 20)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    page.get_by_role("link", name="Brompton C Line").click()
    expect(page.get_by_text("Missing since")).to_be_visible()
    page.get_by_role("button", name="End the search…").click()
    page.get_by_text("It was never gone").click()
    page.get_by_role("button", name="End the search", exact=True).click()
    expect(page.get_by_role("heading", name="Earlier searches")).to_be_visible()
    page.get_by_text("It was never gone").click()
    expect(page.locator(".trail > li")).to_contain_text("Parkhaus Mitte")
    expect(page.get_by_role("button", name="Not my bike")).to_have_count(0)
    expect(page.get_by_role("link", name="Evidence for the police")).to_be_visible()
    page.get_by_role("link", name="Letter to the police").click()
    page.wait_for_url(f"**/letter?report={report['id']}")
    expect(page.get_by_text("My bicycle was missing from")).to_be_visible()
    visitor.close()


@test
def choosing_colours(registry, browser):
    """Colours show the order in which they were chosen; a fourth cannot be chosen, and the page says why."""
    owner = registry.owner()
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open("/my/new-bike")
    for colour in ("Teal", "Black", "Gold"):
        page.get_by_text(colour, exact=True).click()
    assert page.locator(".number:visible").all_inner_texts() == ["2", "1", "3"]
    expect(page.get_by_label("Red")).to_be_disabled()
    expect(page.get_by_text("Three colours are chosen")).to_be_visible()
    page.locator("label", has_text="Black").click()
    expect(page.get_by_label("Red")).to_be_enabled()
    page.get_by_label("Make").fill("Brompton")
    page.get_by_label("Model").fill("C Line")
    page.get_by_role("button", name="Add this bike").click()
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    bike = registry.call("GET", "/v1/bikes", token=owner["token"])["items"][0]
    assert bike["colours"] == ["teal", "gold"], bike
    visitor.close()


@test
def errors_in_words(registry, browser):
    """A refused field says in the page's language what it must be; other errors are above the button and get the focus."""
    owner = registry.owner()
    visitor = Visitor(browser, registry, locale="de-DE")
    visitor.allowed.append("status of 4(04|22)")
    page = visitor.page
    visitor.context.request.post(f"{registry.url}/v1/sessions", data={"token": owner["token"]}, headers={
        "Origin": registry.url, "Sec-Fetch-Site": "same-origin"})
    visitor.open("/my/new-bike")
    page.get_by_label("Marke").fill("\u200b")
    page.get_by_label("Modell").fill("C Line")
    page.get_by_role("button", name="Dieses Rad hinzufügen").click()
    expect(page.get_by_text("Gib die Marke an")).to_be_visible()
    expect(page.get_by_text("Wähle eine bis drei Farben")).to_be_visible()
    expect(page.get_by_label("Marke")).to_be_focused()
    page.get_by_label("Marke").fill("Brompton")
    page.get_by_text("Grün", exact=True).click()
    expect(page.get_by_text("Wähle eine bis drei Farben")).to_have_count(0)
    page.get_by_text("Die eigene UUID meines Senders behalten").click()
    page.get_by_label("UUID").fill("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
    page.get_by_text("Die eigene UUID meines Senders behalten").click()
    page.get_by_role("button", name="Dieses Rad hinzufügen").click()
    expect(page.get_by_label("UUID")).to_be_focused()
    expect(page.get_by_text("Dieses Register nimmt diese Werte nicht an")).to_be_visible()
    expect(page.get_by_text("Gib die Marke an")).to_have_count(0)
    page.get_by_label("UUID").fill("")
    page.get_by_role("button", name="Dieses Rad hinzufügen").click()
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    bike = registry.call("GET", "/v1/bikes", token=owner["token"])["items"][0]
    registry.call("DELETE", f"/v1/bikes/{bike['id']}", token=owner["token"], etag="*")
    page.get_by_role("button", name="Es ist weg").click()
    submit = page.get_by_role("button", name="Als vermisst melden")
    submit.click()
    fault = page.get_by_role("alert")
    expect(fault).to_contain_text("gehört nicht dir")
    expect(fault).to_be_focused()
    assert fault.bounding_box()["y"] < submit.bounding_box()["y"]
    visitor.close()
