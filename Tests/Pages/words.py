"""Words for values: what the registry names by a word of its own has a text in each language of the pages."""

import json
import pathlib
import re
import urllib.parse

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
    ("Bike/kind", "", "kinds"),
    ("Bike/kind", "more", "letter.subjects"),
    ("Bike/colours", "", "colours"),
    ("Bike/role", "more", "members.roles"),
    ("Bike/role", "more", "members.explain"),
    ("SharedSearch/outcome", "more", "earlier.outcomes"),
    ("SharedSearch/outcome", "more", "shared.outcomes"),
]

FILES = pathlib.Path(__file__).resolve().parents[2] / "Sources/Web/WebPages/Files"


def serve_sources(visitor):
    """Lets a page import the modules as they are written; the registry serves them bundled. Returns where they are."""
    def answer(route):
        name = urllib.parse.urlsplit(route.request.url).path.removeprefix("/sources/")
        route.fulfill(path=FILES / name, content_type="text/javascript")
    visitor.context.route("**/sources/**", answer)
    return "/sources"


READ = """async ([assets, language, part, path]) => {
    const name = language + (part && part[0].toUpperCase() + part.slice(1));
    const module = await import(`${assets}/js/text/${language}${part && "-" + part}.js`);
    return Object.keys(path.split(".").reduce((texts, key) => texts[key], module[name]));
}"""


COUNTS = """async ([assets, language]) => {
    localStorage.setItem("language", language);
    const texts = await import(`${assets}/js/desk/text.js`);
    const {size} = await import(`${assets}/js/desk/numbers.js`);
    await texts.loadTexts();
    return [texts.d.list.count("1", "1"), texts.d.list.count("1", "2"), texts.d.overview.failing("ntfy", "1"),
            texts.d.overview.failing("ntfy", "2"), size(65), size(6500)];
}"""


@test
def one_and_several(registry, browser):
    """The desk's sentences about one thing are in the singular, and those about several in the plural."""
    expected = {
        "en": ["1 station", "1 of 2 stations", "One delivery by ntfy failed in the last 24 hours.",
               "2 deliveries by ntfy failed in the last 24 hours.", "65 bytes", "6.5 kB"],
        "de": ["1 Station", "1 von 2 Stationen", "Eine Zustellung per ntfy schlug in den letzten 24 Stunden fehl.",
               "2 Zustellungen per ntfy schlugen in den letzten 24 Stunden fehl.", "65 Byte", "6,5 kB"]}
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
def each_problem_has_german_words(registry, browser):
    """A German page never shows a problem in the registry’s English words, neither to owners nor at the desk."""
    kinds = set()
    for calls in registry.call("GET", "/openapi.json")["paths"].values():
        for call in calls.values():
            for response in call["responses"].values():
                content = response.get("content", {}).get("application/problem+json", {})
                kinds |= {kind.rpartition(":")[2] for kind in re.findall(r"urn:[a-z:-]+", json.dumps(content))}
    visitor = Visitor(browser, registry)
    visitor.open("/")
    assets = serve_sources(visitor)
    known = {kind for part, path in (("problems", "kinds"), ("desk", "problems.kinds"), ("partners", "kinds"))
             for kind in visitor.page.evaluate(READ, [assets, "de", part, path])}
    assert len(kinds) > 50 and not kinds - known - BY_PROGRAMS, sorted(kinds - known - BY_PROGRAMS)
    visitor.close()


@test
def each_value_has_words(registry, browser):
    """Each value that the contract lists has a text in English and in German, so that no page shows “undefined”."""
    schemas = registry.call("GET", "/openapi.json")["components"]["schemas"]
    visitor = Visitor(browser, registry)
    visitor.open("/")
    assets = serve_sources(visitor)
    missing = []
    for place, part, path in WORDS:
        schema, field = place.split("/")
        described = schemas[schema]["properties"][field]
        values = described.get("enum") or described["items"]["enum"]
        for language in ("en", "de"):
            known = visitor.page.evaluate(READ, [assets, language, part, path])
            missing += [f"{value} of {place} in {language} {part} {path}" for value in values if value not in known]
    assert not missing, missing
    visitor.close()
