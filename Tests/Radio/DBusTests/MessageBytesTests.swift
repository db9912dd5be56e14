import CDBus
import TestSupport
import Testing

@testable import DBus

@Suite("D-Bus messages as bytes")
struct MessageBytesTests {
    private static func sample() throws -> [UInt8] {
        let call = DBusCall(
            destination: "org.example.Peer", path: "/a/b", interface: "a.b", member: "C", arguments: CallTests.values)
        let message = try call.message()
        // A message needs a serial number before it can be marshalled.
        dbus_message_set_serial(message.pointer, 7)
        return try message.marshalled()
    }

    @Test("a message is the same after marshalling and parsing")
    func roundTrip() throws {
        let message = try DBusMessage(bytes: Self.sample())
        #expect(message.path == "/a/b")
        #expect(message.member == "C")
        #expect(try message.decodedArguments() == CallTests.values)
    }

    /// Hand-written signals: little-endian, path `/`, interface `a.b`, member `M`, then signature and body.
    static let cases: [(name: String, signature: String, body: [UInt8], values: [DBusValue]?)] = [
        ("a byte", "y", [7], [.byte(7)]),
        ("a boolean", "b", [1, 0, 0, 0], [.boolean(true)]),
        ("a boolean of 2", "b", [2, 0, 0, 0], nil),
        ("a string", "s", [1, 0, 0, 0, 0x78, 0], [.string("x")]),
        ("a string that is too long", "s", [9, 0, 0, 0, 0x78, 0], nil),
        ("a string of 4 GB", "s", [255, 255, 255, 255, 0x78, 0], nil),
        ("a string without its NUL", "s", [1, 0, 0, 0, 0x78, 0x78], nil),
        ("a string that is not UTF-8", "s", [1, 0, 0, 0, 0xFF, 0], nil),
        ("bytes", "ay", [2, 0, 0, 0, 1, 2], [.bytes([1, 2])]),
        ("bytes beyond the end", "ay", [3, 0, 0, 0, 1, 2], nil),
        ("an array of half an element", "aq", [3, 0, 0, 0, 1, 0, 2], nil),
        ("a variant", "v", [1, 0x79, 0, 5], [.variant(.byte(5))]),
        ("a variant of nothing", "v", [0, 0], nil),
        ("a variant of two", "v", [2, 0x79, 0x79, 0, 5, 5], nil),
        ("a variant of an unknown type", "v", [1, 0x21, 0, 5], nil),
        ("70 variants in each other", "v", variants(70), nil),
        ("a path that is none", "o", [1, 0, 0, 0, 0x78, 0], nil),
        ("nothing at all", "", [], []),
        ("more than the signature says", "y", [1, 2], nil),
        ("a file descriptor", "h", [0, 0, 0, 0], nil),
    ]

    private static func variants(_ count: Int) -> [UInt8] {
        [UInt8]((0..<count).map { _ in [1, 0x76, 0] as [UInt8] }.joined()) + [1, 0x79, 0, 5]
    }

    @Test("values are read as the specification says, and invalid ones are refused", arguments: cases.indices)
    func byHand(index: Int) {
        let (name, signature, body, expected) = Self.cases[index]
        let values = try? DBusMessage(bytes: Self.signal(signature, body)).decodedArguments()
        #expect(values == expected, "\(name)")
    }

    private static func signal(_ signature: String, _ body: [UInt8]) -> [UInt8] {
        var fields: [UInt8] = []
        func field(_ code: UInt8, _ type: String, _ text: String) {
            while fields.count % 8 != 0 { fields.append(0) }
            fields += [code, 1] + Array(type.utf8) + [0]
            fields += type == "g" ? [UInt8(text.utf8.count)] : [UInt8(text.utf8.count), 0, 0, 0]
            fields += Array(text.utf8) + [0]
        }
        field(1, "o", "/")
        field(2, "s", "a.b")
        field(3, "s", "M")
        if !signature.isEmpty { field(8, "g", signature) }
        let fixed: [UInt8] = [UInt8(ascii: "l"), 4, 0, 1, UInt8(body.count), 0, 0, 0, 1, 0, 0, 0]
        var message = fixed + [UInt8(fields.count), 0, 0, 0] + fields
        while message.count % 8 != 0 { message.append(0) }
        return message + body
    }

    @Test("a message truncated anywhere is refused")
    func truncation() throws {
        let signal = Self.signal("sa{qv}", [1, 0, 0, 0, 0x78, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(throws: Never.self) { try DBusMessage(bytes: signal) }
        for length in signal.indices {
            #expect(throws: DBusError.self) { try DBusMessage(bytes: Array(signal.prefix(length))) }
        }
    }

    @Test("random damage is refused or read without harm", arguments: 0..<8)
    func mutations(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let call = DBusCall(
            destination: "a.b", path: "/a", interface: "a.b", member: "C",
            arguments: CallTests.values.filter { $0.signature != "ay" })
        let message = try call.message()
        dbus_message_set_serial(message.pointer, 7)
        let original = try message.marshalled()
        for _ in 0..<4000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            guard let damaged = try? DBusMessage(bytes: bytes) else { continue }
            _ = try? damaged.decodedArguments()
            damaged.arguments.forEachEntry { key, value in _ = key.isText("RSSI") ? value.int16 : nil }
            damaged.arguments.forEachElement { _ = $0.text }
        }
    }
}
