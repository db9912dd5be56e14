import Foundation
import SwiftProtobuf

/// The types of messages on the wire that are used here.
enum ProxyMessageType: UInt16 {
    case helloRequest = 1
    case helloResponse = 2
    case authenticationRequest = 3
    case authenticationResponse = 4
    case disconnectRequest = 5
    case disconnectResponse = 6
    case pingRequest = 7
    case pingResponse = 8
    case deviceInfoRequest = 9
    case deviceInfoResponse = 10
    case subscribeAdvertisementsRequest = 66
    case rawAdvertisementsResponse = 93
    case scannerStateResponse = 126
    case scannerSetModeRequest = 127
}

extension ProxyFrame {
    /// A message without fields.
    init(_ type: ProxyMessageType) {
        self.init(type: type.rawValue, payload: Data())
    }

    init(_ type: ProxyMessageType, _ message: some SwiftProtobuf.Message) throws(ProxyError) {
        do {
            self.init(type: type.rawValue, payload: try message.serializedData())
        } catch {
            throw .malformed
        }
    }

    /// The payload as a message. Unknown fields, which newer firmware may send, are not kept.
    func decoded<Message: SwiftProtobuf.Message>(_ type: Message.Type) throws(ProxyError) -> Message {
        var options = BinaryDecodingOptions()
        options.discardUnknownFields = true
        // No message that is used here contains more than one level of others.
        options.messageDepthLimit = 4
        do {
            return try Message(serializedBytes: payload, options: options)
        } catch {
            throw .malformed
        }
    }
}

/// The abilities of a proxy, as bits of `bluetooth_proxy_feature_flags`.
struct ProxyFeatures: OptionSet {
    let rawValue: UInt32

    static let passiveScan = ProxyFeatures(rawValue: 1 << 0)
    /// Forwards advertisements as bytes.
    static let rawAdvertisements = ProxyFeatures(rawValue: 1 << 5)
    /// Reports the state of its scanner, and can change between passive and active scanning.
    static let stateAndMode = ProxyFeatures(rawValue: 1 << 6)
}
