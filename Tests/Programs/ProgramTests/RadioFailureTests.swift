import DBus
import Foundation
import TestSupport
import Testing

/// A station whose radios all hear nothing must not appear to listen for months.
@Suite("findmybike-monitor with quiet radios", .timeLimit(.minutes(20)))
struct RadioFailureTests {
    private let folder: TemporaryFolder
    private let bluetooth: FakeBluetooth

    init() async throws {
        folder = try TemporaryFolder()
        bluetooth = try await FakeBluetooth("hci0")
    }

    private func monitor() throws -> StartedProgram {
        let settings = try folder.monitorSettings(
            """
            radio:
              quietAfter: 10
            """)
        return try StartedProgram(
            try BuiltProgram("findmybike-monitor"), ["--config", settings], environment: bluetooth.environment)
    }

    @Test("an adapter plugged in later joins; if no adapter hears anything and no step helps, the status is 71")
    func ladderEnds() async throws {
        let monitor = try monitor()
        while try await bluetooth.state().discovering == 0 {}
        try await bluetooth.tell("AddAdapter", .string("hci1"))
        #expect(await monitor.line(containing: "adapter added")?.contains("hci1") == true)
        while try await bluetooth.state("hci1").discovering == 0 {}
        let (status, output) = await monitor.end()
        #expect(status == 71, "\(output)")
        let quiet = output.split(separator: "\n").filter { $0.contains("radio is quiet") }
        for step in ["restartScan", "powerCycle", "reopen"] {
            #expect(quiet.contains { $0.contains("adapter=hci0") && $0.contains("step=\(step)") }, "\(output)")
        }
        #expect(quiet.contains { $0.contains("adapter=hci1") }, "\(output)")
        #expect(output.contains("no radio hears anything (hci0, hci1)"), "\(output)")
    }
}
