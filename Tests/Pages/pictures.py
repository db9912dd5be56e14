"""Makes the pictures of the documentation from the running pages, so that they show what the pages show."""

import time

import demo
import displays
from stage import Visitor, instant, visit_id

HOUR = 3600


def take(registry, browser, folder):
    """Writes a picture of each main page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    owner = registry.owner()
    bike = registry.bike(owner["token"])
    vespa = registry.bike(owner["token"], make="Vespa", model="Primavera", kind="scooter", colours=["red"])
    registry.bike(owner["token"], make="Triumph", model="Street Twin", kind="motorbike", colours=["black"])
    since = instant(time.time() - 26 * HOUR)
    registry.report(owner["token"], bike, missingSince=since, policeReference="4471/26")
    heard = [(0, 25.5, 25.4), (1, 25.2, 24.6), (2, 20, 19.9), (3, 0.6, 0.05)]
    for station, begin, end in heard:
        registry.hear(station, bike, begin * HOUR, end * HOUR, ended=end > 1)
    pages = {"welcome": "/", "sign-up": "/sign-up", "sign-in": "/sign-in", "bikes": "/my", "trail": f"/my/bikes/{bike['id']}",
             "bike": f"/my/bikes/{vespa['id']}", "letter": f"/my/bikes/{bike['id']}/letter", "new-bike": "/my/new-bike",
             "account": "/my/account"}
    visitor = Visitor(browser, registry, device_scale_factor=2, reduced_motion="reduce")
    for name, path in pages.items():
        if path == "/my":
            visitor.sign_in(owner["token"])
        visitor.open(path)
        visitor.page.wait_for_timeout(800)
        visitor.page.screenshot(path=folder / f"{name}.png")
    visitor.open("/my")
    visitor.page.get_by_role("button", name="It’s gone").first.click()
    visitor.page.get_by_role("dialog").wait_for()
    visitor.page.screenshot(path=folder / "gone.png")
    visitor.close()
    take_conversation(registry, browser, folder, owner, bike)
    visitor = Visitor(browser, registry, viewport=displays.TABLET, reduced_motion="reduce")
    # A display that is not paired asks once.
    visitor.allowed.append("status of 401")
    displays.beat(registry)
    displays.pair(visitor, registry)
    displays.hear(registry, bike, visit_id(time.time()), 240, 0)
    displays.refresh(visitor.page)
    visitor.page.locator(".answers").wait_for()
    visitor.page.screenshot(path=folder / "display.png")
    visitor.close()
    with demo.story(registry.programs) as (address, code):
        visitor = demo.open_story(browser, address, code, device_scale_factor=2, reduced_motion="reduce")
        visitor.page.wait_for_timeout(800)
        visitor.page.screenshot(path=folder / "demonstration.png")
        visitor.close()


def take_conversation(registry, browser, folder, owner, bike):
    """Writes a picture of the page behind a sticker, and one of a conversation with its answer."""
    link = registry.call("PUT", f"/v1/bikes/{bike['id']}/sticker", {}, owner["token"])["link"]
    finder = browser.new_context(java_script_enabled=False, locale="en-GB", viewport=Visitor.PHONE, device_scale_factor=2)
    page = finder.new_page()
    page.goto(link)
    page.screenshot(path=folder / "found.png")
    page.get_by_label("Your message").fill("It stands behind the station, at the fence. It was there yesterday, too.")
    page.get_by_role("button", name="Send").click()
    base = f"/v1/bikes/{bike['id']}/conversations"
    conversation = registry.call("GET", base, None, owner["token"])["items"][0]
    answer = {"text": "Thank you! I’m on my way with the police. Please don’t wait for us."}
    registry.call("POST", f"{base}/{conversation['id']}/answers", answer, owner["token"])
    page.get_by_role("button", name="Check for an answer").click()
    page.screenshot(path=folder / "conversation.png")
    finder.close()
