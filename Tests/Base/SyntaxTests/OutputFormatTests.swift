import Foundation
import RegistryAPI
import StickerSheets
import Syntax
import Terminal
import Testing

@testable import MonitorConfiguration
@testable import Notifiers
@testable import PostgreSQL
@testable import RegistryHTTP
@testable import RegistryRules
@testable import Settings

/// Every format into which the programs write outside text.
///
/// In a grapheme cluster, a special character is escaped, doubled or dropped as it is alone.
@Suite("Special characters in grapheme clusters")
struct OutputFormatTests {
    /// A format, and how text is written into it.
    struct Format: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let write: @Sendable (String) -> String
    }

    static let formats = [
        Format(testDescription: "HTML") { text in
            let html: HTML = "<p title=\"\(text)\">\(text)</p>"
            return html.text
        },
        Format(testDescription: "a link’s page") { LinkPage(language: .en, title: $0, text: $0, button: $0).html },
        Format(testDescription: "HTML mail") { text in
            let link = AlertText.Link(label: text, url: text)
            let alert = AlertText(title: text, paragraphs: [text], links: [link], language: .en)
            return MailLayout.html(alert, unsubscribe: link)
        },
        Format(testDescription: "mail header") { text in
            let bytes = MailMessage(headers: [("X-Text", text)], text: "", html: "").bytes
            return String(decoding: bytes, as: UTF8.self)
        },
        Format(testDescription: "CSV") { CSVText.cell($0) },
        Format(testDescription: "GPX") { XMLText.escape($0) },
        Format(testDescription: "SVG") { StickerSheet(code: $0, link: "https://registry.example/found/1")?.svg ?? "" },
        Format(testDescription: "Prometheus") { text in
            var metrics = PrometheusText()
            metrics.add(.gauge, "name", "Help.", [.init(1, labels: [("label", text)])])
            return metrics.text
        },
        Format(testDescription: "Wi-Fi profile") { WiFiProfile(wifi: .init(name: "venue", password: "x" + $0)).text },
        Format(testDescription: "PostgreSQL’s connection string") { text in
            guard var settings = try? ConnectionSettings("postgresql://me@localhost/registry") else { return "" }
            settings.session = ["name": text]
            return (try? settings.connectionString(for: settings.hosts[0])) ?? ""
        },
        Format(testDescription: "terminal") { TerminalText.line($0) },
        Format(testDescription: "terminal, several lines") { TerminalText.lines($0) },
        Format(testDescription: "JSON at a terminal") { TerminalText.json("\"\($0)\"") },
    ]

    @Test("a disguise changes nothing", arguments: formats)
    func disguise(format: Format) {
        for special in (0..<0x80).map({ String(Unicode.Scalar(UInt8($0))) }) {
            for (before, after) in [("\u{600}", ""), ("", "\u{301}"), ("\u{600}", "\u{301}")] {
                for beginning in ["", "a"] {
                    let plain = format.write(beginning + special + "b")
                    let disguised = format.write(beginning + before + special + after + "b")
                    #expect(!plain.isEmpty && Self.bared(disguised) == Self.bared(plain), "\(special.debugDescription)")
                }
            }
        }
    }

    /// The scalars without those of the disguise, and without what a terminal and JSON show in place of them.
    private static func bared(_ text: String) -> [Unicode.Scalar] {
        let text = text.replacing(text: "\\u0600", with: "")
        return text.unicodeScalars.filter { !["\u{600}", "\u{301}", "\u{FFFD}"].contains($0) }
    }

    @Test("a setting that is written is read again as the same text")
    func settings() throws {
        let latin = (Array(0..<0x30) + Array(0x7F..<0xA1)).map { Unicode.Scalar(UInt8($0)) }
        for scalar in latin + [":", "\\", "{", "|", "\u{2028}", "\u{1F6B2}"] {
            for text in ["a\(scalar)b", "a\u{600}\(scalar)\u{301}b", "\(scalar)\u{301}", " \(scalar) # "] {
                var file = SettingsText("# a comment\nalarm:\n  contact: \"former\" # kept\n")
                file.set("alarm.contact", to: text)
                let read = try SettingsFile(text: file.text, path: "settings.yaml").entries["alarm.contact"]?.text
                #expect(read?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "\(text.debugDescription)")
                #expect(file.text.hasSuffix("# kept\n"))
            }
        }
    }

    @Test("a space at the beginning of a Wi-Fi password is kept, whatever joins it")
    func leadingSpace() {
        let text = WiFiProfile(wifi: .init(name: "venue", password: " \u{301}password")).text
        #expect(text.split(at: "\n").contains { $0.utf8.elementsEqual("psk=\\s\u{301}password".utf8) })
    }

    @Test("an encoded header field decodes to the same text, in words of at most 75 characters")
    func encodedHeader() throws {
        let text = String(repeating: "a\u{301}\u{302}\u{303}", count: 40) + "\u{600}\r\n\u{301}Bcc: x"
        let words = MailMessage.encoded(text).split(at: " ").map { $0.trimming(scalars: { $0 == "\r" || $0 == "\n" }) }
        #expect(words.allSatisfy { $0.utf8.count <= 75 })
        let bytes = try words.flatMap { word in
            let code = try #require(word.dropping(prefix: "=?UTF-8?B?")?.dropping(suffix: "?="))
            return try #require(Data(base64Encoded: String(code)))
        }
        #expect(bytes.elementsEqual(text.utf8))
    }

    @Test("colours end although a mark follows that combines with the last character")
    func painted() {
        let style = Style(isColoured: true)
        let line = "\u{301}" + style.paint("x", .alarm) + "\u{301}y"
        #expect(TerminalText.painted(line).unicodeScalars.elementsEqual(line.unicodeScalars))
        #expect(!TerminalText.painted("\u{1B}[2J\u{301}").unicodeScalars.contains("\u{1B}"))
    }
}
