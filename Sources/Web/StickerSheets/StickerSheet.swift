import Syntax

/// A page of paper with stickers for a bike, to print and cut out.
public struct StickerSheet: Sendable {
    private let code: String
    private let link: String
    private let picture: QRCode

    /// - Parameters:
    ///   - code: the sticker's code, as a person types it.
    ///   - link: the address of the page for finders, which ends with the code.
    /// - Returns: nil if the link is too long for a QR code.
    public init?(code: String, link: String) {
        guard let picture = QRCode(link) else { return nil }
        self.code = code
        self.link = link
        self.picture = picture
    }

    /// The number of stickers beside each other.
    private static let columns = 3
    /// The number of stickers above each other.
    private static let rows = 7
    /// The width of a sticker in millimetres.
    private static let width = 60
    /// The height of a sticker in millimetres.
    private static let height = 38
    /// The distance of the stickers from the edges of the page in millimetres: 3 × 60 fill the rest of 210.
    private static let margin = 15

    /// The page as an SVG document in the size A4. All lengths are millimetres.
    public var svg: String {
        let places = (0..<Self.rows).flatMap { row in
            (0..<Self.columns).map { column -> String in
                let (x, y) = (Self.margin + column * Self.width, Self.margin + row * Self.height)
                return "<use href=\"#sticker\" x=\"\(x)\" y=\"\(y)\"/>"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297" \
            font-family="sans-serif" font-size="2.3">
            <defs><g id="sticker"><rect width="\(Self.width)" height="\(Self.height)" fill="#fff" stroke="#999" \
            stroke-width=".2"/>
            <svg x="1" y="1" width="28" height="28" viewBox="0 0 \(picture.width) \(picture.width)" \
            shape-rendering="crispEdges"><path d="\(picture.path)"/></svg>
            <text x="30" y="9" font-weight="bold">Found this bike?</text><text x="30" y="13">Write to its owner:</text>
            <text x="30" y="20" font-weight="bold">Zweirad gefunden?</text><text x="30" y="24" textLength="28" lengthAdjust="spacingAndGlyphs">Dem Besitzer schreiben:</text>
            <text x="4" y="31.5" font-size="2.8"\(squeeze)>\
            \(address.escapedForMarkup)</text>
            <text x="4" y="35.8" font-size="3.6" font-weight="bold" font-family="monospace">\(code.escapedForMarkup)</text></g></defs>
            \(places.joined())
            </svg>

            """
    }

    /// The attributes that fit a long address on the sticker: 36 characters are about as wide as that.
    private var squeeze: String { address.count > 36 ? #" textLength="52" lengthAdjust="spacingAndGlyphs""# : "" }

    /// The address without scheme and code, as a person reads it.
    private var address: String {
        let text = ["https://", "http://"].lazy.compactMap { link.dropping(prefix: $0) }.first ?? Substring(link)
        return String(text.dropping(suffix: "/\(code)") ?? text)
    }
}
