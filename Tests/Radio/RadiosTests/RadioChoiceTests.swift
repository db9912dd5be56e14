import Foundation
import Radios
import Scanning
import TestSupport
import Testing

@Suite("Choice of radios")
struct RadioChoiceTests {
    @Test("all of the kernel's adapters are used, in order of their numbers, without connections")
    func all() async throws {
        let folder = try TemporaryFolder()
        for name in ["hci10", "hci2", "hci0", "hci0:42", "other"] { _ = try folder.write("", to: name) }
        for backend in [RadioBackend.hci, .monitorChannel] {
            let radios = try await RadioChoice(backend, files: folder.path).scanners()
            #expect(radios.map(\.adapter) == ["hci0", "hci2", "hci10"])
        }
    }

    @Test("named adapters are used, whether they are present or not", arguments: RadioBackend.allCases)
    func named(backend: RadioBackend) async throws {
        let radios = try await RadioChoice(backend, adapters: ["hci3"], files: "/nowhere").scanners()
        #expect(radios.map(\.adapter) == ["hci3"])
    }

    @Test("a machine without an adapter, and an invalid name, are reported as errors")
    func none() async throws {
        await #expect(throws: RadioChoiceError.noAdapter) {
            try await RadioChoice(.hci, files: "/nowhere").scanners()
        }
        await #expect(throws: RadioChoiceError.notAnAdapter("wlan0")) {
            try await RadioChoice(.hci, adapters: ["wlan0"]).scanners()
        }
    }

    @Test(
        "one of the kernel's adapters that is plugged in later joins once, and is reported",
        arguments: [RadioBackend.hci, .monitorChannel])
    func arrival(backend: RadioBackend) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("", to: "hci0")
        let clock = SteppedClock()
        let (radios, arrivals) = try await RadioChoice(backend, files: folder.path).radios(clock: clock)
        let (joined, told) = AsyncStream.makeStream(of: String.self)
        let following = Task { await arrivals?.run { told.yield($0) } }
        await clock.sleepers()
        for name in ["hci1", "hci1:42", "hci12"] { _ = try folder.write("", to: name) }
        for _ in 0..<3 {
            clock.advance(by: .seconds(5))
            await clock.sleepers()
        }
        following.cancel()
        await following.value
        told.finish()
        #expect(await joined.reduce(into: []) { $0.append($1) } == ["hci1", "hci12"])
        #expect(radios.radios.map(\.adapter) == ["hci0", "hci1", "hci12"])
    }

    @Test("receivers in the network come after the adapters, and adapters still join")
    func others() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("", to: "hci0")
        let other = try await RadioChoice(.hci, adapters: ["hci7"]).scanners()
        let choice = RadioChoice(.hci, files: folder.path)
        #expect(try await choice.radios(and: other).radios.radios.map(\.adapter) == ["hci0", "hci7"])
        #expect(try await choice.radios(and: other).arrivals != nil)
    }

    @Test("if adapters are named, no other joins", arguments: RadioBackend.allCases)
    func closed(backend: RadioBackend) async throws {
        let (radios, arrivals) = try await RadioChoice(backend, adapters: ["hci3"], files: "/nowhere").radios()
        #expect(arrivals == nil)
        #expect(!radios.isOpen)
    }
}
