import Beacons
import Languages
import RegistryAPI
import RegistryRules
import Syntax

// The pages for somebody who feels followed.
extension FinderPage {
    /// Instructions, step by step, with the look-up and the form for a message to the operator.
    static func followed(_ form: FinderForm, _ texts: FollowedWords, fault: FollowedFault? = nil) -> FinderPage {
        let body: HTML = """
            <p class="lead">\(texts.lead)</p>\(leaving(texts))<p class="notice warn">\(texts.danger)</p>
            <h2>\(texts.looking)</h2><p>\(texts.warning)</p>
            \(steps(texts.android, texts.androidSteps))\(steps(texts.iPhone, texts.iPhoneSteps))
            <h2>\(texts.looks)</h2><p>\(texts.looksText)</p>
            <p class="mono">\(NetworkRegion.uuid.description)</p><p>\(texts.rotating)</p>
            <h2>\(texts.off)</h2>\(list(texts.offSteps))
            <h2 id="look">\(texts.lookUp)</h2><p class="soft">\(texts.lookUpLead)</p>
            <form method="post" action="\(SafetyCalls.beacon)">\(alert(fault == .lookUp ? finder(texts).wrongBeacon : nil))
            \(values(form, isInvalid: fault == .lookUp, isNeeded: true))<button class="primary">\(texts.ask)</button></form>
            <h2>\(texts.write)</h2>\(writing(form, texts, fault))
            """
        return FinderPage(texts: finder(texts), title: texts.title, body: body, hasScript: true)
    }

    /// What is wrong with a form on these pages.
    enum FollowedFault: Error, Hashable {
        /// The beacon's values are invalid, in the look-up or in the message.
        case lookUp, beacon
        case message
        /// Nothing is wrong with the form, but the network has sent too many.
        case tooMany
    }

    /// The answer to a look-up: of this registry or not, and nothing else.
    static func looked(_ form: FinderForm, isIssued: Bool, _ texts: FollowedWords) -> FinderPage {
        let body: HTML = """
            <p class="notice\(isIssued ? " warn" : "")">\(isIssued ? texts.knownText : texts.unknownText)</p>\(leaving(texts))
            <p class="notice warn">\(texts.danger)</p>
            <p class="mono">\(form.uuid)<br>Major \(form.major), Minor \(form.minor)</p>
            <h2>\(texts.off)</h2>\(list(texts.offSteps))
            <h2>\(texts.write)</h2>\(writing(form, texts, nil))\(backLink(texts))
            """
        return FinderPage(
            texts: finder(texts), title: isIssued ? texts.known : texts.unknown, body: body, hasScript: true)
    }

    /// A form for a message to the operator alone, after something went wrong.
    static func followedAgain(_ form: FinderForm, _ texts: FollowedWords, _ fault: FollowedFault) -> FinderPage {
        let body: HTML = "\(leaving(texts))\(writing(form, texts, fault))\(backLink(texts))"
        return FinderPage(texts: finder(texts), title: texts.write, body: body, hasScript: true)
    }

    /// The written request, with the operator's answer. It looks the same whether or not a bike has the beacon.
    static func request(_ request: SafetyRequest, _ texts: FollowedWords) -> FinderPage {
        let state: HTML =
            if let answer = request.answer {
                "<h2>\(texts.answer)</h2><div class=\"card theirs\"><p>\(lines(answer))</p></div>"
            } else {
                "<p>\(request.closed == nil ? texts.sentText : texts.noAnswer)</p>"
            }
        let body: HTML = """
            \(leaving(texts))\(state)<p class="notice warn">\(texts.danger)</p><p>\(texts.police)</p>
            <h2>\(texts.yours)</h2><div class="card"><p>\(lines(request.text))</p></div>
            <p class="small soft">\(texts.keeping)</p>\(backLink(texts))
            """
        return FinderPage(
            texts: finder(texts), title: request.closed == nil ? texts.sent : texts.closed, body: body, hasScript: true)
    }

