import HTTPTypes
import Hummingbird
import Languages
import NIOCore
import RegistryAPI
import RegistryRules
import Syntax
import WebPages

/// A page for somebody who has found a bike: it needs no JavaScript, and looks like the owners' pages. With JavaScript,
/// pages with a form for a message can do more.
struct FinderPage {
    let texts: FinderWords
    let title: String
    /// What is below the title.
    let body: HTML
    /// Whether the page loads its script.
    var hasScript = false

    /// The page as a response. It loads only the style sheet and its script, cannot be framed, and its address, which
    /// may contain a secret, is not sent as the referrer.
    ///
    /// - Parameter problem: the problem that the page replaces, whose headers it gets.
    func response(_ status: HTTPResponse.Status = .ok, problem: Problem? = nil) -> Response {
        var headers: HTTPFields = [
            .vary: "Accept-Language, Cookie", .contentSecurityPolicy: hasScript ? Self.scriptPolicy : Self.policy,
        ]
        for field in problem?.headers ?? [:] { headers[field.name] = field.value }
        headers[.referrerPolicy] = "no-referrer"
        return .body(
            ByteBuffer(string: html.text), "\(LinkPage.mediaType); charset=utf-8", status: status, headers: headers)
    }

    private var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="\(texts.language.rawValue)"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
        <title>\(title) · FindMyBike</title>
        <link rel="icon" href="\(Self.address("icon.svg"))" type="image/svg+xml">
        <link rel="stylesheet" href="\(Self.address("style.css"))">\(script)</head>
        <body><header class="top"><a class="brand" href="/"><img src="\(Self.address("icon.svg"))" alt="">\
        FindMyBike</a></header><main class="narrow"><h1>\(title)</h1>
        \(body)
        </main><footer class="foot"><p class="languages">\(languages)</p>
        <a href="\(SafetyCalls.form)">\(FollowedWords(texts.language).title)</a></footer>
        </body></html>

