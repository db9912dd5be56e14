import Foundation
import TestSupport
import Testing

/// Frames from other projects' tests and from real captures; see Fixtures/README.md.
enum Vectors {
    /// The rows of a table of tab-separated columns, without its heading.
    static func rows(of file: String) throws -> [[String]] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/\(file)", withExtension: nil))
        return try String(contentsOf: url, encoding: .utf8)
            .split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// All advertising data in the fixtures. Manufacturer data whose source left out Apple's company identifier is
    /// completed with it.
    static func advertisingData() throws -> [[UInt8]] {
        let published = try rows(of: "hex.tsv").map { row in
            let frame = try #require(bytes(hex: row[2]))
            guard row[0] == "mfg_data_without_company" else { return frame }
            return [UInt8(frame.count + 3), 0xFF, 0x4C, 0x00] + frame
        }
        let captured = try rows(of: "captured.tsv").map { row in try #require(bytes(hex: row[1])) }
        return published + captured
    }
}
