import Foundation
import TestSupport
import Testing

@testable import MonitorCommands
@testable import findmybike

/// Staff at a venue see the state of the monitor and decide what is reported, on the command line.
@Suite("A venue's commands", .timeLimit(.minutes(20)))
struct VenueTests {
    private let here: SimulatedVenue

    init() async throws {
        here = try await SimulatedVenue()
    }

    @Test("nothing is reported before staff agree; then it is, and the status shows it")
    func consent() async throws {
        let monitor = try here.start("report: ask")
        #expect(await monitor.line(containing: "visit began") != nil)
        var pending: [[String: String]] = []
        while pending.isEmpty {
            let text = await here.venue("pending", "--json").output
            pending = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
                .map { $0.compactMapValues { $0 as? String } }
        }
        #expect(pending.first?["beacon"] == SimulatedVenue.identity)
        let id = try #require(pending.first?["id"])
        #expect(await here.venue("pending").output.contains(id))
        #expect(try await here.told().contains(#""visits": {}"#))

        let beginning = String(id.prefix(9))
        let confirmed = await here.venue("confirm", beginning)
        #expect(confirmed.status == 0, "\(confirmed.errors)")
        #expect(confirmed.output == "Visit \(id) will be reported.\n")
        #expect(await monitor.line(containing: "sighting stored") != nil)
        #expect(try await here.told().contains(id))

        let again = await here.venue("dismiss", id)
        #expect(again.status == 65)
        #expect(again.errors == "findmybike: No visit \(id) waits for an answer.\n")
        let status = await here.venue("status").output
        #expect(status.contains("consent       ask\n"), "\(status)")
        #expect(status.contains("1 stored"), "\(status)")
        #expect(status.contains("adverts a second"))
        // A rotating beacon has many entries, so they are not bikes.
        #expect(status.contains(", 1 entry"), "\(status)")
        #expect(await here.venue("pending").output == "No visits are waiting for consent.\n")
        monitor.interrupt()
        let end = await monitor.end()
        #expect(end.status == 0, "\(end.output)")
        #expect(!FileManager.default.fileExists(atPath: here.socket))
    }

    @Test("the status says for whom the station listens, and what the venue has decided about it")
    func partners() async throws {
        try await here.control(#"{"pulse":["partners"]}"#)
        let monitor = try here.start("partners: false")
        #expect(await monitor.line(containing: "sighting stored") != nil)
        let words = "partners      nothing is passed on to Berlin, Lyon (partners: false)\n"
        try await eventually("the status names partners") { await here.venue("status").output.contains(words) }
        #expect(try await here.told().contains(#""forPartners": 0"#))
        monitor.interrupt()
        _ = await monitor.end()
    }

    @Test("a visit that the registry rejects is shown with its reason, while the monitor runs and afterwards")
    func refused() async throws {
        // Repeated, since a visit that has changed is sent again.
        let script = Array(repeating: #""invalid""#, count: 50).joined(separator: ",")
        try await here.control(#"{"script":[\#(script)]}"#)
        let monitor = try here.start("")
        #expect(await monitor.line(containing: "visit set aside") != nil)
        for isRunning in [true, false] {
            if !isRunning {
                monitor.interrupt()
                _ = await monitor.end()
            }
            let text = await MonitorCommand.run(["outbox", "--state", here.folder.path])
            #expect(text.status == 0, "\(text.errors)")
            #expect(text.output.contains("/visits/0/count: too many"), "\(text.output)")
            #expect(text.output.contains(SimulatedVenue.identity))
            let json = await MonitorCommand.run(["outbox", "--state", here.folder.path, "--json"]).output
            #expect(json.contains(#""reason":"/visits/0/count: too many""#), "\(json)")
        }
    }

    @Test("an outage of the registry comes first in the status, with exit status 75, and the outbox agrees")
    func outage() async throws {
        let monitor = try here.start("")
        #expect(await monitor.line(containing: "sighting stored") != nil)
        let healthy = await here.venue("status")
        #expect(healthy.status == 0 && healthy.output.contains("registry      answers"), "\(healthy.output)")
        // Both show the registry's response, whether it is on disk yet or not.
        let outbox = await MonitorCommand.run(["outbox", "--config", here.folder.file("monitor.yaml")])
        #expect(outbox.output.contains("Visits waiting for the registry: 0"), "\(outbox.output)")
        #expect(outbox.output.contains("According to the running monitor."), "\(outbox.output)")
        let second = await MonitorCommand.run(try here.arguments("", speed: 20))
        #expect(second.status == 73 && second.errors.contains("another monitor (process "), "\(second.errors)")
        here.registry.kill()
        #expect(await monitor.line(containing: "missing list not updated") != nil)
        let status = await here.venue("status")
        #expect(status.status == 75)
        #expect(status.output.contains("registry      NO SERVICE for"), "\(status.output)")
        monitor.interrupt()
        _ = await monitor.end()
    }

    @Test("without a running monitor, each command says what to do")
    func absent() async throws {
        for command in [
            ["status"], ["pending"], ["confirm", "all"], ["dismiss", "all"], ["seen", "x"], ["absent", "x"],
        ] {
            let result = await FindMyBike.run(["venue"] + command + ["--socket", here.socket])
            #expect(result.status == 69)
            #expect(result.errors.contains("no monitor serves its status at \(here.socket)"), "\(result.errors)")
        }
        let outbox = await MonitorCommand.run(["outbox", "--state", here.folder.path])
        #expect(outbox.status == 66)
        #expect(outbox.errors.contains("\(here.folder.path)/outbox.sqlite"))
    }
}
