import CommandSupport
import Foundation
import RegistryAPI

/// Selects one of several items by the beginning of an identifier, or by a name or a part of it.
///
/// A more exact match wins: first a full identifier or name, then the beginning of one, then a part of a name.
struct Choice<Item> {
    /// The singular noun, as in “channel”; the plural adds an s.
    let noun: String
    /// The command that lists the items.
    let list: String
    /// The identifier of an item.
    let id: (Item) -> String
    /// All names of an item; the first is shown if several items match.
    let names: (Item) -> [String]

    /// The item that a person means.
    ///
    /// - Parameters:
    ///   - text: nil if the person gave no name: then there must be only one item.
    ///   - option: the option that names an item; nil if an argument does.
    /// - Throws: ``CommandFailure`` if no item matches, or several match equally well.
    func pick(_ text: String?, among items: [Item], option: String? = nil) throws(CommandFailure) -> Item {
        let found = matches(text, among: items)
        guard let match = found.first else {
            throw CommandFailure(
                .dataError,
                items.isEmpty
                    ? "there is no \(noun): ‘\(list)’ lists them all"
                    : "\(Self.none(of: items.count, noun)) is called ‘\(text ?? "")’ or has an identifier that "
                        + "begins with it: see ‘\(list)’")
        }
        guard found.count == 1 else {
            let choosing: String? = option.map { "choose with \($0)" }
            let replacing: String? = text.map { "type one of these names or identifiers instead of ‘\($0)’" }
            let remedy = choosing ?? replacing ?? "add one of these names or identifiers to the command"
            throw CommandFailure(.usage, "\(question(found)): \(remedy)")
        }
        return match
    }

    /// The message that asks which item is meant.
    private func question(_ items: [Item]) -> String {
        let short = ShortIdentifiers(items.map(id))
        let named = items.prefix(Self.shown).map { "\(names($0).first ?? noun) (\(short.text(id($0))))" }
        let more = items.count > Self.shown ? ", and \(items.count - Self.shown) more" : ""
        return "which \(noun)? \(named.joined(separator: ", "))\(more)"
    }

    /// The maximum number of items that the message names.
    private static var shown: Int { 9 }

    private static func none(of count: Int, _ noun: String) -> String {
        count == 1 ? "no \(noun)" : "none of the \(count) \(noun)s"
    }

    /// The text in lower case and without accents: `skoda` matches `Škoda`.
    private static func plain(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// The items that match by the first rule, in order of exactness, that matches any.
    private func matches(_ text: String?, among items: [Item]) -> [Item] {
        guard let text = text.map(Self.plain) else { return items }
        guard !text.isEmpty else { return [] }
        let rules: [(Item) -> Bool] = [
            { id($0) == text }, { names($0).contains { Self.plain($0) == text } },
            { id($0).starts(with: text) || names($0).contains { Self.plain($0).starts(with: text) } },
            { names($0).contains { Self.plain($0).contains(text) } },
        ]
        return rules.lazy.map { items.filter($0) }.first { !$0.isEmpty } ?? []
    }
}

/// The shortest unambiguous identifiers for tables, which can be typed as shown.
struct ShortIdentifiers {
    /// The number of characters that distinguish all identifiers of the table.
    private let length: Int

    /// - Parameter ids: all identifiers of the table.
    init(_ ids: some Sequence<String>) {
        // In sorted order, it is enough to compare neighbours.
        let sorted = ids.sorted()
        let shared = zip(sorted, sorted.dropFirst()).filter { $0 != $1 }
            .map { zip($0, $1).prefix { $0 == $1 }.count }
        length = max(Self.least, (shared.max() ?? 0) + 1)
    }

    /// The beginning of one of these identifiers.
    func text(_ id: String) -> String {
        let beginning = id.prefix(length)
        return String(beginning.last == "-" ? id.prefix(length + 1) : beginning)
    }

    /// Fewer characters encode only a range of days, so the next identifier may share them.
    private static let least = 8
}
