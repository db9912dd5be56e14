"""Somebody who feels followed: the public page, the look-up, the message, and the operator who answers and stops a search."""

import time
import uuid

from axe_playwright_python.sync_playwright import Axe
from desk import operator
from playwright.sync_api import expect
from stage import Visitor, instant, some, test

RULES = {"rules": {"target-size": {"enabled": True}}}


def fill_in(page, form, identity):
    """Types what a beacon sends into the first or the last form of the page."""
    for label, name in (("UUID", "uuid"), ("Major", "major"), ("Minor", "minor")):
        form.get_by_label(label).fill(str(identity[name]))


@test
def followed_person_asks_and_operator_stops(registry, browser):
    """Without an account and without JavaScript, somebody looks a beacon up and writes; the operator stops the search in
    one step with a reason, which the owner gets, answers, and allows the search again."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    registry.report(owner["token"], bike, missingSince=instant(time.time() - 3600))
    person = browser.new_context(java_script_enabled=False, locale="en-GB", viewport=Visitor.PHONE)
    page = person.new_page()
    page.goto(f"{registry.url}/found")
    page.get_by_role("link", name="Something travels with me").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Something travels with me")
    leave = page.get_by_role("link", name="Leave this page now")
    assert leave.get_attribute("href") == "https://en.wikipedia.org/"
    look = page.locator("form[action='/followed/beacon']")
    fill_in(page, look, {**bike["identity"], "minor": bike["identity"]["minor"] ^ 1})
    look.get_by_role("button", name="Look it up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("We do not know these values")
    page.get_by_role("link", name="Back to the first page").click()
    fill_in(page, look, bike["identity"])
    look.get_by_role("button", name="Look it up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("It belongs to this registry")
    for secret in (owner["owner"]["id"], bike["id"], bike["make"], "missing since"):
        assert secret not in page.content(), secret
    text = f"In my coat <b>since {uuid.uuid4().hex[:8]}</b>"
    page.get_by_label("Your message").fill(text)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sent to the operator")
    expect(page.get_by_text(text)).to_be_visible()

    visitor = operator(registry, browser, "/desk")
    desk = visitor.page
    desk.locator(".concerns").get_by_role("link", name="who feels followed").or_(
        desk.locator(".concerns").get_by_role("link", name="who feel followed")).first.click()
    card = desk.locator(".card", has_text=text)
    expect(card).to_contain_text("It may be searched for.")
    card.get_by_role("button", name="Stop the search").click()
    dialog = desk.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("Somebody else carries this beacon.")
    dialog.get_by_role("button", name="Stop the search").click()
    expect(card).to_contain_text("Stopped")
    reports = registry.call("GET", f"/v1/bikes/{bike['id']}/reports", token=owner["token"])["items"]
    assert "closed" not in reports[0], reports
    card.get_by_role("button", name="Allow the search again").click()
    desk.get_by_role("dialog").get_by_role("button", name="Allow the search again").click()
    expect(card).to_contain_text("It may be searched for.")
    card.get_by_role("button", name="Answer and close").click()
    desk.get_by_role("dialog").get_by_label("Answer").fill("We have looked into it. Go to the police.")
    desk.get_by_role("dialog").get_by_role("button", name="Answer and close").click()
    expect(card).to_have_count(0)
    visitor.close()
    page.reload()
    expect(page.get_by_text("We have looked into it.")).to_be_visible()
    person.close()


@test
def owner_objects_to_a_stop(registry, browser):
    """The owner reads on the bike's page why the search was stopped, objects once, and reads the operator's answer."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    registry.report(owner["token"], bike, missingSince=instant(time.time() - 3600))
    identity = bike["identity"]
    beacon = f"{identity['uuid']}:{identity['major']}:{identity['minor']}"
    registry.call("PUT", f"/v1/beacons/{beacon}/stop", {"reason": "Somebody carries it."}, registry.operator)
    visitor = Visitor(browser, registry)
    page = visitor.page
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.get_by_text("Reason: Somebody carries it.")).to_be_visible()
    page.get_by_role("button", name="Object").click()
    text = f"It is mine <b>{uuid.uuid4().hex[:8]}</b>"
    page.get_by_role("dialog").get_by_label("Your objection").fill(text)
    page.get_by_role("dialog").get_by_role("button", name="Send the objection").click()
    expect(page.get_by_text(f"Your objection: {text}")).to_be_visible()
    expect(page.get_by_role("button", name="Object")).to_have_count(0)
    desk = operator(registry, browser, "/desk/safety")
    card = desk.page.locator(".card", has_text=text)
    card.get_by_role("button", name="Answer and keep it stopped").click()
    desk.page.get_by_role("dialog").get_by_label("Answer").fill("Show us the letter.")
    desk.page.get_by_role("dialog").get_by_role("button", name="Answer and keep it stopped").click()
    expect(card).to_have_count(0)
    desk.close()
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(page.get_by_text("The operator’s answer: Show us the letter.")).to_be_visible()
    visitor.close()


