import Syntax

/// Splits a table into rows (RFC 4180). A line ends with LF, CR LF or CR.
struct TableReader {
    private let bytes: [UInt8]
    private var offset: Int
    private var line = 1
    private(set) var isUnterminated = false

    /// Skips a byte order mark.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        offset = bytes.withoutByteOrderMark.startIndex
    }

    /// The next row with the number of its first line; nil at the end. A row with too many cells is not complete.
    mutating func row(most: Int) -> PlaceTable.Row? {
        guard offset < bytes.count else { return nil }
        let start = line
        var cells: [String] = []
        repeat { cells.append(cell()) } while take(",") && cells.count <= most
        if take("\r") {
            _ = take("\n")
            line += 1
        } else if take("\n") {
            line += 1
        }
        return PlaceTable.Row(line: start, cells: cells)
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: byte) else { return false }
        offset += 1
        return true
    }

    /// The text up to a comma or the end of the line.
    private mutating func cell() -> String {
        var text: [UInt8] = []
        if take("\"") { quoted(&text) }
        let rest = bytes[offset...].prefix {
            $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
        }
        offset = rest.endIndex
        text += rest
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func quoted(_ text: inout [UInt8]) {
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
