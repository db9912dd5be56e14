import Beacons
import Scanning
import TestSupport
import Testing

@testable import ESPHome

/// Compatibility with messages and a client that were not written here: aioesphomeapi and bleak-esphome.
@Suite(.timeLimit(.minutes(10))) struct ListeningTests {
    @Test(
        "everything that a proxy forwards is heard, and it is asked for passive scanning",
        arguments: [nil, ProxyPeer.key])
    func heard(key: String?) async throws {
        #expect(ProxyPeer.real.count > 30)
        // It stands still, so that no limit passes on a busy machine.
        let clock = SteppedClock()
        // The peer sends nothing before it has been asked for passive scanning.
        let scanner = try ProxyPeer(key: key).retained { try $0.scanner(key: key, clock: clock) }
        let heard = try await scanner.value.hear(ProxyPeer.real.count)
        #expect(heard == ProxyPeer.real)
        let health = scanner.value.radioHealth
        #expect(health.adapter == "bar")
        #expect(health.reports == ProxyPeer.real.count)
        #expect(health.malformed == 0)
        #expect(health.dropped == 0)
        #expect(health.isPresent)
        #expect(health.lastError == nil)
        #expect(health.lastReport == clock.now)
        await scanner.value.stop()
        #expect(scanner.value.radioHealth.state == .idle)
    }

    @Test("bleak-esphome hears the same from the same proxy", arguments: [nil, ProxyPeer.key])
    func others(key: String?) async throws {
        let peer = try ProxyPeer(key: key, most: 2)
        let scanner = try peer.scanner(key: key)
        let heard = try await scanner.hear(ProxyPeer.real.count)
        let others = try await peer.heardByOthers(ProxyPeer.real.count, key: key)
        #expect(heard == others.heard)
        // Both recognise the same iBeacons: 76 is Apple.
        let beacons = Set(heard.filter { IBeacon(advertisingData: $0.data.span.bytes) != nil }.map(\.address))
        let theirs = others.devices.filter { $0.value["76"]?.hasPrefix("0215") == true }.keys
        #expect(!beacons.isEmpty)
        #expect(Set(beacons.map { BluetoothAddress($0).description }) == Set(theirs))
        await scanner.stop()
    }

    @Test("a proxy is free for the next subscriber once the scanner has stopped")
    func free() async throws {
        let peer = try ProxyPeer()
        for _ in 0..<2 {
            let scanner = try peer.scanner()
            #expect(try await scanner.hear(1).isEmpty == false)
            await scanner.stop()
        }
    }

    @Test("a reopened connection continues the same sequence")
    func reopened() async throws {
        let peer = try ProxyPeer([ProxyPeer.real[0]])
        let scanner = try peer.scanner()
        var count = 0
        for try await batch in scanner.batches() where !batch.advertisements.isEmpty {
            count += 1
            guard count == 1 else { break }
            try await scanner.recover(by: .reopen)
        }
        #expect(scanner.radioHealth.recoveries == [.reopen: 1])
        #expect(scanner.recoverySteps.isEmpty)
        #expect(try peer.scanner(takesBack: true).recoverySteps == [.reopen])
        await #expect(throws: ProxyError.unavailableStep("reset")) { try await scanner.recover(by: .reset) }
        await scanner.stop()
    }

    @Test("a proxy that serves its newest subscriber is left to the other program", arguments: [nil, ProxyPeer.key])
    func taken(key: String?) async throws {
        let peer = try ProxyPeer(key: key, ["--newest"])
        let scanner = try peer.scanner(key: key)
        var others: Task<ProxyPeer.OtherListener, any Error>?
        for try await _ in scanner.batches() {
            if scanner.radioHealth.state == .scanning, others == nil {
                others = Task { try await peer.heardByOthers(ProxyPeer.real.count, key: key) }
            }
            guard scanner.radioHealth.lastError == ProxyError.taken.description else { continue }
            // Whoever leaves the sequence ends listening.
            #expect(scanner.radioHealth.state == .failed)
            break
        }
        // The other program hears everything, and goes on hearing.
        #expect(try await others?.value.heard == ProxyPeer.real)
        await scanner.stop()
    }

    @Test("with takeBack, the proxy is taken back from the other program")
    func takenBack() async throws {
        let peer = try ProxyPeer([ProxyPeer.real[0]], ["--newest"])
        let (first, second) = (try peer.scanner(takesBack: true), try peer.scanner())
        var reading: Task<Void, any Error>?
        var heard = 0
        for try await batch in first.batches() {
            heard += batch.advertisements.count
            if heard > 0, reading == nil { reading = Task { for try await _ in second.batches() {} } }
            // Until then the first goes on: once it has ended, nobody takes the proxy from the second.
            if heard > 1, second.radioHealth.lastError == ProxyError.taken.description { break }
        }
        #expect(first.radioHealth.lastError == ProxyError.taken.description)
        for scanner in [first, second] { await scanner.stop() }
        _ = await reading?.result
    }

    @Test("two readers of one scanner do not compete for the proxy")
    func successor() async throws {
        let peer = try ProxyPeer()
        let scanner = try peer.scanner()
        #expect(try await scanner.hear(1).isEmpty == false)
        #expect(try await scanner.hear(1).isEmpty == false)
        await scanner.stop()
    }

    @Test("reports that no radio can have received are counted and not passed on")
    func outOfRange() async throws {
        let good = ProxyPeer.real[0]
        let wild = [
            Forwarded(address: 1 << 48, kind: 0, rssi: -50, data: [2, 1, 6]),
            Forwarded(address: 1, kind: 4, rssi: -50, data: [2, 1, 6]),
            Forwarded(address: 1, kind: 1, rssi: -50, data: Array(repeating: 0, count: 1651)),
            Forwarded(address: 2, kind: 1, rssi: 100_000, data: [2, 1, 6]), good,
        ]
        let scanner = try ProxyPeer(wild).retained { try $0.scanner() }
        let heard = try await scanner.value.hear(2)
        // A strength that cannot be is not known.
        #expect(heard == [Forwarded(address: 2, kind: 1, rssi: 127, data: [2, 1, 6]), good])
        #expect(scanner.value.radioHealth.malformed == 3)
        await scanner.value.stop()
    }
}

/// A value with something that must live as long.
struct Retained<Value> {
    let value: Value
    let owner: ProxyPeer
}

extension ProxyPeer {
    func retained<Value>(_ make: (ProxyPeer) throws -> Value) rethrows -> Retained<Value> {
        Retained(value: try make(self), owner: self)
    }
}
