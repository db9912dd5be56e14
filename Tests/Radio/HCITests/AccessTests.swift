import Glibc
import Scanning
import Testing

@testable import HCI

/// People who set up a station read these messages and must know what to do.
@Suite struct AccessTests {
    @Test("an adapter that cannot be opened is an error that says what to do", arguments: [true, false])
    func noAdapter(listensOnly: Bool) async throws {
        let scanner = HCIScanner(listensOnly ? .monitor(65_000) : .device(65_000))
        var batches = scanner.batches().makeAsyncIterator()
        do {
            while try await batches.next() != nil {
                // The monitor channel opens on any machine with Bluetooth, whatever the index.
                if listensOnly, scanner.radioHealth.state == .scanning { return await scanner.stop() }
            }
            Issue.record("the sequence ended without an error")
        } catch let error as HCIError {
            guard case .system(.open, _, let code) = error else {
                Issue.record("\(error)")
                return
            }
            #expect([EAFNOSUPPORT, ENODEV, EPERM].contains(code))
            #expect(error.description.contains(";"))
            #expect(scanner.radioHealth.state == .failed)
            #expect(scanner.radioHealth.lastError == error.description)
        }
    }

    @Test(
        "a system error says what to do",
        arguments: [
            (.open, EAFNOSUPPORT, "modprobe bluetooth"), (.open, EPERM, "CAP_NET_RAW"), (.write, EPERM, "CAP_NET_RAW"),
            (.reset, EPERM, "CAP_NET_ADMIN"), (.powerOff, EACCES, "CAP_NET_ADMIN"), (.open, ENODEV, "does not exist"),
            (.write, ENETDOWN, "bluetoothctl power on"), (.powerOn, ERFKILL, "rfkill unblock"),
            (.connect, ECONNREFUSED, "start the program"),
        ] as [(HCIError.Action, CInt, String)]
    )
    func remedies(action: HCIError.Action, code: CInt, remedy: String) {
        #expect(HCIError.system(action, target: "hci0", code: code).description.contains(remedy))
    }

    @Test("a stream without a server is an error that names it")
    func nobodyListens() async throws {
        var batches = HCIScanner(.h4(.unix(path: "/nonexistent/controller"))).batches().makeAsyncIterator()
        let error = await #expect(throws: HCIError.self) { while try await batches.next() != nil {} }
        #expect(error == .system(.connect, target: "unix:/nonexistent/controller", code: ENOENT))
    }

    @Test("a path that is too long for a socket is refused")
    func longPath() async throws {
        let path = "/" + String(repeating: "x", count: 200)
        var batches = HCIScanner(.h4(.unix(path: path))).batches().makeAsyncIterator()
        let error = await #expect(throws: HCIError.self) { while try await batches.next() != nil {} }
        #expect(error == .system(.connect, target: "unix:\(path)", code: ENAMETOOLONG))
    }

    @Test(
        "addresses of streams are parsed",
        arguments: [
            ("unix:/run/hci", .unix(path: "/run/hci")), ("tcp:127.0.0.1:9999", .tcp(host: "127.0.0.1", port: 9999)),
            ("tcp:[::1]:9", .tcp(host: "::1", port: 9)),
            ("tcp:radio.example:65535", .tcp(host: "radio.example", port: 65_535)),
        ] as [(String, H4Address)]
    )
    func addresses(text: String, address: H4Address) throws {
        #expect(try H4Address(text) == address)
        #expect("\(address)" == text)
    }

    @Test(
        "other addresses are refused",
        arguments: [
            "", "unix", "unix:", "tcp:", "tcp:host", "tcp::99", "tcp:host:0", "tcp:host:65536", "serial:/dev/x",
        ]
    )
    func badAddresses(text: String) {
        #expect(throws: HCIError.invalidAddress(text)) { try H4Address(text) }
    }

    @Test(
        "power and reset are offered if the process has the capability",
        arguments: [
            ("CapEff:\t0000000000001000", true), ("CapEff:\t0000000000002000", false),
            ("CapInh:\t000001ffffffffff\nCapEff:\t000001ffffffffff\nCapBnd:\t0", true), ("CapEff:\tx", false),
            ("", false),
        ]
    )
    func capabilities(status: String, administers: Bool) {
        #expect(Capabilities(status: status).administersNetworks == administers)
    }

    @Test("each way of reaching a controller offers its own steps")
    func steps() throws {
        #expect(HCIScanner(.monitor(0)).recoverySteps == [.reopen])
        #expect(HCIScanner(.h4(.unix(path: "/x"))).recoverySteps == [.restartScan, .reset, .reopen])
        #expect(HCIScanner(.h4(try ScriptedController())).recoverySteps == [.restartScan, .reset])
        let device = HCIScanner(.device(0)).recoverySteps
        #expect(device == (Capabilities.current.administersNetworks ? RecoveryStep.allCases : [.restartScan, .reopen]))
    }

    @Test("an unsupported step, and a step without a scan, are refused")
    func refusedSteps() async {
        await #expect(throws: HCIError.unavailableStep("powerCycle", adapter: "unix:/x")) {
            try await HCIScanner(.h4(.unix(path: "/x"))).recover(by: .powerCycle)
        }
        await #expect(throws: HCIError.notScanning(adapter: "unix:/x")) {
            try await HCIScanner(.h4(.unix(path: "/x"))).recover(by: .reopen)
        }
    }
}
