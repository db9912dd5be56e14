import Languages
import RegistryAPI
import RegistryRules

// The pages for somebody who checks a bike's number before buying it.
extension FinderPage {
    /// The form for a number.
    ///
    /// - Parameters:
    ///   - number: what was typed.
    ///   - flaw: what is wrong with it.
    static func check(_ texts: CheckWords, number: String = "", flaw: BikeNumber.Flaw? = nil) -> FinderPage {
        let mark: HTML = flaw == nil ? "" : invalidMark
        let body: HTML = """
            <p class="lead">\(texts.lead)</p>
            <form method="post" action="\(CheckCalls.form)">\(alert(flaw.map { number.isEmpty ? texts.noNumber : texts.fault($0) }))
            <label>\(texts.number)<input name="number" value="\(number)" required maxlength="64" autocomplete="off" \
            autocapitalize="characters" spellcheck="false"\(mark)><span class="hint">\(texts.numberHint)</span></label>
            <button class="primary">\(texts.check)</button><p class="small soft">\(texts.keeping)</p></form>
            <p class="small"><a href="\(FinderCalls.form)">\(texts.found)</a></p>
            """
        return FinderPage(texts: FinderWords(texts.language), title: texts.title, body: body)
    }

    /// The page for the number of a missing bike, with a form for a message to its owner.
    static func missing(
        _ number: BikeNumber, _ key: ConversationSecret, _ texts: CheckWords, message: String = "",
        isInvalid: Bool = false
    ) -> FinderPage {
        let finder = FinderWords(texts.language)
        let body: HTML = """
            <p class="notice bad signed">\(sign("!"))<strong>\(texts.missingLead)</strong></p>\(shown(number, texts))
            \(list(texts.missingSteps))
            <p class="notice">\(texts.missingDoubt)</p>
            <h2>\(texts.word)</h2><p class="soft">\(texts.wordLead)</p>
            \(messageForm(number, key, message, finder, isInvalid ? finder.wrongMessage : nil))
            \(another(texts))
            """
        return FinderPage(texts: finder, title: texts.missing, body: body, hasScript: true)
    }

    /// The page after a message could not be sent. It contains the message, so that it can be sent again.
    static func again(
        _ number: BikeNumber, _ key: ConversationSecret, _ message: String, _ hint: String, _ texts: CheckWords
    ) -> FinderPage {
        let finder = FinderWords(texts.language)
        let body: HTML = """
            \(shown(number, texts))\(messageForm(number, key, message, finder, hint))
            \(another(texts))
            """
        return FinderPage(texts: finder, title: finder.failed, body: body, hasScript: true)
    }

    /// The form for a message to the owners of the bikes with a number.
    ///
    /// - Parameters:
    ///   - key: the secret of the conversation that the message begins.
    ///   - fault: why the message was not sent; nil if it was not sent before.
    private static func messageForm(
        _ number: BikeNumber, _ key: ConversationSecret, _ message: String, _ texts: FinderWords, _ fault: String?
    ) -> HTML {
        """
        <form method="post" action="\(CheckCalls.message)">\(alert(fault))
        <input type="hidden" name="number" value="\(number.text)">
        <input type="hidden" name="key" value="\(key.text)">
        \(messageField(message, texts, isInvalid: fault == texts.wrongMessage))
        <button class="primary">\(texts.send)</button><p class="small soft">\(texts.keeping)</p></form>
        """
    }

    /// The page for a number that is similar to those of missing bikes: what differs, and a button for each of them.
    /// Only a check of the right number leads to a message to the owner.
    static func perhaps(
        _ number: BikeNumber, _ similar: [SimilarNumber], _ check: NumberCheck, _ texts: CheckWords
    ) -> FinderPage {
        let others: [HTML] = similar.map { other in
            """
            <p>\(texts.reportedNumber): <strong class="mono">\(other.number)</strong></p>
            \(list(other.differences.map(texts.difference)))
            <form method="post" action="\(CheckCalls.form)"><input type="hidden" name="number" value="\(other.number)">
            <button>\(texts.checkOther(other.number))</button></form>
            """
        }
        let body: HTML = """
            <p class="notice warn signed">\(sign("?"))<span><strong>\(texts.perhapsLead)</strong> \(texts.perhapsDoubt)</span></p>\
            \(shown(number, texts))
            \(others)\(partners(check, texts))
            <h2>\(texts.advice)</h2>\(list(texts.adviceSteps))
            \(another(texts))
            """
        return FinderPage(texts: FinderWords(texts.language), title: texts.perhaps, body: body)
    }

