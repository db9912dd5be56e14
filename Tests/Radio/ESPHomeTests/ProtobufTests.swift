import Foundation
import TestSupport
import Testing

@testable import ESPHome

/// A proxy is read as protobuf defines it, and may send anything: a message that breaks the format is refused as a whole.
@Suite struct ProtobufTests {
    /// A field’s number and value, with the bytes themselves.
    enum Field: Equatable {
        case number(UInt64, UInt64)
        case bytes(UInt64, [UInt8])
        case fixed(UInt64)
    }

    private static func fields(_ message: [UInt8]) throws(ProtobufReader.Malformed) -> [Field] {
        // It is read wherever it is in the bytes.
        let all = [9, 9, 9] + message + [9]
        var reader = ProtobufReader(3..<3 + message.count)
        var fields: [Field] = []
        while let field = try reader.next(in: all.span.bytes) {
            switch field.value {
            case .number(let value): fields.append(.number(field.number, value))
            case .bytes(let range): fields.append(.bytes(field.number, Array(all[range])))
            case .fixed: fields.append(.fixed(field.number))
            }
        }
        return fields
    }

    @Test(
        "fields are read, whatever their type",
        arguments: [
            ("", []), ("0800", [.number(1, 0)]), ("0801 1002", [.number(1, 1), .number(2, 2)]),
            ("0802 0801", [.number(1, 2), .number(1, 1)]), ("08ac02", [.number(1, 300)]),
            // As long as a varint may be, and longer than it needs to be.
            ("08ffffffffffffffffff01", [.number(1, .max)]), ("0880808080808080808001", [.number(1, 1 << 63)]),
            ("0881808080808080808000", [.number(1, 1)]), ("888000 05", [.number(1, 5)]),
            ("0a00", [.bytes(1, [])]), ("0a03010203 1800", [.bytes(1, [1, 2, 3]), .number(3, 0)]),
            ("0a820001ff", [.bytes(1, [1, 0xFF])]),
            ("090102030405060708 0d01020304 0807", [.fixed(1), .fixed(1), .number(1, 7)]),
            // The largest number of a field.
            ("f8ffffff0f 01", [.number(536_870_911, 1)]), ("faffffff0f 0101", [.bytes(536_870_911, [1])]),
        ] as [(String, [Field])])
    func fields(digits: String, expected: [Field]) throws {
        #expect(try Self.fields(try #require(bytes(hex: digits))) == expected)
    }

    @Test(
        "what breaks the format is refused",
        arguments: [
            // Cut off: in a tag, a number, a length, bytes and numbers of fixed width.
            "88", "08", "0880", "0a", "0a80", "0a01", "0a0301 02", "0d010203", "0901020304050607", "0801 0a05 08",
            // More than ten bytes, and more than 64 bits.
            "08ffffffffffffffffffff01", "0880808080808080808080", "08ffffffffffffffffff02", "08ffffffffffffffffff7f",
            // Lengths far beyond the end.
            "0affffffff0f", "0affffffffffffffffff01", "0affffffffffffffff7f", "0a8080808010",
            // A field’s number of zero, or of more than 29 bits.
            "00", "0001", "0200", "8000 01", "8080808010 01", "feffffff7f 01", "ffffffffffffffffff01 01",
            // Groups, and types that do not exist.
            "0b 0c", "0b", "0c", "13 0801 14", "0e01", "0f01",
        ])
    func malformed(digits: String) throws {
        let message = try #require(bytes(hex: digits))
        #expect(throws: ProtobufReader.Malformed.self) { try Self.fields(message) }
        #expect(throws: ProxyError.malformed) {
            try ProxyFrame(type: 2, payload: Data(message)).decoded(APIHelloResponse.self)
        }
    }

    @Test(
        "sint32 has its sign in the lowest bit",
        arguments: [
            (0, 0), (1, -1), (2, 1), (113, -57), (0xFFFF_FFFE, .max), (0xFFFF_FFFF, .min), (.max, .min), (1 << 32, 0),
        ] as [(UInt64, Int32)])
    func zigzag(encoded: UInt64, value: Int32) { #expect(Int32(zigzag: encoded) == value) }

    @Test("what is written is read again", arguments: [0, 1, 127, 128, 300, 1 << 28, 1 << 29 - 1, .max] as [UInt64])
    func roundTrip(value: UInt64) throws {
        let field = max(1, value % (1 << 29))
        var writer = ProtobufWriter()
        writer.number(field, value)
        writer.bytes(field, Data(count: Int(value % 1000)))
        let number = value == 0 ? [] : [Field.number(field, value)]
        let bytes = Field.bytes(field, Array(repeating: 0, count: Int(value % 1000)))
        #expect(try Self.fields(Array(writer.message)) == number + [bytes])
    }
}

