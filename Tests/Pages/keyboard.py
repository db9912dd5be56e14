"""The pages for people who do not use a pointer."""

from playwright.sync_api import expect
from stage import Visitor, test

# The focused element, or the label that is shown in its place: its name, and whether its focus shows and nothing hides it.
FOCUSED = """() => {
    const element = document.activeElement;
    const shown = element.getBoundingClientRect().width < 24 ? element.closest("label") ?? element : element;
    const box = shown.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const style = getComputedStyle(shown);
    return {
        name: element.ariaLabel ?? (element.labels?.[0] ?? element).textContent,
        hasOutline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        isHidden: !shown.contains(top),
    };
}"""


def press_until(page, text, key="Tab"):
    for _ in range(60):
        page.keyboard.press(key)
        focused = page.evaluate(FOCUSED)
        assert focused["hasOutline"], f"no visible focus on {focused}"
        assert not focused["isHidden"], f"something hides {focused}"
        if text in focused["name"]:
            return
    raise AssertionError(f"{key} does not reach ‘{text}’")


@test
def by_keyboard(registry, browser):
    """The keyboard alone makes an account, adds a bike and reports it missing, with the focus visible at each step."""
    # Without motion, what gets the focus is in view at once.
    visitor = Visitor(browser, registry, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    visitor.add_authenticator()
    page = visitor.page

    def follow(text):
        press_until(page, text)
        page.keyboard.press("Enter")

    def fill(label, text):
        press_until(page, label)
        page.keyboard.type(text)

    visitor.open("/")
    follow("Create an account")
    page.get_by_role("button", name="Create a passkey").wait_for()
    follow("Create a passkey")
    expect(page.locator(".codes li")).to_have_count(10)
    follow("I have kept my codes")
    page.get_by_role("link", name="Add a bike").wait_for()
    follow("Add a bike")
    page.get_by_label("Make").wait_for()
    fill("Make", "Brompton")
    fill("Model", "C Line")
    press_until(page, "Green")
    page.keyboard.press("Space")
    follow("Add this bike")
    expect(page.get_by_role("heading", name="Brompton C Line")).to_be_visible()
    follow("It’s gone")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="It’s gone")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    follow("Report as missing")
    expect(page.get_by_text("No station has heard it yet")).to_be_visible()
    visitor.close()
