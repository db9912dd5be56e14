import Syntax

/// Splits a table into rows (RFC 4180). A line ends with LF, CR LF or CR.
struct TableReader {
    private let bytes: [UInt8]
    /// The index of the next byte to read.
    private var offset: Int
    /// The number of the line with this byte, from 1.
    private var line = 1
    /// Whether the table ends within quotation marks.
    private(set) var isUnterminated = false

    /// Skips a byte order mark.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        offset = bytes.withoutByteOrderMark.startIndex
    }

    /// The next row with the number of its first line; nil at the end.
    ///
    /// - Parameter most: the maximum number of cells. A row with more has one more, and the rest comes as further rows.
    mutating func row(most: Int) -> PlaceTable.Row? {
        guard offset < bytes.count else { return nil }
        let start = line
        var cells: [String] = []
        repeat { cells.append(cell()) } while take(",") && cells.count <= most
        // CR LF is one line break.
        if take("\r") {
            _ = take("\n")
            line += 1
        } else if take("\n") {
            line += 1
        }
        return PlaceTable.Row(line: start, cells: cells)
    }

    /// Skips a byte if it is this one; false if it is another.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: byte) else { return false }
        offset += 1
        return true
    }

    /// The text up to a comma or the end of the line.
    private mutating func cell() -> String {
        var text: [UInt8] = []
        if take("\"") { appendQuoted(&text) }
        let rest = bytes[offset...].prefix {
            $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
        }
        offset = rest.endIndex
        text += rest
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text up to the closing quotation mark. A doubled mark within it is one mark.
    private mutating func appendQuoted(_ text: inout [UInt8]) {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\"") {
                guard offset < bytes.count, bytes[offset] == byte else { return }
                offset += 1
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            text.append(byte)
        }
        isUnterminated = true
    }
}