@test
def operator_checks_searches_and_owners(registry, browser):
    """The desk lists a search with a new beacon, the operator verifies its owner, and the owner's pages say what it means."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    registry.report(owner["token"], bike, missingSince=instant(time.time() - 3600))
    identity = bike["identity"]
    beacon = f"{identity['uuid']}:{identity['major']}:{identity['minor']}"
    visitor = Visitor(browser, registry)
    visitor.sign_in(owner["token"])
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(visitor.page.get_by_text("Its beacon is new here")).to_be_visible()
    desk = operator(registry, browser, "/desk/reviews")
    row = desk.page.locator("#searches tr", has_text=beacon)
    expect(row).to_contain_text("The beacon was new.")
    row.get_by_role("link").click()
    desk.page.get_by_role("button", name="Verify").click()
    desk.page.get_by_role("dialog").get_by_role("button", name="Verify").click()
    expect(desk.page.get_by_text("Verified", exact=True)).to_be_visible()
    visitor.open("/my/account")
    expect(visitor.page.get_by_text("Verified by the operator")).to_be_visible()
    visitor.open(f"/my/bikes/{bike['id']}")
    expect(visitor.page.get_by_text("Add a police reference to extend the search.")).to_be_visible()
    # A search with signs is stopped in one step, with a reason.
    other = registry.owner()
    second = registry.bike(other["token"])
    registry.report(other["token"], second)
    desk.open("/desk/reviews")
    row = desk.page.locator("#searches tr", has_text=f":{second['identity']['major']}:{second['identity']['minor']}")
    row.get_by_role("button", name="Stop the search").click()
    dialog = desk.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Stop the search").click()
    expect(dialog).to_be_visible()
    dialog.get_by_label("Reason").fill("Somebody carries it.")
    dialog.get_by_role("button", name="Stop the search").click()
    expect(row).to_have_count(0)
    desk.close()
    visitor.close()


@test
def followed_person_leaves_at_once(registry, browser):
    """With JavaScript, leaving puts the other page in this one's place, so that Back does not show it."""
    visitor = Visitor(browser, registry)
    page = visitor.page
    page.route("https://en.wikipedia.org/**", lambda route: route.fulfill(body="<h1>Elsewhere</h1>"))
    visitor.open("/about")
    page.get_by_role("link", name="Something travels with me").click()
    page.get_by_role("link", name="Leave this page now").click()
    expect(page.get_by_role("heading", name="Elsewhere")).to_be_visible()
    page.go_back()
    page.wait_for_url("**/about")
    # Only the page that the person has chosen is elsewhere.
    visitor.faults = [fault for fault in visitor.faults if not fault.startswith("left the registry: https://en.wikipedia.org/")]
    visitor.close()


@test
def followed_for_everybody(registry, browser):
    """The pages break no rule of WCAG 2.2 AA, in light and dark, in English and German, on small and large screens; the
    link is in the foot of pages with and without JavaScript, at the bottom of the screen."""
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    broken = []
    modes = some((("light", "en-GB", 390), ("dark", "de-DE", 1280), ("light", "de-DE", 320), ("dark", "en-GB", 390)))
    for scheme, locale, width in modes:
        visitor = Visitor(browser, registry, color_scheme=scheme, locale=locale,
                          viewport={"width": width, "height": 844})
        visitor.allowed.append("status of 4(04|22|29)")
        page = visitor.page

        def check(name, page=page, mode=f"{scheme} {locale} {width}"):
            wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
            rules = [rule["id"] for rule in Axe().run(page, options=RULES).response["violations"]]
            if wide or rules:
                broken.append(f"{name} {mode}: {rules} {'wide' if wide else ''}")

        name = "Something travels with me" if locale == "en-GB" else "Ein Sender ist bei mir"
        for path in ("/", "/found", "/check"):
            visitor.open(path)
            link = page.get_by_role("contentinfo").get_by_role("link", name=name)
            expect(link).to_be_visible()
            assert link.bounding_box()["y"] > 700, (path, link.bounding_box())
            check(path)
        visitor.open("/followed")
        for section in page.locator("summary").all():
            section.click()
        check("steps")
        look = page.locator("form[action='/followed/beacon']")
        fill_in(page, look, {**bike["identity"], "major": "x"})
        look.get_by_role("button").click()
        page.wait_for_selector(".fault")
        check("fault")
        fill_in(page, look, bike["identity"])
        look.get_by_role("button").click()
        page.wait_for_selector("textarea")
        check("looked")
        page.locator("textarea").fill("Hilfe")
        page.locator("form button").click()
        page.wait_for_load_state()
        check("sent")
        visitor.open("/followed/requests/x")
        check("unknown")
        visitor.close()
    assert not broken, "\n".join(broken)
