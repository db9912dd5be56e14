import Foundation
import Languages
import RegistryAPI
import TestSupport
import Testing

@testable import RegistryRules

@Suite("The words of alerts and pages")
struct WordsTests {
    /// The first form of each text of a catalogue by its key; in the template, the English text.
    private static func texts(_ file: String) throws -> [String: String] {
        let path = Repository.path("Sources/Wire/Languages/Catalogues/\(file)")
        var (texts, key) = ([:] as [String: String], "")
        let field = file.hasSuffix(".pot") ? #/msgid "(.*)"/# : #/msgstr(?:\[0\])? "(.*)"/#
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            if let match = line.wholeMatch(of: #/msgctxt "(.*)"/#) { key = String(match.1) }
            if !key.isEmpty, let match = line.wholeMatch(of: field) { texts[key] = String(match.1) }
        }
        return texts
    }

    @Test("German texts address their reader as du, and say Rad; only the letter to the police says Sie")
    func address() throws {
        let texts = try Self.texts("de.po")
        #expect(texts.count > 1000)
        // A capital within a sentence; at its beginning the word can mean others.
        let formal = #/[a-zäöüß,;] (Sie|Ihr|Ihre[mnrs]?|Ihnen)\b/#
        for (key, text) in texts where !key.hasPrefix("more.letter.") {
            #expect(text.firstMatch(of: formal) == nil, "\(key): \(text)")
            #expect(!text.contains("Zweir"), "\(key): \(text)")
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
        let texts = try Self.texts(language == .en ? "messages.pot" : "\(language.rawValue).po")
        for level in SightingLevel.allCases {
            let name = AlertWords(language).levelName(level)
            #expect(texts["more.trail.levels.\(level.rawValue)"]?.lowercased() == name.lowercased())
            if language == .en { #expect(name == level.rawValue) }
        }
    }
}
