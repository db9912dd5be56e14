import RegistryAPI
import Testing

@testable import Languages

@Suite("Texts in all languages")
struct LanguagesTests {
    @Test("a text has its values, and braces in a value stay as they are")
    func placeholders() {
        let words = AlertWords(.en)
        #expect(words.title(name: "{station}", station: "Café {name}") == "{station} heard at Café {name}")
        #expect(words.adviceReferenced("7 } {").contains("your reference 7 } {, and"))
    }

    @Test(
        "a count has its form",
        arguments: [
            (AlertLanguage.en, 1, "1 minute"), (.en, 0, "0 minutes"), (.en, 2, "2 minutes"), (.de, 1, "1 Minute"),
            (.de, 22, "22 Minuten"), (.fr, 0, "0 minute"), (.fr, 1, "1 minute"), (.fr, 2, "2 minutes"),
            (.pl, 1, "1 minutę"), (.pl, 2, "2 minuty"), (.pl, 5, "5 minut"), (.pl, 12, "12 minut"),
            (.pl, 22, "22 minuty"), (.pl, 0, "0 minut"),
        ])
    func plurals(language: AlertLanguage, count: Int, text: String) {
        #expect(FinderWords(language).minutes(count) == text)
    }

    @Test("no count is without a form", arguments: AlertLanguage.allCases)
    func extremes(language: AlertLanguage) {
        for count in [0, 1, 2, 5, 11, 22, 101, Int.max, Int.min] {
            #expect(FinderWords(language).minutes(count).hasPrefix("\(count) "))
        }
    }

    @Test("a bike is named in the form that a sentence needs")
    func bikes() {
        let bike = BikeName(kind: .motorbike, name: "Triumph Bonneville")
        #expect(
            AlertWords(.de).heard(bike: bike, station: "Café", moment: "heute")
                == "Der Sender deines Motorrads Triumph Bonneville wurde heute von der Station „Café“ gehört.")
        #expect(
            AlertWords(.pl).heard(bike: bike, station: "Café", moment: "dziś")
                == "Nadajnik Twojego motocykla Triumph Bonneville został wykryty przez stację „Café” dziś.")
        #expect(bike.forms(in: .de)["Bike"] == "Dein Motorrad Triumph Bonneville")
        #expect(BikeName(kind: .other, name: "").forms(in: .en)["toBike"] == "your bike")
    }

    @Test("each language has a name in itself")
    func names() {
        #expect(AlertLanguage.en.name == "English" && AlertLanguage.de.name == "Deutsch")
        #expect(Set(AlertLanguage.allCases.map(\.name)).count == AlertLanguage.allCases.count)
    }

    @Test(
        "a browser gets the first of its languages that there are texts in",
        arguments: [
            ("de-AT,de;q=0.9,en;q=0.8", AlertLanguage.de), ("la, en-GB;q=0.7", .en), ("", .en), (nil, .en),
            ("DE", .de), ("la, pl-PL;q=0.7", .pl), ("la", .en), (String(repeating: "la,", count: 1000) + "de", .en),
        ] as [(String?, AlertLanguage)])
    func accepted(header: String?, language: AlertLanguage) {
        #expect(AlertLanguage(accepted: header) == language)
    }
}
