import BlueZ
import Testing

@testable import Diagnosis

@Suite("The doctor's assessments")
struct JudgementTests {
    private static func running(_ adapters: BlueZAdapter...) -> BluetoothState {
        .running(processID: 1, adapters)
    }

    private static func adapter(
        _ name: String = "hci0", isPowered: Bool = true, offersMonitor: Bool = true
    ) -> BlueZAdapter {
        var adapter = BlueZAdapter(name: name)
        adapter.isPowered = isPowered
        adapter.offersMonitor = offersMonitor
        return adapter
    }

    private static let silent = BluetoothState.silent(processID: nil, reason: "no answer")
    private static let denied = BluetoothState.denied(processID: nil)

    @Test(
        "a Bluetooth service that does not run or respond fails, an old one warns",
        arguments: [
            (.noBus(reason: "no socket"), nil, .failure), (.notRunning, "5.66", .failure), (silent, "5.66", .failure),
            (running(), "5.65", .warning), (running(), "4.101", .warning), (running(), "5.66", .ok),
            (running(), "5.82", .ok), (running(), "6.0", .ok), (denied, "5.66", .ok), (running(), nil, .ok),
        ] as [(BluetoothState, String?, Verdict)]
    )
    func daemon(state: BluetoothState, version: String?, verdict: Verdict) {
        let check = DaemonCheck.judge(state, version: version)
        #expect(check.verdict == verdict)
        #expect((check.remedy == nil) == (verdict == .ok))
    }

    @Test(
        "only a refusal by the bus is a missing permission",
        arguments: [(denied, .failure), (running(), .ok), (.notRunning, .notApplicable), (silent, .notApplicable)]
            as [(BluetoothState, Verdict)]
    )
    func permission(state: BluetoothState, verdict: Verdict) {
        #expect(PermissionCheck.judge(state).verdict == verdict)
    }

    @Test(
        "an adapter must be present and on",
        arguments: [
            (running(adapter()), ["hci0"], .ok, "hci0 is on"),
            (running(adapter(), adapter("hci1", isPowered: false)), ["hci0", "hci1"], .ok, "hci1 is off"),
            (running(adapter(isPowered: false)), ["hci0"], .failure, "hci0 is off"),
            (running(), [], .failure, "no Bluetooth adapter"), (running(), ["hci0"], .failure, "shows no adapter"),
            (.notRunning, [], .failure, "no Bluetooth controller"),
            (denied, ["hci0"], .notApplicable, "does not answer"),
        ] as [(BluetoothState, [String], Verdict, String)]
    )
    func adapters(state: BluetoothState, controllers: [String], verdict: Verdict, words: String) {
        let check = AdapterCheck.judge(state, controllers: controllers)
        #expect(check.verdict == verdict)
        #expect(check.finding.contains(words), "\(check.finding)")
    }

