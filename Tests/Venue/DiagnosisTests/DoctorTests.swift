import DBus
import TestSupport
import Testing

@testable import Diagnosis

@Suite("The doctor with a fake bluetoothd", .timeLimit(.minutes(20)))
struct DoctorTests {
    private let bluetooth: FakeBluetooth
    private let machine: Machine

    init() async throws {
        bluetooth = try await FakeBluetooth("hci0")
        try await bluetooth.mode("monitor", "\"accept\"")
        try await bluetooth.setPowered()
        machine = try await Machine.raspberryPi()
    }

    private func verdicts(
        bus: String? = nil, change: (inout DoctorProbes) -> Void = { _ in }
    ) async -> [String: Verdict] {
        var probes = DoctorProbes(
            files: SystemFiles(root: machine.folder.path),
            bus: .address(bus ?? bluetooth.bus.address),
            clock: { ClockState(isSynchronised: true) },
            wirelessFrequency: { _ in 5180 },
            registry: { .accepted },
            receivers: { .configured([ReceiverState(name: "bar", source: "x", finding: .reachable)]) }
        )
        change(&probes)
        let location = LocationSettings(latitude: 51.5, longitude: -0.12)
        let checks = await Doctor(probes, as: .station, location: location).examine()
        #expect(checks.map(\.identifier) == CheckSubject.allCases.map(\.rawValue))
        for check in checks {
            #expect((check.remedy != nil) == [.warning, .failure].contains(check.verdict), "\(check)")
            #expect(!check.finding.contains("\n") && check.remedy?.contains("\n") != true)
        }
        return Dictionary(uniqueKeysWithValues: checks.filter { $0.verdict != .ok }.map { ($0.identifier, $0.verdict) })
    }

    @Test("a monitor that listens only with receivers needs no adapter")
    func receiversOnly() async {
        let probes = DoctorProbes(
            files: SystemFiles(root: "/nonexistent"), bus: .address("unix:path=/nonexistent"),
            clock: { ClockState(isSynchronised: true) }, registry: { .accepted })
        let location = LocationSettings(latitude: 51.5, longitude: -0.12)
        let checks = await Doctor(probes, as: .station, location: location, usesAdapters: false).examine()
        #expect(checks.map(\.identifier) == CheckSubject.allCases.map(\.rawValue))
        #expect(checks.allSatisfy { $0.verdict == .ok || $0.verdict == .notApplicable })
        #expect(checks.first { $0.identifier == "adapter" }?.verdict == .notApplicable)
    }

    @Test("a working station has no findings")
    func healthy() async {
        #expect(await verdicts() == [:])
    }

    @Test("an adapter that is off is reported, and nothing else")
    func off() async throws {
        try await bluetooth.setPowered("hci0", false)
        #expect(await verdicts() == ["adapter": .failure])
    }

    @Test("an adapter that went away is reported")
    func noAdapter() async throws {
        try await bluetooth.tell("RemoveAdapter", .string("hci0"))
        #expect(await verdicts() == ["adapter": .failure, "monitor": .notApplicable])
    }

    @Test("without the experimental interface there is a warning")
    func noMonitor() async throws {
        try await bluetooth.mode("monitor", "\"none\"")
        #expect(await verdicts() == ["monitor": .warning])
    }

    @Test("a stopped bluetoothd is reported once, not five times")
    func notRunning() async throws {
        try await bluetooth.tell("Leave")
        #expect(
            await verdicts() == [
                "daemon": .failure, "permission": .notApplicable, "adapter": .notApplicable, "monitor": .notApplicable,
            ])
    }

    @Test("a refusal by policy is reported as a missing permission")
    func denied() async throws {
        try await bluetooth.mode("denied", "true")
        #expect(
            await verdicts() == [
                "permission": .failure, "adapter": .notApplicable, "monitor": .notApplicable,
            ])
    }

    @Test("a missing bus is reported as such")
    func noBus() async {
        let verdicts = await verdicts(bus: "unix:path=/nowhere/bus")
        #expect(verdicts["daemon"] == .failure)
        #expect(verdicts["permission"] == .notApplicable)
    }

    @Test("a blocked radio, an old kernel, Wi-Fi on the radio and an unsynchronised clock are reported")
    func machineTrouble() async throws {
        try machine.rfkill(soft: 1, hard: 0)
        try machine.write("6.6.31+rpt-rpi-v8", "proc/sys/kernel/osrelease")
        let verdicts = await verdicts { probes in
            probes.wirelessFrequency = { _ in 2437 }
            probes.clock = { ClockState(isSynchronised: false) }
            probes.registry = { .tokenRefused("revoked") }
        }
        #expect(
            verdicts == [
                "rfkill": .failure, "kernel": .warning, "wifi": .warning, "clock": .warning, "token": .failure,
            ])
    }
}
