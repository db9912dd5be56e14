"""Words for values: what the registry names by a word of its own has a text in each language of the pages."""

import json
import pathlib
import re
import sys
import urllib.parse

from playwright.sync_api import expect

from stage import Visitor, test

# Values by where the contract lists them, and the texts that the pages show for them: a module, what it exports, a path.
WORDS = [
    ("Conversation/origin", "desk", "messages.by"),
    ("Conversation/origin", "messages", "by"),
    ("ConversationMessage/from", "desk", "messages.from"),
    ("ConversationMessage/from", "messages", "from"),
    ("ReportedConversation/reportedBy", "desk", "messages.reportedBy"),
    ("AlertQueue/kind", "desk", "kinds"),
    ("DeliveryErrors/kind", "desk", "kinds"),
    ("Station/state", "desk", "states"),
    ("DeskSession/signedIn", "desk", "access.signedIn"),
    ("Partner/state", "partners", "states"),
    ("Reason/reason", "more", "trail.reasons"),
    ("Sighting/level", "more", "trail.levels"),
    ("Bike/kind", "bike", "kinds"),
    ("Bike/kind", "more", "letter.subjects"),
    ("Bike/colours", "bike", "colours"),
    ("Bike/role", "more", "members.roles"),
    ("Bike/role", "more", "members.explain"),
    ("SharedSearch/outcome", "more", "earlier.outcomes"),
    ("SharedSearch/outcome", "more", "shared.outcomes"),
]

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"
FILES = SOURCES / "Web/WebPages/Files"
sys.path.insert(0, str(SOURCES / "Wire/Languages"))
import catalogue  # noqa: E402
import javascript  # noqa: E402


KEYS = list(catalogue.read(catalogue.FOLDER / catalogue.TEMPLATE).entries)


def words(part, path):
    """The last parts of the keys of the texts in a part of them, which scripts/words.sh finds in each language."""
    prefix = f"{part}.{path}."
    return {key.removeprefix(prefix) for key in KEYS if key.startswith(prefix)}


def serve_sources(visitor):
    """Lets a page import the modules as they are written; the registry serves them bundled. Returns where they are."""
    texts = javascript.modules(*catalogue.read_all())

    def answer(route):
        name = urllib.parse.urlsplit(route.request.url).path.removeprefix("/sources/")
        written = texts.get(name.removeprefix("js/"))
        body = (FILES / name).read_text(encoding="utf-8") if written is None else written
        route.fulfill(body=body, content_type="text/javascript; charset=utf-8")
    visitor.context.route("**/sources/**", answer)
    return "/sources"


COUNTS = """async ([assets, language]) => {
    document.cookie = `language=${language}; Path=/`;
    const texts = await import(`${assets}/js/desk/text.js`);
    const {size} = await import(`${assets}/js/desk/numbers.js`);
    const {distance} = await import(`${assets}/js/format.js`);
    await texts.loadTexts();
    return [...[1, 2, 5, 12, 22, 6500].map((count) => texts.d.list.count(count)), texts.d.list.countOf("1", 2),
            texts.d.overview.failing("ntfy", 1), texts.d.overview.failing("ntfy", 2),
            texts.d.overview.silent(1000, "1,000+"), size(65), size(6500), distance(1500)];
}"""


@test
def one_and_several(registry, browser):
    """Texts about one thing are in the singular and those about several in the plural, of which Polish has two; measures are
    written as each language does."""
    expected = {
        "en": ["1 station", "2 stations", "5 stations", "12 stations", "22 stations", "6,500 stations", "1 of 2 stations",
               "One delivery by ntfy failed in the last 24 hours.", "2 deliveries by ntfy failed in the last 24 hours.",
               "1,000+ stations are silent.", "65 bytes", "6.5 kB", "1.5 km"],
        "de": ["1 Station", "2 Stationen", "5 Stationen", "12 Stationen", "22 Stationen", "6.500 Stationen",
               "1 von 2 Stationen", "Eine Zustellung per ntfy schlug in den letzten 24 Stunden fehl.",
               "2 Zustellungen per ntfy schlugen in den letzten 24 Stunden fehl.", "1,000+ Stationen sind stumm.",
               "65 Byte", "6,5 kB", "1,5 km"],
        "pl": ["1 stacja", "2 stacje", "5 stacji", "12 stacji", "22 stacje", "6500 stacji", "1 z 2 stacji",
               "W ostatnich 24 godzinach nie udało się jedno dostarczenie (kanał: ntfy).",
               "W ostatnich 24 godzinach nie udały się 2 dostarczenia (kanał: ntfy).", "1,000+ stacji milczy.",
               "65 bajtów", "6,5 kB", "1,5 km"]}
    for language, texts in expected.items():
        visitor = Visitor(browser, registry)
        visitor.open("/")
        assets = serve_sources(visitor)
        found = [text.replace("\u00a0", " ") for text in visitor.page.evaluate(COUNTS, [assets, language])]
        assert found == texts, found
        visitor.close()


