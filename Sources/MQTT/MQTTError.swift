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
    /// - Parameter code: the return code in the CONNACK packet (MQTT 3.1.1, section 3.2.2.3).
    case refused(code: Int32, message: String)
    /// The broker refused the subscription to this topic.
    case subscriptionRefused(topic: String)
    /// There was no reply in time.
    case noAnswer
    /// There is no connection.
    case notConnected
    /// More messages arrive than a gateway can send.
    case flooding

    /// The error for a returned code. For `MOSQ_ERR_ERRNO` the call's `errno` must be unchanged.
    init(code: Int32) {
        let text: UnsafePointer<CChar>?
        if code == MOSQ_ERR_ERRNO.rawValue {
            text = UnsafePointer(strerror(errno))
        } else {
            text = mosquitto_strerror(code)
        }
        self = .failed(code: code, message: Self.text(text, code))
    }

    init(connack code: Int32) {
        self = .refused(code: code, message: Self.text(mosquitto_connack_string(code), code))
    }

    private static func text(_ text: UnsafePointer<CChar>?, _ code: Int32) -> String {
        text.map { String(cString: $0) } ?? "error \(code)"
    }

    public var description: String {
        switch self {
        case .failed(_, let message): message
        case .flooding: "more arrives than a gateway can hear: let only the gateway publish to its topic"
        case .refused(_, let message): "the broker refuses the connection: \(message)"
        case .subscriptionRefused(let topic): "the broker refuses a subscription to \(topic)"
        case .noAnswer: "the broker does not answer"
        case .notConnected: "the station is not connected to the broker"
        }
    }
}
