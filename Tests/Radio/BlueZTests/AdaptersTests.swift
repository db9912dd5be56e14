import BlueZ
import DBus
import TestSupport
import Testing

@Suite("BlueZ's adapters", .serialized, .timeLimit(.minutes(20)))
struct AdaptersTests {
    @Test("all adapters or the named ones are found, in order of their numbers")
    func list() async throws {
        let stage = try await Stage("hci10", "hci2", "hci0")
        let bus = stage.bluezBus()
        #expect(try await BlueZAdapters(bus: bus).list().map(\.name) == ["hci0", "hci2", "hci10"])
        #expect(try await BlueZAdapters(bus: bus, named: ["hci2", "hci7"]).list().map(\.name) == ["hci2"])
    }

    @Test("adapters are added and removed, even when bluetoothd restarts")
    func changes() async throws {
        let stage = try await Stage("hci0")
        var changes = BlueZAdapters(bus: stage.bluezBus()).changes().makeAsyncIterator()
        #expect(await changes.next()?.map(\.name) == ["hci0"])
        try await stage.tell("AddAdapter", .string("hci1"))
        #expect(await changes.next()?.map(\.name) == ["hci0", "hci1"])
        try await stage.tell("SetPowered", .string("hci1"), .boolean(true))
        #expect(await changes.next()?.map(\.isPowered) == [false, true])
        try await stage.tell("RemoveAdapter", .string("hci0"))
        #expect(await changes.next()?.map(\.name) == ["hci1"])
        try await stage.tell("Leave")
        #expect(await changes.next() == [])
        try await stage.tell("Return")
        #expect(await changes.next()?.map(\.name) == ["hci1"])
        stage.bus.kill()
        #expect(await changes.next() == [])
    }
}
