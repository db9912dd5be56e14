"""The desk's places and displays: a map to choose from, a warning for a strange place, and the screens of a station."""

import re
import uuid

import displays
from desk import operator, station
from playwright.sync_api import expect
from stage import Visitor, test


@test
def a_place_on_the_map(registry, browser):
    """A click on the map and a dragged mark fill the coordinates; typed ones move the mark."""
    visitor = operator(registry, browser, "/desk/invitations")
    page = visitor.page
    area = page.get_by_role("region", name="Map on which the place can be chosen")
    # Of many stations some lie outside of the map, and are not visible.
    page.locator(".map.choose.leaflet-container .other-place").first.wait_for(state="attached")
    latitude, longitude = page.get_by_label("Latitude"), page.get_by_label("Longitude")
    latitude.fill("52.52")
    longitude.fill("13.41")
    mark = page.locator(".place-mark")
    expect(mark).to_be_visible()
    area.click(position={"x": 60, "y": 120})
    expect(latitude).not_to_have_value("52.52")
    before = latitude.input_value(), longitude.input_value()
    assert abs(float(before[0]) - 52.52) < 0.1 and abs(float(before[1]) - 13.41) < 0.1, before
    box = mark.bounding_box()
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] + 72, box["y"] + 52, steps=5)
    page.mouse.up()
    after = latitude.input_value(), longitude.input_value()
    assert float(after[0]) < float(before[0]) and float(after[1]) > float(before[1]), (before, after)
    expect(page.get_by_text("from the nearest other station")).to_have_count(0)
    name = f"Laden {uuid.uuid4().hex[:8]}"
    page.get_by_label("Name of the station").fill(name)
    page.get_by_role("button", name="Make a code", exact=True).click()
    page.get_by_text("findmybike-monitor enrol").wait_for()
    items = registry.call("GET", "/v1/invitations?limit=500", token=registry.operator)["items"]
    place = [item["place"] for item in items if item["name"] == name][0]
    assert (str(place["latitude"]), str(place["longitude"])) == after, (place, after)
    visitor.close()


@test
def a_strange_place(registry, browser):
    """Coordinates far from all stations are warned of; swapped ones can be put right by one tap, and a warning stops nobody."""
    visitor = operator(registry, browser, "/desk/invitations")
    page = visitor.page
    page.locator(".map.choose.leaflet-container .other-place").first.wait_for(state="attached")
    latitude, longitude = page.get_by_label("Latitude"), page.get_by_label("Longitude")
    latitude.fill("13.40")
    longitude.fill("52.52")
    expect(page.get_by_text(re.compile("This place is .* km from the nearest other station"))).to_be_visible()
    expect(page.get_by_text("Perhaps latitude and longitude were swapped.")).to_be_visible()
    page.get_by_role("button", name="Swap them").click()
    expect(latitude).to_have_value("52.52")
    expect(longitude).to_have_value("13.4")
    expect(page.get_by_text("from the nearest other station")).to_have_count(0)
    latitude.fill("-52.52")
    expect(page.get_by_text("a minus or a digit may be wrong")).to_be_visible()
    expect(page.get_by_role("button", name="Swap them")).to_have_count(0)
    visitor.close()


@test
def a_map_on_a_bad_line(registry, browser):
    """The map also starts if its form waits for another answer; if the stations cannot be read, it says so until they are."""
    visitor = operator(registry, browser)
    page = visitor.page
    visitor.allowed.append("Failed to load resource")
    missing, waiting = page.get_by_text("The other stations could not be loaded"), []
    page.route("**/v1/desk/session", lambda route: waiting.append(route))
    page.route("**/v1/station-map", lambda route: route.abort())
    with page.expect_request("**/v1/station-map"):
        page.goto(f"{registry.url}/desk/invitations")
    # Some frames are drawn while the form exists and is not in the page.
    page.wait_for_timeout(500)
    expect(page.locator(".map.choose")).to_have_count(0)
    waiting.pop().continue_()
    expect(page.locator(".map.choose.leaflet-container")).to_be_visible()
    expect(missing).to_be_visible()
    page.unroute("**/v1/station-map")
    page.get_by_role("button", name="Try again").click()
    page.locator(".other-place").first.wait_for(state="attached")
    expect(missing).to_have_count(0)
    expect(page.get_by_label("Latitude")).to_be_focused()
    visitor.close()


@test
def displays_at_the_desk(registry, browser):
    """An operator makes a code, a screen connects with it, and the display is renamed and removed."""
    found = station(registry, "Café Sprocket")
    visitor = operator(registry, browser, f"/desk/stations/{found['id']}")
    page = visitor.page
    expect(page.get_by_text("This station has no display.")).to_be_visible()
    page.get_by_role("button", name="Add a display").click()
    page.get_by_role("dialog").get_by_label("Display").fill("Counter")
    page.get_by_role("button", name="Make a code for it").click()
    link = page.get_by_text(re.compile(r"/display#\S+$")).inner_text()
    expect(page.get_by_text("the code works until")).to_be_visible()
    screen = Visitor(browser, registry, viewport=displays.TABLET)
    screen.allowed.append("status of 401")
    screen.page.goto(link)
    screen.page.get_by_role("button", name="Connect").click()
    expect(screen.page.get_by_role("heading", level=1)).to_have_text(re.compile("bike"))
    page.reload()
    page.get_by_role("button", name="Rename the display Counter").click()
    page.get_by_role("dialog").get_by_label("Display").fill("Bar <b>")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(page.get_by_role("cell", name="Bar <b>").first).to_be_visible()
    path = f"/v1/stations/{found['id']}/displays"
    assert [each["name"] for each in registry.call("GET", path, token=registry.operator)["items"]] == ["Bar <b>"]
    page.get_by_role("button", name="Remove the display Bar <b>").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("This station has no display.")).to_be_visible()
    displays.refresh(screen.page)
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Connect this screen")
    screen.close()
    visitor.close()
