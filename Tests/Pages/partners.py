"""The desk's pages about partner registries."""

import tempfile
import time

from axe_playwright_python.sync_playwright import Axe
from desk import HOUR, RULES, operator
from playwright.sync_api import expect
from stage import Registry, test


def confirm(page, button):
    page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def accessible(page, name):
    violations = Axe().run(page, options=RULES).response["violations"]
    assert not violations, (name, [(rule["id"], rule["nodes"][0]["html"][:120]) for rule in violations])
    assert not page.evaluate("() => document.documentElement.scrollWidth > innerWidth"), name


@test
def partners_at_the_desk(registry, browser):
    """Two operators become partners at their desks; one sets limits, suspends, resumes and removes the other."""
    with tempfile.TemporaryDirectory() as folder:
        other = Registry(registry.programs, folder)
        try:
            inviting = operator(registry, browser, "/desk/partners")
            page = inviting.page
            page.get_by_label("Your name for the other registry").first.fill("Zürich <b>")
            page.get_by_role("button", name="Make a code").click()
            card = page.locator(".kept-on-paper")
            expect(card).to_contain_text(f"findmybike partner accept {registry.url} ")
            code = card.locator(".copy .mono").first.inner_text()
            waiting = page.get_by_role("row").filter(has_text="Zürich <b>")
            expect(waiting).to_contain_text("Invited")
            accepting = operator(other, browser, "/desk/partners", locale="de-DE", color_scheme="dark")
            accepting.allowed.append("status of 409")
            theirs = accepting.page
            expect(theirs.get_by_text("Es gibt noch keine Partner.")).to_be_visible()
            theirs.get_by_label("Adresse des anderen Registers").fill(registry.url)
            theirs.get_by_label("Code", exact=True).fill("7GQK-M2XP-V9TD-4RWH")
            theirs.get_by_label("Dein Name für das andere Register").last.fill("Berlin")
            theirs.get_by_role("button", name="Annehmen").click()
            expect(theirs.get_by_role("alert")).to_contain_text("nicht angenommen")
            accessible(theirs, "partners, German and dark")
            theirs.get_by_label("Code", exact=True).fill(code)
            theirs.get_by_role("button", name="Annehmen").click()
            expect(theirs.get_by_role("heading", name="Berlin")).to_be_visible()
            expect(theirs.locator("h1 + .chip")).to_have_text("Aktiv")
            own = registry.call("GET", "/v1/keys")["keys"][-1]["fingerprint"]
            expect(theirs.get_by_text(own)).to_be_visible()
            accessible(theirs, "partner, German and dark")
            accepting.close()

            inviting.open("/desk/partners")
            page.get_by_role("link", name="Zürich <b>").click()
            expect(page.locator("h1 + .chip")).to_have_text("Active")
            page.get_by_label("Hashes on its list").fill("5000")
            page.get_by_label("Visits in an hour").fill("700")
            page.get_by_role("button", name="Save").click()
            expect(page.get_by_role("button", name="Saved")).to_be_visible()
            page.get_by_role("button", name="Suspend", exact=True).click()
            page.get_by_label("Dispute its sightings since").fill(
                time.strftime("%Y-%m-%dT%H:%M", time.localtime(time.time() - HOUR)))
            confirm(page, "Suspend")
            expect(page.locator("h1 + .chip")).to_have_text("Suspended")
            partner = registry.call("GET", "/v1/partners", token=registry.operator)["items"][0]
            assert partner["state"] == "suspended" and partner["limits"] == {"listed": 5000, "visits": 700}, partner
            page.get_by_role("button", name="Resume").click()
            confirm(page, "Resume")
            expect(page.locator("h1 + .chip")).to_have_text("Active")
            accessible(page, "partner")
            registry.call("POST", f"/v1/partners/{partner['id']}/renewal", {}, registry.operator)
            inviting.open(f"/desk/partners/{partner['id']}")
            expect(page.locator("h1 + .chip")).to_have_text("Without a token")
            expect(page.get_by_text("Code for a new token ends")).to_be_visible()
            accessible(page, "partner without a token")
            page.get_by_role("button", name="Remove").click()
            expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
            confirm(page, "Remove")
            expect(page.get_by_text("There are no partners yet.")).to_be_visible()
            # An invitation can be cancelled.
            page.get_by_label("Your name for the other registry").first.fill("Lyon")
            page.get_by_role("button", name="Make a code").click()
            page.get_by_role("link", name="Lyon").click()
            page.get_by_role("button", name="Cancel the invitation").click()
            confirm(page, "Cancel the invitation")
            expect(page.get_by_text("There are no partners yet.")).to_be_visible()
            actions = [entry["event"]["action"] for entry in registry.call(
                "GET", "/v1/audit?limit=20&order=newest", token=registry.operator)["items"]]
            assert {"partner.suspended", "partner.resumed", "partner.removed"} <= set(actions), actions
            inviting.close()
        finally:
            other.stop()
