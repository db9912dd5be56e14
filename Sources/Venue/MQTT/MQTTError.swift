import CMosquitto
import Glibc

/// The reason why a message did not reach the broker.
public enum MQTTError: Error, Hashable, CustomStringConvertible {
    /// A call of libmosquitto failed.
    ///
    /// - Parameter code: a `mosq_err_t`.
    case failed(code: Int32, message: String)
    /// The broker refused the connection.
    ///
    /// - Parameter code: the return code in the CONNACK packet (MQTT 3.1.1, section 3.2.2.3; MQTT 5, section 3.2.2.2).
    case refused(code: Int32, message: String)
    /// The broker did not accept the connection in time.
    case noAnswer
    /// There is no connection.
    case notConnected
    /// The broker refused the subscription to this topic.
    case subscriptionRefused(topic: String)
    /// The broker accepted the connection, but did not acknowledge a message or a subscription in time.
    case notAcknowledged
    /// The broker has read none of the sent data for too long.
    case blocked
    /// More messages arrive than their honest sender, a gateway or staff, could send.
    case flooding
    /// More bytes have arrived than the library delivered as messages: a message that is longer than any valid one, or
    /// messages with a quality of service that was not requested.
    case undelivered

    /// The error for a code that a call of libmosquitto returned. For `MOSQ_ERR_ERRNO` the call's `errno` must be
    /// unchanged.
    init(code: Int32) {
        let text: UnsafePointer<CChar>?
        if code == MOSQ_ERR_ERRNO.rawValue {
            text = UnsafePointer(strerror(errno))
        } else {
            text = mosquitto_strerror(code)
        }
        self = .failed(code: code, message: Self.text(text, code))
    }

    /// The error for a return code in a CONNACK packet.
    init(connack code: Int32) {
        // MQTT 5's reason codes for failures begin at 128.
        let text = code < 128 ? mosquitto_connack_string(code) : mosquitto_reason_string(code)
        self = .refused(code: code, message: Self.text(text, code))
    }

    /// Whether the cause of a failed connection may be that the broker does not speak MQTT 5: it says so, by either
    /// version's code, or breaks off the connection, or replies in another format.
    var mayMeanOlderBroker: Bool {
        switch self {
        case .refused(let code, _):
            code == Int32(CONNACK_REFUSED_PROTOCOL_VERSION.rawValue)
                || code == Int32(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue)
        case .failed(let code, _): code == MOSQ_ERR_CONN_LOST.rawValue || code == MOSQ_ERR_PROTOCOL.rawValue
        default: false
        }
    }

    private static func text(_ message: UnsafePointer<CChar>?, _ code: Int32) -> String {
        message.map { String(cString: $0) } ?? "error \(code)"
    }

    public var description: String {
        switch self {
        case .failed(_, let message): message
        case .refused(_, let message): "the broker refuses the connection: \(message)"
        case .noAnswer: "the broker does not answer"
        case .notConnected: "the station is not connected to the broker"
        case .subscriptionRefused(let topic): "the broker refuses a subscription to \(topic)"
        case .notAcknowledged: "the broker accepts the connection, but acknowledges nothing: look into its log"
        case .blocked: "the broker accepts nothing that the station sends: check its log"
        case .flooding: "more arrives than a gateway can hear: let only the gateway publish to its topic"
        case .undelivered:
            "the broker sends a message of more than a megabyte, or messages with QoS 2 without a subscription for them: "
                + "limit the size of messages in the broker’s settings"
        }
    }
}
