public import RegistryAPI
import Syntax

extension AlertLanguage {
    /// The text of a number, with these values for its placeholders.
    ///
    /// - Parameters:
    ///   - number: the number of the text in the catalogue; the texts and their numbers are generated.
    ///   - values: the values by the names of the placeholders; one without a value becomes empty.
    ///   - bike: the bike that the text names; nil if it names none.
    func text(_ number: Int, _ values: [String: String] = [:], of bike: BikeName? = nil) -> String {
        texts.indices.contains(number) ? filled(texts[number], values, bike) : ""
    }

    /// The form of a text for a count, with these values for its placeholders; `{count}` is the count.
    func text(plural number: Int, _ count: Int, _ values: [String: String] = [:], of bike: BikeName? = nil) -> String {
        guard plurals.indices.contains(number) else { return "" }
        let forms = plurals[number]
        let form = pluralForm(of: Int(clamping: count.magnitude))
        var values = values
        values["count"] = "\(count)"
        return filled(forms.indices.contains(form) ? forms[form] : forms.last ?? "", values, bike)
    }

    /// A text with values for its placeholders, such as `{name}`. Braces in the values stay as they are.
    private func filled(_ text: String, _ values: [String: String], _ bike: BikeName?) -> String {
        let values = values.merging(bike?.forms(in: self) ?? [:]) { value, _ in value }
        guard !values.isEmpty else { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let begin = rest.firstIndex(of: "{"), let end = rest[begin...].firstIndex(of: "}") {
            result += rest[..<begin]
            result += (values[String(rest[rest.index(after: begin)..<end])] ?? "").unicodeScalars
            rest = rest[rest.index(after: end)...]
        }
        return String(result + rest)
    }
}

extension AlertLanguage {
    /// The first language of a browser that there are texts in, otherwise English.
    ///
    /// - Parameter accepted: `Accept-Language` (RFC 9110, section 12.5.4), whose order counts and not its weights, which
    ///   browsers write in the same order.
    public init(accepted: String?) {
        let wanted = (accepted ?? "").split(at: ",", maxSplits: 16).lazy.map {
            $0.drop { $0 == " " }.prefix(2).lowercased()
        }
        self = wanted.compactMap(AlertLanguage.init(rawValue:)).first ?? .en
    }
}
