import DBus
import TestSupport
import Testing

@Suite("D-Bus calls", .serialized)
struct CallTests {
    static let values: [DBusValue] = [
        .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
        .int64(.min), .uint64(.max), .double(-0.1), .double(.infinity),
        .string(""), .string("Fahrräder 🚲"), .objectPath("/"), .objectPath("/org/bluez/hci0"),
        .signature(""), .signature("a{sv}"),
        .bytes([]), .bytes([0, 1, 255]), .bytes([UInt8](repeating: 7, count: 100_000)),
        .array(of: "s", []), .strings(["a", "b"]), .array(of: "q", [.uint16(1), .uint16(2)]),
        .array(of: "ay", [.bytes([1]), .bytes([])]),
        .array(of: "(yyay)", [.structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0, 2, 0x15])])]),
        .dictionary(key: "s", value: "v", []),
        .dictionary(key: "q", value: "v", [.init(.uint16(76), .variant(.bytes([2, 0x15])))]),
        .properties(["Transport": .string("le"), "RSSI": .int16(-127), "DuplicateData": .boolean(true)]),
        .structure([.string("x"), .structure([.byte(1)])]),
        .variant(.variant(.variant(.strings(["deep"])))),
        .dictionary(
            key: "o", value: "a{sa{sv}}",
            [
                .init(
                    .objectPath("/a"),
                    .dictionary(key: "s", value: "a{sv}", [.init(.string("i"), .properties(["p": .uint32(1)]))]))
            ]),
    ]

    @Test("every type is returned unchanged by another library")
    func roundTrip() async throws {
        let stage = try await Stage()
        for value in Self.values {
            let answer = try await stage.connection.call(Stage.call("Echo", value), timeout: patience)
            #expect(answer == [value])
        }
        let all = try await stage.connection.call(
            DBusCall(
                destination: Stage.peerName, path: "/peer", interface: Stage.peerName, member: "Echo",
                arguments: Self.values), timeout: patience)
        #expect(all == Self.values)
    }

    @Test("a thousand concurrent calls each get their own reply")
    func concurrency() async throws {
        let stage = try await Stage()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let answer = try await stage.connection.call(
                        Stage.call("Echo", .uint32(UInt32(number))), timeout: patience)
                    return answer.first?.integer == number ? 1 : 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 1000)
    }

    @Test("an error from the peer arrives with its name and message")
    func remoteError() async throws {
        let stage = try await Stage()
        let expected = DBusError.remote(name: "org.example.Error.Kettle", message: "the kettle is on")
        await #expect(throws: expected) { try await stage.connection.call(Stage.call("Fail"), timeout: patience) }
    }

    @Test("a missing program is an error at once, without a long wait")
    func unknownService() async throws {
        let stage = try await Stage()
        let error = await #expect(throws: DBusError.self) {
            try await stage.connection.call(
                DBusCall(destination: "org.example.Nobody", path: "/", interface: "a.b", member: "C"), timeout: patience
            )
        }
        #expect(error?.name == DBusErrorName.serviceUnknown)
    }

    @Test(
        "a peer that never replies costs no more than the deadline, and other calls get their replies in the meantime")
    func deadline() async throws {
        let stage = try await Stage()
        let silent = [200, 400].map { limit in
            Task { try await stage.connection.call(Stage.call("Never"), timeout: .milliseconds(limit)) }
        }
        let answer = try await stage.connection.call(Stage.call("Echo", .byte(1)), timeout: patience)
        #expect(answer == [.byte(1)])
        await #expect(throws: DBusError.timedOut(member: "Never", after: .milliseconds(200))) {
            try await silent[0].value
        }
        await #expect(throws: DBusError.timedOut(member: "Never", after: .milliseconds(400))) {
            try await silent[1].value
        }
    }

    @Test("a cancelled call ends at once")
    func cancellation() async throws {
        let stage = try await Stage()
        let task = Task { try await stage.connection.call(Stage.call("Never"), timeout: patience) }
        // The peer has received the call once it replies to the next one.
        try await stage.connection.call(Stage.call("Echo"), timeout: patience)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    static let refused: [DBusValue] = [
        DBusValue.string("a\0b"), .objectPath("no slash"), .objectPath("/a/"), .signature("a{vs}"),
        .structure([]), .array(of: "", []), .array(of: "s", [.byte(1)]), .array(of: "ss", []),
        .dictionary(key: "v", value: "s", []), .dictionary(key: "s", value: "s", [.init(.byte(1), .string(""))]),
        (0..<40).reduce(.byte(1)) { value, _ in .variant(value) },
        .bytes([UInt8](repeating: 0, count: 40 << 20)),
    ]

    @Test(
        "values that D-Bus cannot carry are refused with a reason, and nothing is sent",
        arguments: refused.indices)
    func notSendable(index: Int) async throws {
        let value = Self.refused[index]
        let bus = try PrivateBus()
        let connection = try await DBusConnection.open(.address(bus.address))
        let error = await #expect(throws: DBusError.self) {
            try await connection.call(Stage.call("Echo", value), timeout: patience)
        }
        guard case .notSendable = error else {
            Issue.record("expected a refusal, got \(String(describing: error))")
            return
        }
        #expect(await !connection.isClosed)
    }

    @Test(
        "an invalid D-Bus name is refused",
        arguments: [
            DBusCall(destination: "no dots", path: "/", interface: "a.b", member: "C"),
            DBusCall(destination: "a.b", path: "", interface: "a.b", member: "C"),
            DBusCall(destination: "a.b", path: "/", interface: "a", member: "C"),
            DBusCall(destination: "a.b", path: "/", interface: "a.b", member: "C.D"),
            DBusCall(destination: "a.b\0", path: "/", interface: "a.b", member: "C"),
        ])
    func badNames(call: DBusCall) async throws {
        let bus = try PrivateBus()
        let connection = try await DBusConnection.open(.address(bus.address))
        await #expect(throws: DBusError.self) { try await connection.post(call) }
        await #expect(throws: DBusError.self) { try await connection.call(call) }
    }
}
