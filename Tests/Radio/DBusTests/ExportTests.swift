import DBus
import TestSupport
import Testing

@Suite("Exported D-Bus objects", .serialized)
struct ExportTests {
    private static let interface = DBusInterface(
        "org.example.Bell",
        methods: [
            DBusMethod("Ring", takes: "s", returns: "s") { call in [.string("ding \(call.arguments[0].text ?? "")")] },
            DBusMethod("Break", takes: "s") { _ in
                throw DBusError.remote(name: "org.example.Error.Broken", message: "no clapper")
            },
        ],
        properties: { ["Pitch": .uint16(440), "Patterns": .array(of: "(yyay)", [])] }
    )

    @Test("another library calls the object and gets its replies and errors")
    func calls() async throws {
        let stage = try await Stage()
        let export = try await stage.connection.export(at: "/bells/one", [Self.interface])
        func ring(_ path: String, _ member: String) async throws -> String? {
            let arguments = [path, "org.example.Bell", member, "dong"].map(DBusValue.string)
            return try await stage.connection.call(
                DBusCall(
                    destination: Stage.peerName, path: "/peer", interface: Stage.peerName, member: "CallObject",
                    arguments: arguments), timeout: patience
            ).first?.text
        }
        #expect(try await ring("/bells/one", "Ring") == "ding dong")
        await #expect(throws: DBusError.remote(name: "org.example.Error.Broken", message: "no clapper")) {
            try await ring("/bells/one", "Break")
        }
        await #expect(throws: DBusError.self) { try await ring("/bells/one", "Melt") }
        await #expect(throws: DBusError.self) { try await ring("/bells/two", "Ring") }
        withExtendedLifetime(export) {}
    }

    @Test("busctl introspects the object, reads its properties and calls it")
    func busctl() async throws {
        let stage = try await Stage()
        let name = "org.example.Belfry"
        try await stage.connection.own(name)
        let root = try await stage.connection.export(at: "/bells", managesObjects: true)
        let export = try await stage.connection.export(at: "/bells/one", [Self.interface])
        func busctl(_ arguments: String...) async throws -> String {
            try await stage.bus.run(
                "/usr/bin/busctl", ["--address=\(stage.bus.address)"] + arguments, package: "systemd")
        }
        let introspection = try await busctl("introspect", name, "/bells/one")
        #expect(introspection.contains("Ring"))
        #expect(introspection.contains("440"))
        #expect(try await busctl("tree", "--list", name).contains("/bells/one"))
        #expect(try await busctl("get-property", name, "/bells/one", "org.example.Bell", "Pitch") == "q 440\n")
        #expect(
            try await busctl("call", name, "/bells/one", "org.example.Bell", "Ring", "s", "x") == "s \"ding x\"\n")
        let objects = try await busctl(
            "call", name, "/bells", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        #expect(objects.contains("/bells/one"))
        withExtendedLifetime((root, export)) {}
    }

    @Test("the object manager signals added objects, and removed ones when their handle is released")
    func objectManager() async throws {
        let stage = try await Stage()
        let listener = try await DBusConnection.open(.address(stage.bus.address))
        let sender = try #require(await stage.connection.uniqueName)
        let signals = try await listener.signals(
            matching: DBusMatch(sender: sender, interface: "org.freedesktop.DBus.ObjectManager"))
        let root = try await stage.connection.export(at: "/bells", managesObjects: true)
        var export: DBusExport? = try await stage.connection.export(at: "/bells/one", [Self.interface])
        await #expect(throws: DBusError.self) { try await stage.connection.export(at: "/bells/one") }
        var iterator = signals.makeAsyncIterator()
        let added = try await iterator.next()
        #expect(added?.member == "InterfacesAdded")
        #expect(added?.arguments.first == .objectPath("/bells/one"))
        withExtendedLifetime(export) {}
        export = nil
        let removed = try await iterator.next()
        #expect(removed?.member == "InterfacesRemoved")
        #expect(removed?.arguments.last == .strings(["org.example.Bell"]))
        withExtendedLifetime(root) {}
    }
}
