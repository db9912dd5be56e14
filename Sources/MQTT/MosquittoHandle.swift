import CMosquitto
import Glibc

/// One `struct mosquitto` and its reported events. Not Sendable: its actor uses it on its queue.
///
/// libmosquitto calls back from within the calls made here, so callbacks only record events, and the caller processes
/// them afterwards.
final class MosquittoHandle {
    enum Happening {
        /// The broker's reply to the connection: 0 or an error code.
        case connected(Int32)
        /// A packet identifier was acknowledged.
        case published(Int32)
        /// A subscription was acknowledged, with the granted quality of service, or 128.
        case subscribed(Int32, granted: Int32)
        case message(MQTTMessage)
    }

    private let mosquitto: OpaquePointer
    private var happenings: [Happening] = []

    /// “Must be called before any other mosquitto functions” (mosquitto.h); never undone.
    private static let isReady: Bool = {
        mosquitto_lib_init()
        // The library writes to sockets that the broker may have closed.
        signal(SIGPIPE, SIG_IGN)
        return true
    }()

    private static let keepAlive: Int32 = 30

    init(clientID: String) throws(MQTTError) {
        guard Self.isReady, let mosquitto = mosquitto_new(clientID, true, nil) else {
            throw MQTTError(code: MOSQ_ERR_NOMEM.rawValue)
        }
        self.mosquitto = mosquitto
        // Unretained: mosquitto_destroy() ends all callbacks before this object is freed.
        mosquitto_user_data_set(mosquitto, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_callback_set(mosquitto) { _, context, code in handle(context)?.note(.connected(code)) }
        mosquitto_publish_callback_set(mosquitto) { _, context, id in handle(context)?.note(.published(id)) }
        mosquitto_subscribe_callback_set(mosquitto) { _, context, id, count, granted in
            handle(context)?.note(.subscribed(id, granted: count > 0 ? granted?.pointee ?? 128 : 128))
        }
        mosquitto_message_callback_set(mosquitto) { _, context, message in
            if let message { handle(context)?.note(.message(MQTTMessage(message.pointee))) }
        }
    }

    deinit { mosquitto_destroy(mosquitto) }

    /// Starts to connect. Blocks during the name lookup and the TCP connection.
    func connect(_ configuration: BrokerConfiguration, will: MQTTMessage?) throws(MQTTError) {
        if let user = configuration.user {
            try check(mosquitto_username_pw_set(mosquitto, user, configuration.password))
        }
        if let will {
            try check(
                mosquitto_will_set(
                    mosquitto, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained))
        }
        if configuration.isEncrypted {
            if let file = configuration.certificateAuthority {
                try check(mosquitto_tls_set(mosquitto, file, nil, nil, nil, nil))
            } else {
                try check(mosquitto_int_option(mosquitto, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
            }
        }
        try check(mosquitto_connect(mosquitto, configuration.host, Int32(configuration.port), Self.keepAlive))
        // Otherwise a child process would keep the connection open, and the broker would not publish the last will.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }

    /// The socket; −1 if there is no connection.
    var socket: Int32 { mosquitto_socket(mosquitto) }

    /// Sends queued data, reads received data, and keeps the connection alive. Never blocks.
    func turn() throws(MQTTError) {
        if mosquitto_want_write(mosquitto) { try check(mosquitto_loop_write(mosquitto, 1)) }
        try check(mosquitto_loop_read(mosquitto, 1))
        try check(mosquitto_loop_misc(mosquitto))
    }

    /// - Returns: the packet's identifier, which is reported once the packet is acknowledged.
    func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
        var id: Int32 = 0
        try check(
            mosquitto_publish(
                mosquitto, &id, message.topic, Int32(message.payload.count), message.payload, 1, message.isRetained))
        return id
    }

    func subscribe(_ topic: String) throws(MQTTError) -> Int32 {
        var id: Int32 = 0
        try check(mosquitto_subscribe(mosquitto, &id, topic, 1))
        return id
    }

    /// Disconnects, so that the broker does not publish the last will.
    func disconnect() { mosquitto_disconnect(mosquitto) }

    func takeHappenings() -> [Happening] {
        defer { happenings = [] }
        return happenings
    }

    fileprivate func note(_ happening: Happening) { happenings.append(happening) }

    private func check(_ code: Int32) throws(MQTTError) {
        guard code == MOSQ_ERR_SUCCESS.rawValue else { throw MQTTError(code: code) }
    }
}

private func handle(_ context: UnsafeMutableRawPointer?) -> MosquittoHandle? {
    context.map { Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
}

extension MQTTMessage {
    fileprivate init(_ message: mosquitto_message) {
        let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        self.init(
            message.topic.map { String(cString: $0) } ?? "", Array(payload), isRetained: message.retain)
    }
}
