import Foundation
import RegistryAPI
import TestSupport
import Testing

@testable import RegistryRules

@Suite("The words of alerts and pages")
struct WordsTests {
    private static let pages = "Sources/Web/WebPages/Files/js/text"

    @Test("German alerts and pages address their reader as du, only the letter to the police says Sie")
    func address() throws {
        let texts = try ["Sources/Registry/RegistryRules", Self.pages].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Repository.path(folder))
                .filter { $0.hasSuffix(".swift") || $0.hasPrefix("de") && $0 != "de-letter.js" }
                .map { "\(folder)/\($0)" }
        }
        #expect(texts.count > 10)
        // A capital within a sentence; at its beginning the word can mean others, as it does on pages.
        let formal = #/[a-zäöüß,;] (Sie|Ihr|Ihre[mnrs]?|Ihnen)\b|\bSie (haben|können|müssen|sehen|brauchen)\b/#
        let within = #/[a-zäöüß,;] (Sie|Ihr|Ihre[mnrs]?|Ihnen)\b/#
        for path in texts {
            let text = try String(contentsOfFile: Repository.path(path), encoding: .utf8)
            let found =
                path.hasSuffix(".swift")
                ? text.matches(of: formal).map { text[$0.range] } : text.matches(of: within).map { text[$0.range] }
            #expect(found.isEmpty, "\(path): \(found)")
        }
    }

    @Test("the guide to the API names the type of every message to a webhook")
    func types() throws {
        let guide = try String(contentsOfFile: Repository.path("docs/guide/api.md"), encoding: .utf8)
        let notices = OwnerNotice.Event.allCases.filter { $0 != .channelVerification }.map(\.rawValue)
        for type in notices + ["sighting.created", "sighting.updated", "sightings.digest"] {
            #expect(guide.contains("`\(type)`"), "\(type)")
        }
    }

    @Test("a sighting’s level has one name in alerts, on pages and in the API", arguments: AlertLanguage.allCases)
    func levels(language: AlertLanguage) throws {
        let path = Repository.path("\(Self.pages)/\(language.rawValue)-details.js")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let line = try #require(text.firstMatch(of: #/levels: \{(.*)\}/#)).output.1
        for level in SightingLevel.allCases {
            let name = language.words.name(of: level)
            #expect(line.lowercased().contains("\(level.rawValue): \"\(name)\""), "\(line)")
            if language == .en { #expect(name == level.rawValue) }
        }
    }
}