    /// The page for the number of a bike that is missing at a partner registry.
    static func elsewhere(_ number: BikeNumber, _ check: NumberCheck, _ texts: CheckWords) -> FinderPage {
        let body: HTML = """
            \(shown(number, texts))\(partners(check, texts))
            \(list(texts.missingSteps))
            <p class="notice">\(texts.missingDoubt)</p>
            \(another(texts))
            """
        return FinderPage(texts: FinderWords(texts.language), title: texts.elsewhere, body: body)
    }

    /// What partner registries answered, with links to the pages where somebody can write to the owners.
    private static func partners(_ check: NumberCheck, _ texts: CheckWords) -> HTML {
        let found: [HTML] = (check.elsewhere ?? []).map { other in
            let isSimilar = other.similar == true
            let words = isSimilar ? texts.similarElsewhere(other.registry) : texts.elsewhereLead(other.registry)
            return """
                <p class="notice \(isSimilar ? "warn" : "bad") signed">\(sign(isSimilar ? "?" : "!"))<strong>\(words)</strong></p>
                <p><a class="button" href="\(other.url)\(CheckCalls.form)">\(texts.checkElsewhere)</a></p>
                """
        }
        let unasked: HTML =
            check.unasked.map {
                "<p class=\"notice\">\(texts.unasked($0.joined(separator: ", ")))</p>"
            } ?? ""
        return "\(found)\(unasked)"
    }

    /// The page after a check of any other number. It is neither a warning nor a good sign: a screenshot of it must not
    /// help to sell a stolen bike.
    static func notMissing(_ number: BikeNumber, _ check: NumberCheck, _ texts: CheckWords) -> FinderPage {
        let body: HTML = """
            <p class="notice"><strong>\(texts.nothing)</strong> \(texts.nothingReasons)</p>\(shown(number, texts))\
            \(partners(check, texts))
            <h2>\(texts.advice)</h2>\(list(texts.adviceSteps))
            \(another(texts))
            """
        return FinderPage(texts: FinderWords(texts.language), title: texts.notMissing, body: body)
    }

    /// The page after a message to several owners, with a link to each conversation.
    static func sent(_ secrets: [ConversationSecret], _ texts: CheckWords) -> FinderPage {
        let finder = FinderWords(texts.language)
        let links: [HTML] = secrets.enumerated().map { place, secret in
            let path = FinderCalls.path(of: secret)
            return "<p><a class=\"button primary wide\" href=\"\(path)\">\(texts.open("\(place + 1)"))</a></p>"
        }
        let body: HTML = """
            <p>\(texts.sentToSeveral(secrets.count))</p>
            <p class="notice good">\(texts.answersHint)</p><p class="notice">\(texts.answerDoubt)</p>\(links)
            """
        return FinderPage(texts: finder, title: finder.sent, body: body)
    }

    /// A sign whose shape says the same as its colour.
    private static func sign(_ text: String) -> HTML { "<span class=\"sign\" aria-hidden=\"true\">\(text)</span>" }

    /// The number that was checked.
    private static func shown(_ number: BikeNumber, _ texts: CheckWords) -> HTML {
        "<p>\(texts.number): <strong class=\"mono\">\(number.text)</strong></p>"
    }

    private static func list(_ steps: [String]) -> HTML {
        let items: [HTML] = steps.map { "<li>\($0)</li>" }
        return "<ul class=\"steps\">\(items)</ul>"
    }

    /// The link to the form for another number.
    private static func another(_ texts: CheckWords) -> HTML {
        "<p class=\"small\"><a href=\"\(CheckCalls.form)\">\(texts.another)</a></p>"
    }
}