    /// The form for a message to the operator, with the beacon if one was named.
    private static func writing(_ form: FinderForm, _ texts: FollowedWords, _ fault: FollowedFault?) -> HTML {
        let text: String? =
            switch fault {
            case .beacon: finder(texts).wrongBeacon
            case .message: finder(texts).wrongMessage
            case .tooMany: texts.full
            case .lookUp, nil: nil
            }
        let beacon: HTML =
            if case .success = form.found {
                """
                <input type="hidden" name="uuid" value="\(form.uuid)"><input type="hidden" name="major" value="\(form.major)">
                <input type="hidden" name="minor" value="\(form.minor)">
                """
            } else {
                """
                <details\(form.hasBeacon ? " open" : "")><summary>\(texts.what)</summary><div class="stack">
                \(values(form, isInvalid: fault == .beacon, isNeeded: false))</div></details>
                """
            }
        return """
            <p class="soft">\(texts.writeLead)</p><form method="post" action="\(SafetyCalls.message)">\(alert(text))
            <input type="hidden" name="key" value="\(form.key.text)">
            <label>\(texts.yours)<textarea name="message" rows="5" maxlength="500" required\(fault == .message ? invalidMark : "")>
            \(form.message)</textarea><span class="hint">\(texts.messageHint)</span></label>\(beacon)
            <button class="primary">\(finder(texts).send)</button><p class="small soft">\(texts.keeping) \(texts.police)</p></form>
            """
    }

    /// The fields for the values that a beacon sends.
    ///
    /// - Parameter isNeeded: whether the browser requires them; it could not show that for fields in a closed section.
    private static func values(_ form: FinderForm, isInvalid: Bool, isNeeded: Bool) -> HTML {
        let (needed, wrong): (HTML, HTML) = (isNeeded ? " required" : "", isInvalid ? invalidMark : "")
        let mark: HTML = "\(needed)\(wrong)"
        return """
            <label>UUID<input name="uuid" value="\(form.uuid)" maxlength="64" autocomplete="off" spellcheck="false"\(mark)></label>
            <div class="pair"><label>Major<input name="major" value="\(form.major)" maxlength="16" \
            inputmode="numeric" autocomplete="off"\(mark)></label>
            <label>Minor<input name="minor" value="\(form.minor)" maxlength="16" inputmode="numeric" \
            autocomplete="off"\(mark)></label></div>
            """
    }

    /// The button for leaving quickly. With JavaScript, the other page replaces this one in the history.
    private static func leaving(_ texts: FollowedWords) -> HTML {
        """
        <p><a class="button wide" href="\(texts.elsewhere)" rel="noreferrer" data-leave>\(texts.leave)</a></p>
        <p class="small soft">\(texts.leaveHint)</p>
        """
    }

    /// Steps that a click shows.
    private static func steps(_ title: String, _ steps: [String]) -> HTML {
        "<details><summary>\(title)</summary><div class=\"stack\">\(list(steps))</div></details>"
    }

    private static func list(_ steps: [String]) -> HTML {
        let items: [HTML] = steps.map { "<li>\($0)</li>" }
        return "<ol class=\"steps\">\(items)</ol>"
    }

    /// A text whose line breaks stay.
    private static func lines(_ text: String) -> [HTML] {
        text.split(at: "\n", omittingEmptySubsequences: false).enumerated().map {
            $0.offset == 0 ? "\(String($0.element))" : "<br>\(String($0.element))"
        }
    }

    private static func backLink(_ texts: FollowedWords) -> HTML {
        "<p class=\"small\"><a href=\"\(SafetyCalls.form)\">\(texts.back)</a></p>"
    }

    /// The words of all pages of this kind, in the same language.
    private static func finder(_ texts: FollowedWords) -> FinderWords { FinderWords(texts.language) }
}
