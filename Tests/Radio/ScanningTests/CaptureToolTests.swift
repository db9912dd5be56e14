import Beacons
import Scanning
import TestSupport
import Testing

/// People read captures with other programs, which must see the same reports.
@Suite struct CaptureToolTests {
    /// A report event as a program shows it.
    private struct Shown: Equatable {
        let address: String
        let rssi: Int
    }

    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("written.btsnoop")
    }

    /// Writes real and synthetic reports of every kind, and returns the output expected from a program.
    private func write() async throws -> [Shown] {
        let capture = try Fixture.path("legacy_govee_fake_ibeacon.btsnoop")
        let real = try await ReplayScanner(path: capture, pacing: .asFastAsPossible).allBatches()
        let writer = try CaptureWriter(path: path) { $0.nanoseconds }
        let batches = real + [CaptureWriterTests.everyKind]
        for batch in batches { try writer.append(batch) }
        try writer.close()
        return batches.flatMap(\.advertisements).flatMap { report in
            let shown = Shown(address: report.address.description, rssi: Int(report.rssi ?? 127))
            // An event holds at most 229 bytes of data.
            return Array(repeating: shown, count: max(1, (report.data.count + 228) / 229))
        }
    }

    @Test("btmon shows each report with its address and signal strength")
    func btmon() async throws {
        let expected = try await write()
        let output = try await Tool.btmon.output(["-r", path])
        var address = ""
        var shown: [Shown] = []
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 1 else { continue }
            // Identity addresses have hyphens.
            if words[0] == "Address:" { address = words[1].split(separator: "-").joined(separator: ":") }
            guard words[0] == "RSSI:" else {
                #expect(!line.contains("invalid"))
                continue
            }
            // ‘-49 dBm (0xcf)’, or ‘not available (0x7f)’ and ‘invalid (0x7f)’ if it is unknown.
            shown.append(Shown(address: address, rssi: line.hasSuffix("(0x7f)") ? 127 : Int(words[1]) ?? 0))
        }
        #expect(shown.count == expected.count)
        for (shown, expected) in zip(shown, expected) { #expect(shown == expected) }
    }

    @Test("tshark shows each report with its address, signal strength and time, and finds nothing malformed")
    func tshark() async throws {
        let expected = try await write()
        let fields = ["frame.time_epoch", "bthci_evt.bd_addr", "bthci_evt.rssi", "_ws.malformed"]
        let output = try await Tool.tshark.output(["-r", path, "-T", "fields"] + fields.flatMap { ["-e", $0] })
        let rows = output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let shown = rows.map { Shown(address: $0[1].uppercased(), rssi: Int($0[2]) ?? 0) }
        #expect(shown.count == expected.count)
        for (shown, expected) in zip(shown, expected) { #expect(shown == expected) }
        #expect(rows.allSatisfy { $0[3].isEmpty })
        #expect(rows.first?[0] == "1612150079.789053000")
    }
}
