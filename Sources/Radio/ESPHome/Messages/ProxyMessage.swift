import Foundation

/// The types of messages on the wire that are used here.
enum ProxyMessageType: UInt16 {
    case helloRequest = 1
    case helloResponse = 2
    case authenticationRequest = 3
    case authenticationResponse = 4
    case disconnectRequest = 5
    case pingRequest = 7
    case pingResponse = 8
    case deviceInfoRequest = 9
    case deviceInfoResponse = 10
    case subscribeAdvertisementsRequest = 66
    case gattReadRequest = 73
    case gattErrorResponse = 82
    case rawAdvertisementsResponse = 93
    case scannerStateResponse = 126
    case scannerSetModeRequest = 127
}

/// The fields of a message to a proxy.
protocol ProxyRequest {
    func write(to fields: inout ProtobufWriter)
}

/// The fields of a message from a proxy; a field that was not received has its initial value.
protocol ProxyResponse {
    init()
    /// Takes the value of a field, and ignores a field that is not known, which newer firmware may send.
    mutating func take(_ field: ProtobufField)
}

extension ProxyResponse {
    /// - Parameter range: where the message is in the bytes.
    init(_ bytes: RawSpan, _ range: Range<Int>) throws(ProtobufReader.Malformed) {
        self.init()
        var reader = ProtobufReader(range)
        while let field = try reader.next(in: bytes) { take(field) }
    }
}

extension ProxyFrame {
    /// A message without fields.
    init(_ type: ProxyMessageType) {
        self.init(type: type.rawValue, payload: Data())
    }

    init(_ type: ProxyMessageType, _ message: some ProxyRequest) {
        var fields = ProtobufWriter()
        message.write(to: &fields)
        self.init(type: type.rawValue, payload: fields.message)
    }

    /// The payload as a message.
    func decoded<Message: ProxyResponse>(_ type: Message.Type) throws(ProxyError) -> Message {
        do throws(ProtobufReader.Malformed) {
            return try Message(payload.bytes, 0..<payload.count)
        } catch {
            throw .malformed
        }
    }
}

/// The abilities of a proxy, as bits of `bluetooth_proxy_feature_flags`.
struct ProxyFeatures: OptionSet {
    let rawValue: UInt32

    /// Forwards advertisements as bytes.
    static let rawAdvertisements = ProxyFeatures(rawValue: 1 << 5)
    /// Reports the state of its scanner, and can change between passive and active scanning.
    static let stateAndMode = ProxyFeatures(rawValue: 1 << 6)
}
