import Syntax

/// A piece of HTML whose text is escaped: only literals are markup.
struct HTML: ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        /// A text, in an element or in a quoted attribute.
        mutating func appendInterpolation(_ value: String) { text += value.escapedForMarkup }

        mutating func appendInterpolation(_ html: HTML) { text += html.text }

        mutating func appendInterpolation(_ parts: [HTML]) { text += parts.map(\.text).joined() }
    }
}