    @Test(
        "a blocked radio fails, with the right remedy",
        arguments: [
            ([], .notApplicable, nil), ([(false, false)], .ok, nil), ([(true, false)], .failure, "rfkill unblock"),
            ([(false, true)], .failure, "switch"), ([(true, true)], .failure, "switch"),
            ([(false, false), (true, false)], .failure, "rfkill unblock"),
        ] as [([(Bool, Bool)], Verdict, String?)]
    )
    func rfkill(switches: [(Bool, Bool)], verdict: Verdict, remedy: String?) {
        let check = RadioSwitchCheck.judge(
            switches.map { RadioSwitch(name: "hci0", isSoftBlocked: $0.0, isHardBlocked: $0.1) })
        #expect(check.verdict == verdict)
        if let remedy { #expect(check.remedy?.contains(remedy) == true) } else { #expect(check.remedy == nil) }
    }

    @Test("a missing advertisement monitor warns, since discovery works alone")
    func monitor() {
        #expect(MonitorCheck.judge(Self.running(Self.adapter())).verdict == .ok)
        let without = MonitorCheck.judge(Self.running(Self.adapter(offersMonitor: false)))
        #expect(without.verdict == .warning)
        #expect(without.remedy?.contains("Experimental = true") == true)
        #expect(MonitorCheck.judge(.notRunning).verdict == .notApplicable)
        #expect(MonitorCheck.judge(Self.running()).verdict == .notApplicable)
    }

    @Test(
        "kernels before the fix warn if a monitor is offered",
        arguments: [
            ("6.1.0-25-amd64", .warning), ("6.6.31+rpt-rpi-v8", .warning), ("6.6.45", .warning), ("6.6.46", .ok),
            ("6.6.51+rpt-rpi-v8", .ok), ("6.10.4-arch1-1", .warning), ("6.10.5", .ok), ("6.10", .warning),
            ("6.11.0-rc4", .ok), ("6.12.25+rpt-rpi-2712", .ok), ("7.0.1", .ok), ("5.15.0-1034-raspi", .warning),
            ("", .notApplicable), ("unknown", .notApplicable), ("99999999999999999999.1", .notApplicable),
        ] as [(String, Verdict)]
    )
    func kernel(release: String, verdict: Verdict) {
        #expect(KernelCheck.judge(release: release, isMonitorOffered: true).verdict == verdict)
        let unused = KernelCheck.judge(release: release, isMonitorOffered: false).verdict
        #expect(unused == (verdict == .warning ? .notApplicable : verdict))
    }

    @Test(
        "Wi-Fi at 2.4 GHz warns only on a chip shared with Bluetooth",
        arguments: [
            (true, false, 2437, .serial, .warning), (true, false, nil, .serial, .warning),
            (true, false, 5180, .serial, .ok), (false, false, 2437, .serial, .ok), (true, true, 2437, .serial, .ok),
            (true, false, 2437, .usb, .ok), (true, false, 2484, .serial, .warning),
        ] as [(Bool, Bool, Int?, ControllerBus, Verdict)]
    )
    func wifi(isInUse: Bool, isUSB: Bool, frequency: Int?, attachment: ControllerBus, verdict: Verdict) {
        let interface = WirelessInterface(name: "wlan0", isInUse: isInUse, isUSB: isUSB, frequency: frequency)
        let check = WirelessCheck.judge([interface], controllers: ["hci0": attachment])
        #expect(check.verdict == verdict)
        if verdict == .warning { #expect(check.finding.contains("may") == (frequency == nil)) }
    }

    @Test("an unsynchronised clock only warns, since visits are still reported")
    func clock() {
        #expect(ClockCheck.judge(ClockState(isSynchronised: true)).verdict == .ok)
        #expect(ClockCheck.judge(ClockState(isSynchronised: false)).verdict == .warning)
    }

    @Test(
        "the registry and the token are checked separately",
        arguments: [
            (.accepted, .ok, .ok), (.notConfigured, .failure, .notApplicable),
            (.invalidSettings("x"), .failure, .notApplicable), (.misconfigured("x"), .failure, .notApplicable),
            (.unreachable("x"), .failure, .notApplicable),
            (.certificate("x"), .failure, .notApplicable), (.unusable("x"), .failure, .notApplicable),
            (.tokenMissing("x"), .ok, .failure), (.tokenRefused("x"), .ok, .failure),
        ] as [(RegistryState, Verdict, Verdict)]
    )
    func registry(state: RegistryState, registry: Verdict, token: Verdict) {
        #expect(RegistryCheck.judge(state).verdict == registry)
        #expect(TokenCheck.judge(state, of: .station).verdict == token)
        #expect(TokenCheck.judge(state, of: .owner).verdict == token)
    }

    @Test(
        "half a location fails, since the monitor would not start",
        arguments: [
            (51.5, -0.12, .ok), (nil, nil, .warning), (51.5, nil, .failure), (nil, -0.12, .failure), (0, 0, .warning),
        ] as [(Double?, Double?, Verdict)]
    )
    func location(latitude: Double?, longitude: Double?, verdict: Verdict) {
        let settings = LocationSettings(latitude: latitude, longitude: longitude)
        #expect(LocationCheck.judge(settings).verdict == verdict)
        #expect(LocationCheck.judge(nil).verdict == .notApplicable)
    }
}