/// The bytes are those that aioesphomeapi 46.23.0 writes for the same messages.
@Suite struct ProxyMessageTests {
    private func decoded<Message: ProxyResponse>(_ digits: String, _ type: Message.Type) throws -> Message {
        try ProxyFrame(type: 0, payload: Data(try #require(bytes(hex: digits)))).decoded(type)
    }

    @Test("requests are written as aioesphomeapi writes them")
    func requests() throws {
        let hello = APIHelloRequest(clientInfo: "findmybike 1", apiVersionMajor: 1, apiVersionMinor: 10)
        let frames = [
            ProxyFrame(.helloRequest, hello),
            ProxyFrame(.subscribeAdvertisementsRequest, APISubscribeBluetoothLEAdvertisementsRequest(flags: 1)),
            ProxyFrame(.scannerSetModeRequest, APIBluetoothScannerSetModeRequest(mode: .active)),
            ProxyFrame(.scannerSetModeRequest, APIBluetoothScannerSetModeRequest(mode: .passive)),
        ]
        let expected = ["0a0c66696e646d7962696b6520311001180a", "0801", "0801", ""].map { bytes(hex: $0) }
        #expect(frames.map { Array($0.payload) } == expected)
        #expect(frames.map(\.type) == [1, 66, 127, 127])
    }

    @Test("responses are read; other fields are skipped, and absent ones have their initial value")
    func responses() throws {
        #expect(try decoded("0801100c1a0474657374220a636166652d70726f7879", APIHelloResponse.self).apiVersionMajor == 1)
        #expect(try decoded("", APIHelloResponse.self).apiVersionMajor == 0)
        #expect(try decoded("0801", APIAuthenticationResponse.self).invalidPassword)
        #expect(try !decoded("", APIAuthenticationResponse.self).invalidPassword)
        let device = try decoded(
            "120a636166652d70726f78791a1141413a42423a43433a44443a45453a46462209323032362e31302e3032056573703332"
                + "5805786192011141413a42423a43433a44443a45453a4645", APIDeviceInfoResponse.self)
        #expect(device.legacyBluetoothProxyVersion == 5)
        #expect(device.bluetoothProxyFeatureFlags == 0x61)
        for (digits, state, mode) in [
            ("08021001", .running, .active), ("0803", .failed, .passive), ("", .idle, .passive), ("08631063", nil, nil),
        ] as [(String, APIBluetoothScannerStateResponse.State?, APIBluetoothScannerMode?)] {
            let scanner = try decoded(digits, APIBluetoothScannerStateResponse.self)
            #expect(scanner.state == state)
            #expect(scanner.mode == mode)
        }
    }

    /// Reads the reports of a message.
    private func reports(_ digits: String) throws -> [Forwarded] {
        let message = try #require(bytes(hex: digits))
        var reader = APIBluetoothLERawAdvertisementsResponse(0..<message.count)
        var reports: [Forwarded] = []
        while let report = try reader.next(in: message.span.bytes) {
            reports.append(
                Forwarded(
                    address: report.address, kind: UInt8(report.addressType), rssi: Int(report.rssi),
                    data: Array(message[report.data])))
        }
        return reports
    }

    @Test("every report of a message is read")
    func reports() throws {
        let reports = try reports("0a1308ffddf7e6bcd72a1071180122050201061aff1a0109 0a020801")
        #expect(
            reports == [
                Forwarded(address: 0xAABB_CCDD_EEFF, kind: 1, rssi: -57, data: [2, 1, 6, 0x1A, 0xFF]),
                Forwarded(address: 1, kind: 0, rssi: 0, data: []),
            ])
    }

    @Test(
        "a field of another type than expected is skipped; a value that is too long loses its upper bits",
        arguments: [("0a0108", 0), ("0d01000000", 0), ("08ffffffffffffffffff01", .max), ("0880808080f0ffffffff01", 0)]
            as [(String, UInt32)])
    func otherTypes(digits: String, major: UInt32) throws {
        #expect(try decoded(digits, APIHelloResponse.self).apiVersionMajor == major)
    }

    @Test("a report that breaks the format makes its whole message malformed")
    func nested() throws {
        for digits in ["0a0108", "0a0220 ff", "0a0208010a020a05", "0a020b0c"] {
            #expect(throws: ProtobufReader.Malformed.self) { try reports(digits) }
        }
    }
}
