// The few messages that a receiver of Bluetooth advertisements needs of ESPHome’s native API.
//
// Origin: api.proto of ESPHome (https://github.com/esphome/esphome/blob/dev/esphome/components/api/api.proto, MIT
// licence), as aioesphomeapi 46.23.0 has it. The names of messages and fields, their numbers and their types are those
// of the origin, because they are the protocol; messages and fields that are not needed here are left out.

struct APIHelloRequest: ProxyRequest {
    let clientInfo: String
    let apiVersionMajor: UInt32
    let apiVersionMinor: UInt32

    func write(to fields: inout ProtobufWriter) {
        fields.bytes(1, clientInfo.utf8)
        fields.number(2, UInt64(apiVersionMajor))
        fields.number(3, UInt64(apiVersionMinor))
    }
}

struct APIHelloResponse: ProxyResponse {
    private(set) var apiVersionMajor: UInt32 = 0

    mutating func take(_ field: ProtobufField) {
        guard case (1, .number(let value)) = (field.number, field.value) else { return }
        apiVersionMajor = UInt32(truncatingIfNeeded: value)
    }
}

/// Only older firmware knows passwords. The request is sent without fields: no password is ever sent.
struct APIAuthenticationResponse: ProxyResponse {
    private(set) var invalidPassword = false

    mutating func take(_ field: ProtobufField) {
        guard case (1, .number(let value)) = (field.number, field.value) else { return }
        invalidPassword = value != 0
    }
}

struct APIDeviceInfoResponse: ProxyResponse {
    private(set) var legacyBluetoothProxyVersion: UInt32 = 0
    private(set) var bluetoothProxyFeatureFlags: UInt32 = 0

    mutating func take(_ field: ProtobufField) {
        switch (field.number, field.value) {
        case (11, .number(let value)): legacyBluetoothProxyVersion = UInt32(truncatingIfNeeded: value)
        case (15, .number(let value)): bluetoothProxyFeatureFlags = UInt32(truncatingIfNeeded: value)
        default: break
        }
    }
}

struct APISubscribeBluetoothLEAdvertisementsRequest: ProxyRequest {
    let flags: UInt32

    func write(to fields: inout ProtobufWriter) { fields.number(1, UInt64(flags)) }
}

struct APIBluetoothLERawAdvertisement: ProxyResponse {
    private(set) var address: UInt64 = 0
    private(set) var rssi: Int32 = 0
    private(set) var addressType: UInt32 = 0
    /// Where the advertising data are in the bytes that were read.
    private(set) var data = 0..<0

    mutating func take(_ field: ProtobufField) {
        switch (field.number, field.value) {
        case (1, .number(let value)): address = value
        case (2, .number(let value)): rssi = Int32(zigzag: value)
        case (3, .number(let value)): addressType = UInt32(truncatingIfNeeded: value)
        case (4, .bytes(let value)): data = value
        default: break
        }
    }
}

/// A message with reports, which are read one after the other: there may be thousands in a second.
struct APIBluetoothLERawAdvertisementsResponse {
    private var reader: ProtobufReader

    /// - Parameter range: where the message is in the bytes that are given to ``next(in:)``.
    init(_ range: Range<Int>) { reader = ProtobufReader(range) }

    /// The next report; nil after the last.
    mutating func next(in bytes: RawSpan) throws(ProtobufReader.Malformed) -> APIBluetoothLERawAdvertisement? {
        while let field = try reader.next(in: bytes) {
            guard case (1, .bytes(let range)) = (field.number, field.value) else { continue }
            return try APIBluetoothLERawAdvertisement(bytes, range)
        }
        return nil
    }
}

struct APIBluetoothGATTReadRequest: ProxyRequest {
    let address: UInt64
    let handle: UInt32

    func write(to fields: inout ProtobufWriter) {
        fields.number(1, address)
        fields.number(2, UInt64(handle))
    }
}

struct APIBluetoothGATTErrorResponse: ProxyResponse {
    private(set) var address: UInt64 = 0

    mutating func take(_ field: ProtobufField) {
        guard case (1, .number(let value)) = (field.number, field.value) else { return }
        address = value
    }
}

enum APIBluetoothScannerMode: UInt32 {
    case passive, active
}

struct APIBluetoothScannerStateResponse: ProxyResponse {
    enum State: UInt32 {
        case idle, starting, running, failed, stopping, stopped
    }

    /// nil for a state that is not known here.
    private(set) var state: State? = .idle
    private(set) var mode: APIBluetoothScannerMode? = .passive

    mutating func take(_ field: ProtobufField) {
        switch (field.number, field.value) {
        case (1, .number(let value)): state = State(rawValue: UInt32(truncatingIfNeeded: value))
        case (2, .number(let value)): mode = APIBluetoothScannerMode(rawValue: UInt32(truncatingIfNeeded: value))
        default: break
        }
    }
}

struct APIBluetoothScannerSetModeRequest: ProxyRequest {
    let mode: APIBluetoothScannerMode

    func write(to fields: inout ProtobufWriter) { fields.number(1, UInt64(mode.rawValue)) }
}