        """
    }

    /// Links to the page in the other languages, which need no JavaScript.
    private var languages: [HTML] {
        AlertLanguage.allCases.filter { $0 != texts.language }.map {
            "<a href=\"?language=\($0.rawValue)\" lang=\"\($0.rawValue)\">\($0.name)</a> "
        }
    }

    private var script: HTML {
        hasScript ? "<script type=\"module\" src=\"\(Self.address("js/finder.js"))\"></script>" : ""
    }

    /// The address of a file of the web pages.
    private static func address(_ file: String) -> String { WebPages.built.address(of: file) ?? "/" }

    private static let policy = """
        default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; \
        base-uri 'none'
        """

    /// As on the owners' pages, no text becomes HTML.
    private static let scriptPolicy = """
        default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; connect-src 'self'; img-src 'self' blob:; require-trusted-types-for 'script'; trusted-types 'none'
        """
}

// The pages.
extension FinderPage {
    /// The form that begins a finder's conversation.
    static func form(_ form: FinderForm, _ texts: FinderWords, fault: FinderForm.Fault? = nil) -> FinderPage {
        let steps: [HTML] = texts.steps.map { "<li>\($0)</li>" }
        let body: HTML = """
            <p class="lead">\(texts.lead)</p><ul class="steps">\(steps)</ul>
            <form method="post" action="\(FinderCalls.form)">\(alert(fault.map { $0.text(texts) }))
            <input type="hidden" name="key" value="\(form.key.text)">
            \(bikeFields(form, texts, fault))
            \(messageField(form.message, texts, isInvalid: fault == .message))
            <button class="primary">\(texts.send)</button><p class="small soft">\(texts.keeping)</p></form>
            <p class="small"><a href="\(CheckCalls.form)">\(CheckWords(texts.language).invitation)</a></p>
            """
        return FinderPage(texts: texts, title: texts.title, body: body, hasScript: true)
    }

    /// The fields that name the bike: the sticker's code, or what its beacon sends.
    private static func bikeFields(_ form: FinderForm, _ texts: FinderWords, _ fault: FinderForm.Fault?) -> HTML {
        if form.isCodeKnown {
            return """
                <input type="hidden" name="code" value="\(form.code)">
                <p>\(texts.code): <strong class="mono code">\(form.code)</strong></p>
                """
        }
        return """
            <label>\(texts.code)<input name="code" value="\(form.code)" maxlength="64" autocomplete="off" autocapitalize="characters" \
            spellcheck="false"\(invalid(fault, .code, .nothing))><span class="hint">\(texts.codeHint)</span></label>
            <details\(form.hasBeacon ? " open" : "")><summary>\(texts.beacon)</summary><div class="stack">
            <p class="hint">\(texts.beaconHint)</p>
            <label>UUID<input name="uuid" value="\(form.uuid)" maxlength="64" autocomplete="off" spellcheck="false"\
            \(invalid(fault, .beacon))></label>
            <div class="pair"><label>Major<input name="major" value="\(form.major)" maxlength="16" inputmode="numeric" \
            autocomplete="off"\(invalid(fault, .beacon))></label>
            <label>Minor<input name="minor" value="\(form.minor)" maxlength="16" inputmode="numeric" autocomplete="off"\
            \(invalid(fault, .beacon))></label></div></div></details>
            """
    }

    /// The conversation, with a form if the finder can write now. A finder also sees it after the first message,
    /// whatever code or beacon that named.
    ///
    /// - Parameters:
    ///   - secret: of the conversation.
    ///   - message: what the finder has typed.
    ///   - isInvalid: whether that cannot be a message.
    static func conversation(
        _ conversation: Conversation, _ secret: ConversationSecret, _ texts: FinderWords, at time: Timestamp,
        message: String = "", isInvalid: Bool = false
    ) -> FinderPage {
        let messages = items(of: conversation, secret, texts)
        let writing: HTML
        if let refusal = conversation.refusal(of: .finder, at: time) {
            writing = "<p class=\"notice\">\(texts.refusal(refusal, deleted: conversation.deleted))</p>"
        } else {
            writing = """
                <form method="post">\(alert(isInvalid ? texts.wrongMessage : nil))
                \(messageField(message, texts, isInvalid: isInvalid))
                <button class="primary" name="action" value="send">\(texts.send)</button></form>
                """
        }
        let hasAnswer = conversation.messages.contains { $0.from == .owner }
        let canReport = hasAnswer || conversation.origin == .number
        let isOpen = conversation.closed == nil
        let rest: HTML =
            isOpen ? endings(texts, canReport: canReport) : reporting(conversation, texts, canReport: canReport)
        let body: HTML = """
            \(hints(conversation, hasAnswer: hasAnswer, texts))
            <ol class="plain-list" data-news="\(FinderCalls.news(of: secret))" data-finder="\(texts.side(.finder))" \
            data-owner="\(texts.side(.owner))" data-photo="\(texts.photoShown)" data-answer="\(texts.answered)">\(messages)</ol>
            \(isOpen ? photoField(secret, texts) : "")
            \(writing)\(rest)
            """
        return FinderPage(texts: texts, title: texts.conversation, body: body, hasScript: true)
    }

    /// Messages and photos in the order of their times.
    private static func items(
        of conversation: Conversation, _ secret: ConversationSecret, _ texts: FinderWords
    ) -> [HTML] {
        func head(_ side: ConversationSide, _ time: Timestamp) -> HTML {
            """
            <p class="small soft">\(texts.side(side)), <time datetime="\(time.description)">\(texts.moment(time))</time></p>
            """
        }
        let messages: [(time: Timestamp, html: HTML)] = conversation.messages.map { message in
            let lines = message.text.split(at: "\n", omittingEmptySubsequences: false)
            let paragraphs: [HTML] = lines.enumerated().map {
                $0.offset == 0 ? "\(String($0.element))" : "<br>\(String($0.element))"
            }
            let mark: HTML = message.from == .owner ? " theirs" : ""
            return (
                message.time,
                "<li class=\"card\(mark)\" data-message>\(head(message.from, message.time))<p>\(paragraphs)</p></li>"
            )
        }
        let photos: [(time: Timestamp, html: HTML)] = (conversation.photos ?? []).map { photo in
            (
                photo.time,
                """
                <li class="card">\(head(.finder, photo.time))<img class="sent" loading="lazy" alt="\(texts.photoShown)" \
                src="\(FinderCalls.photos(of: secret))/\(photo.id.description)?size=small"></li>
                """
            )
        }
        return (messages + photos).enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element.html)
    }

    /// The button for a photo, which only JavaScript can use.
    private static func photoField(_ secret: ConversationSecret, _ texts: FinderWords) -> HTML {
        """
        <div class="stack" data-photos="\(FinderCalls.photos(of: secret))" hidden data-sending="\(texts.photoSending)" \
        data-sent="\(texts.photoSent)" data-failed="\(texts.photoFailed)" data-unreadable="\(texts.photoUnreadable)" \
        data-full="\(texts.tooManyPhotos)"><div class="row"><button type="button">\(texts.photo)</button>\
        <span class="small soft" role="status"></span></div><p class="hint">\(texts.photoHint)</p>\
        <input type="file" accept="image/*" capture="environment" class="visually-hidden" tabindex="-1" aria-hidden="true">\
        </div>
        """
    }

    /// What a finder or buyer should know while the conversation continues.
    private static func hints(_ conversation: Conversation, hasAnswer: Bool, _ texts: FinderWords) -> HTML {
        guard conversation.closed == nil else { return "" }
        let answer: HTML =
            conversation.messages.last { $0.from == .owner }.map {
                "\(texts.answered) <time datetime=\"\($0.time.description)\">\(texts.moment($0.time))</time>"
            } ?? ""
        let check = conversation.origin == .number ? CheckWords(texts.language) : nil
        let sentHint = conversation.origin == .share ? texts.sharedHint : check?.sentToOne ?? texts.sentHint
        let more = hasAnswer ? texts.caution : sentHint
        let doubt: HTML = check.map { "<p class=\"notice\">\($0.answerDoubt)</p>" } ?? ""
        let sent: HTML = hasAnswer ? "" : "<strong>\(texts.sent).</strong> "
        return """
            <p class="notice good">\(sent)\(texts.answerHint)</p>
            <p role="status" data-live>\(answer)</p><p class="soft">\(more)</p>\(doubt)
            """
    }

    /// What a finder can still do after the end: an owner who threatens might end the conversation.
    private static func reporting(_ conversation: Conversation, _ texts: FinderWords, canReport: Bool) -> HTML {
        guard canReport else { return "" }
        guard conversation.reported == nil else { return "<p class=\"soft\">\(texts.reported)</p>" }
        return """
            <form method="post"><p class="hint">\(texts.reportHint)</p>
            <button name="action" value="report">\(texts.reportEnded)</button></form>
            """
    }

    /// What a finder can do besides writing: see new messages, end the conversation, report it.
    private static func endings(_ texts: FinderWords, canReport: Bool) -> HTML {
        let report: HTML =
            canReport
            ? """
            <form method="post"><p class="hint">\(texts.reportHint)</p>
            <button name="action" value="report">\(texts.report)</button></form>
            """ : ""
        return """
            <form method="get"><button>\(texts.refresh)</button></form>
            <details><summary>\(canReport ? texts.endOrReport : texts.end)</summary><div class="stack">
            <form method="post"><p class="hint">\(texts.endHint)</p>
            <button name="action" value="end">\(texts.end)</button></form>\(report)</div></details>
            """
    }

    /// A link to a page where the reader can continue.
    struct Link {
        let path: String
        let text: String
    }

    /// A page with a title, a text and a link.
    ///
    /// - Parameter link: nil for the form for another bike.
    static func message(_ title: String, _ text: String, _ texts: FinderWords, _ link: Link? = nil) -> FinderPage {
        let link = link ?? Link(path: FinderCalls.form, text: texts.another)
        let body: HTML = "<p>\(text)</p><p><a href=\"\(link.path)\">\(link.text)</a></p>"
        return FinderPage(texts: texts, title: title, body: body)
    }

    /// The field for a message, and with JavaScript a button that adds the finder's place to it.
    static func messageField(_ message: String, _ texts: FinderWords, isInvalid: Bool) -> HTML {
        // A line break directly after the tag is ignored, so one that the finder wrote stays.
        """
        <label>\(texts.message)<textarea name="message" rows="5" maxlength="500" required\(isInvalid ? invalidMark : "")>
        \(message)</textarea><span class="hint">\(texts.messageHint)</span></label>
        <div class="row" data-place hidden data-line="\(texts.hereLine)" data-waiting="\(texts.hereWaiting)" \
        data-added="\(texts.hereAdded)" data-denied="\(texts.hereDenied)" data-full="\(texts.hereFull)">\
        <button type="button">\(texts.here)</button><span class="small soft" role="status"></span></div>
        """
    }

    /// The attributes of a field that is wrong; ``alert(_:)`` says how.
    static let invalidMark: HTML = " aria-invalid=\"true\" aria-describedby=\"fault\""

    /// The mark of a field that is wrong with one of these faults.
    private static func invalid(_ fault: FinderForm.Fault?, _ faults: FinderForm.Fault...) -> HTML {
        fault.map(faults.contains) == true ? invalidMark : ""
    }

    /// What is wrong with a form; nothing without a text.
    static func alert(_ text: String?) -> HTML {
        text.map { "<p class=\"fault\" id=\"fault\" role=\"alert\">\($0)</p>" } ?? ""
    }
}
