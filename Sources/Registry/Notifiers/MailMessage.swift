import Foundation
import RegistryAPI
import Syntax

/// A message for a mail server (RFC 5322, RFC 2046): plain text, and the same text as HTML.
///
/// Both parts are Base64, so no line is too long or begins with a dot.
/// Each header field value is one line, whatever its content.
struct MailMessage {
    /// The header fields except those of MIME. Text that is not ASCII must be ``encoded(_:)``.
    var headers: [(name: String, value: String)] = []
    /// The content as plain text.
    var text: String
    /// The same content as HTML.
    var html: String
    /// The boundary. It occurs in no part, because Base64 has no underscore.
    let boundary = "=_findmybike_="

    /// The whole message, with CRLF at the end of each line.
    var bytes: [UInt8] {
        var fields = headers
        fields.append(("MIME-Version", "1.0"))
        fields.append(("Content-Type", "multipart/alternative; boundary=\"\(boundary)\""))
        var lines = fields.map { "\($0.name): \(Self.oneLine($0.value))" }
        lines.append("")
        lines += part("text/plain", text)
        lines += part("text/html", html)
        lines += ["--\(boundary)--", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    private func part(_ type: String, _ content: String) -> [String] {
        let encoded = Data(content.utf8).base64EncodedString(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed]
        )
        return [
            "--\(boundary)", "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: base64", "", encoded,
        ]
    }

    /// Replaces control characters by spaces, so that none ends a header field; folds made by this program are kept.
    private static func oneLine(_ value: String) -> String {
        value.components(separatedBy: "\r\n ")
            .map { String(String.UnicodeScalarView($0.unicodeScalars.map { $0.value < 0x20 ? " " : $0 })) }
            .joined(separator: "\r\n ")
    }

    /// Encodes unstructured text as words of at most 75 characters (RFC 2047, section 2), one on each line. Short ASCII
    /// text stays as it is.
    static func encoded(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.utf8.count <= 60
        guard !isPlain || text.has("=?") else { return text }
        // 45 bytes become 60 characters of Base64. A word may not split a scalar, which has at most four.
        var parts: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            if parts[parts.count - 1].count > 41 { parts.append([]) }
            parts[parts.count - 1] += scalar.utf8
        }
        return parts.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// A date such as “Sat, 21 Nov 2026 12:00:00 +0000” (RFC 5322, section 3.3).
    static func date(_ time: Timestamp) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
        return formatter.string(from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }
}