# What no page can cause, or what a page answers itself.
BY_PROGRAMS = {
    "about:blank", "beacon-not-rotating", "header-too-large", "invalid-idempotency-key", "invalid-time", "invalid-wait",
    "malformed-json", "malformed-request", "method-not-allowed", "missing-recently", "not-acceptable", "not-ready",
    "precondition-required", "session-ended", "share-ended", "share-unknown", "tiles-unavailable", "token-in-use",
    "too-many-partner-visits", "unauthenticated", "unreadable-body", "wait-displaced", "wrong-key"}


@test
def each_problem_has_words(registry, browser):
    """No page shows a problem in the registry’s own words, which are English, neither to owners nor at the desk."""
    kinds = set()
    for calls in registry.call("GET", "/openapi.json")["paths"].values():
        for call in calls.values():
            for response in call["responses"].values():
                content = response.get("content", {}).get("application/problem+json", {})
                kinds |= {kind.rpartition(":")[2] for kind in re.findall(r"urn:[a-z:-]+", json.dumps(content))}
    known = words("problems", "kinds") | words("desk", "problems.kinds") | words("partners", "kinds")
    assert len(kinds) > 50 and not kinds - known - BY_PROGRAMS, sorted(kinds - known - BY_PROGRAMS)


@test
def each_value_has_words(registry, browser):
    """Each value that the contract lists has a text, so that no page shows “undefined”."""
    schemas = registry.call("GET", "/openapi.json")["components"]["schemas"]
    missing = []
    for place, part, path in WORDS:
        schema, field = place.split("/")
        described = schemas[schema]["properties"][field]
        values = described.get("enum") or described["items"]["enum"]
        missing += [f"{value} of {place} in {part} {path}" for value in values if value not in words(part, path)]
    assert not missing, missing


FIRST = {
    "fr": ("Retrouve ton vélo quand il a disparu", "Créer un compte", "Tu as trouvé un vélo ?", "Français"),
    "pl": ("Znajdź swój rower, gdy zniknie", "Załóż konto", "Znaleziony rower?", "Polski")}


@test
def polish_and_french(registry, browser):
    """Somebody whose browser speaks Polish or French gets these pages, only in this language, and can choose another one on
    each page before signing up, with and without JavaScript."""
    for language, (title, create, found, name) in FIRST.items():
        visitor = Visitor(browser, registry, locale=language)
        page, asked = visitor.page, []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        visitor.open("/")
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", language)
        # Of this language only.
        assert sum("/assets/first-" in url for url in asked) == 1, asked
        chosen = page.locator("header select.language")
        expect(chosen).to_have_value(language)
        expect(chosen.locator("option")).to_have_text(
            ["Deutsch", "English", "Español", "Français", "Italiano", "Nederlands", "Polski"])
        page.get_by_role("link", name=create).first.click()
        expect(page.get_by_role("heading", name=create)).to_be_visible()
        page.locator("header select.language").select_option(label="Italiano")
        expect(page.get_by_role("heading", name="Crea un account")).to_be_visible()
        visitor.open(f"/found?language={language}")
        expect(page.get_by_role("heading", name=found)).to_be_visible()
        page.get_by_role("link", name="Deutsch").click()
        expect(page.get_by_role("heading", name="Ein Rad gefunden?")).to_be_visible()
        # The owners' pages follow this choice.
        visitor.open("/")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        visitor.close()
