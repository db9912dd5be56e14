"""Words for values: what the registry names by a word of its own has a text in each language of the pages."""

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
    ("Reason/reason", "", "trail.reasons"),
    ("Sighting/level", "", "trail.levels"),
    ("Bike/kind", "", "kinds"),
    ("Bike/kind", "", "letter.subjects"),
    ("Bike/colours", "", "colours"),
    ("Bike/role", "", "members.roles"),
    ("Bike/role", "", "members.explain"),
    ("SharedSearch/outcome", "", "earlier.outcomes"),
    ("SharedSearch/outcome", "", "shared.outcomes"),
]

READ = """async ([assets, language, part, path]) => {
    const name = language + (part && part[0].toUpperCase() + part.slice(1));
    const module = await import(`${assets}/js/text/${language}${part && "-" + part}.js`);
    return Object.keys(path.split(".").reduce((texts, key) => texts[key], module[name]));
}"""


@test
def each_value_has_words(registry, browser):
    """Each value that the contract lists has a text in English and in German, so that no page shows “undefined”."""
    schemas = registry.call("GET", "/openapi.json")["components"]["schemas"]
    visitor = Visitor(browser, registry)
    visitor.open("/")
    assets = visitor.page.locator("link[rel=stylesheet]").first.get_attribute("href").rpartition("/")[0]
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
