import CMosquitto
import Glibc

/// One `struct mosquitto` and its reported events. Not Sendable: its actor uses it on its queue.
///
/// libmosquitto calls back from within the calls made here, so callbacks only record events, and the caller processes
/// them afterwards.
final class MosquittoHandle {
    /// What the library reports by a callback.
    enum Happening {
        /// The broker's reply to the connection: 0 or an error code.
        case connected(Int32)
        /// A packet identifier was acknowledged.
        case published(Int32)
        /// A subscription was acknowledged, with the granted quality of service, or at least ``refusedQuality``.
        case subscribed(Int32, granted: Int32)
        /// A message whose payload may have been cut; see ``maximumPayload``.
        case message(MQTTMessage)
    }

    /// The versions of the protocol. Only with MQTT 5 can a client limit what the broker sends.
    enum Version: Int32 {
        case mqtt5 = 5
        case mqtt311 = 4
    }

    /// The maximum number of bytes of a payload that are copied. Every valid payload is shorter, so a longer one is
    /// still recognised as too long.
    static let maximumPayload = GatewayMessage.maximumLength + 1
    /// The maximum length of a topic in bytes; messages with a longer one are ignored.
    private static let maximumTopic = 1024
    /// The longest packet that the broker may send (MQTT 5, section 3.1.2.11.4), in bytes: it delivers no larger ones.
    private static let maximumPacket: UInt32 = 8192
    /// The socket's receive buffer in bytes. libmosquitto reads until it is empty, so a large one would let more arrive
    /// between two checks.
    private static let receiveBuffer: Int32 = 16 * 1024
    /// The socket's send buffer in bytes, so that a broker that takes nothing is noticed: see ``isBlocked``.
    private static let sendBuffer: Int32 = 64 * 1024

    private let mosquitto: OpaquePointer
    private let version: Version
    private var happenings: [Happening] = []
    private var undelivered: UndeliveredBytes

    /// “Must be called before any other mosquitto functions” (mosquitto.h); never undone.
    private static let isReady: Bool = {
        mosquitto_lib_init()
        // The library writes to sockets that the broker may have closed.
        signal(SIGPIPE, SIG_IGN)
        return true
    }()

    /// What a broker grants if it refuses a subscription (MQTT 3.1.1, section 3.9.3); MQTT 5 has more such codes above.
    static let refusedQuality: Int32 = 128

    init(clientID: String, _ version: Version) throws(MQTTError) {
        guard Self.isReady, let mosquitto = mosquitto_new(clientID, true, nil) else {
            throw MQTTError(code: MOSQ_ERR_NOMEM.rawValue)
        }
        self.mosquitto = mosquitto
        self.version = version
        undelivered = UndeliveredBytes(at: .now)
        // It must be set before anything else (mosquitto.h).
        mosquitto_int_option(mosquitto, MOSQ_OPT_PROTOCOL_VERSION, version.rawValue)
        // Unretained: mosquitto_destroy() ends all callbacks before this object is freed.
        mosquitto_user_data_set(mosquitto, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_callback_set(mosquitto) { _, context, code in handle(context)?.note(.connected(code)) }
        mosquitto_publish_callback_set(mosquitto) { _, context, id in handle(context)?.note(.published(id)) }
        mosquitto_subscribe_callback_set(mosquitto) { _, context, id, count, granted in
            let quality = count > 0 ? granted?.pointee : nil
            handle(context)?.note(.subscribed(id, granted: quality ?? MosquittoHandle.refusedQuality))
        }
        mosquitto_message_callback_set(mosquitto) { _, context, message in
            if let message { handle(context)?.note(message.pointee) }
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
        if version == .mqtt5 { undelivered.allowance += Int(Self.maximumPacket) }
        if configuration.isEncrypted {
            undelivered.allowance += UndeliveredBytes.encryption
            if let file = configuration.certificateAuthority {
                try check(mosquitto_tls_set(mosquitto, file, nil, nil, nil, nil))
            } else {
                try check(mosquitto_int_option(mosquitto, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
            }
        }
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if version == .mqtt5 {
            try check(
                mosquitto_property_add_int32(
                    &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), Self.maximumPacket))
        }
        try check(
            mosquitto_connect_bind_v5(
                mosquitto, configuration.host, Int32(configuration.port), configuration.keepAlive, nil, properties))
        // Otherwise a child process would keep the connection open, and the broker would not publish the last will.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var size = Self.receiveBuffer
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        size = Self.sendBuffer
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The socket; −1 if there is no connection.
    var socket: Int32 { mosquitto_socket(mosquitto) }

    /// Sends queued data, reads received data, and keeps the connection alive. Never blocks.
    ///
    /// - Throws: ``MQTTError``; `undelivered` if too much has arrived that no callback delivered.
    func work() throws(MQTTError) {
        if isBlocked { try check(mosquitto_loop_write(mosquitto, 1)) }
        try check(mosquitto_loop_read(mosquitto, 1))
        undelivered.note(read: bytesRead, at: .now)
        guard undelivered.isTolerable else { throw .undelivered }
        try check(mosquitto_loop_misc(mosquitto))
    }

    /// Whether data waits that the socket did not accept: libmosquitto writes each packet immediately.
    var isBlocked: Bool { mosquitto_want_write(mosquitto) }

    /// The bytes that have been read from the socket since it was opened; nil if the system does not say.
    private var bytesRead: Int? {
        // `tcpi_bytes_received` in struct tcp_info of linux/tcp.h, since Linux 4.1; glibc's struct ends before it.
        let place = 128
        var info = [UInt8](repeating: 0, count: place + 8)
        var length = socklen_t(info.count)
        guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0, Int(length) == info.count else {
            return nil
        }
        let received = info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
        var waiting: Int32 = 0
        guard let received = Int(exactly: received), ioctl(socket, UInt(FIONREAD), &waiting) == 0 else { return nil }
        return received - Int(waiting)
    }

    /// Sends a message with quality of service 1.
    ///
    /// - Returns: the packet's identifier, which is reported once the packet is acknowledged.
    func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
        var id: Int32 = 0
        try check(
            mosquitto_publish(
                mosquitto, &id, message.topic, Int32(message.payload.count), message.payload, 1, message.isRetained))
        return id
    }

    /// Subscribes with quality of service 1; returns the packet's identifier.
    func subscribe(_ topic: String) throws(MQTTError) -> Int32 {
        var id: Int32 = 0
        try check(mosquitto_subscribe(mosquitto, &id, topic, 1))
        return id
    }

    func unsubscribe(_ topic: String) throws(MQTTError) {
        try check(mosquitto_unsubscribe(mosquitto, nil, topic))
    }

    /// Disconnects, so that the broker does not publish the last will.
    func disconnect() { mosquitto_disconnect(mosquitto) }

    /// Removes and returns what was reported since the last call.
    func takeHappenings() -> [Happening] {
        defer { happenings = [] }
        return happenings
    }

    /// Notes what a callback reports.
    fileprivate func note(_ happening: Happening) {
        if case .published = happening { undelivered.deliver(UndeliveredBytes.acknowledgement) }
        happenings.append(happening)
    }

    /// Notes a message, and copies at most as many bytes as a valid one can have.
    fileprivate func note(_ message: mosquitto_message) {
        guard let topic = message.topic else { return }
        undelivered.deliver(
            UndeliveredBytes.message(
                topic: strlen(topic), payload: Int(message.payloadlen), isAcknowledged: message.qos > 0))
        guard strnlen(topic, Self.maximumTopic + 1) <= Self.maximumTopic else { return }
        let length = min(Int(message.payloadlen), Self.maximumPayload)
        let payload = UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : length)
        note(.message(MQTTMessage(String(cString: topic), Array(payload), isRetained: message.retain)))
    }

    /// Throws the error of a code that the library returned, unless it is success.
    private func check(_ code: Int32) throws(MQTTError) {
        guard code == MOSQ_ERR_SUCCESS.rawValue else { throw MQTTError(code: code) }
    }
}

/// The handle that a callback belongs to.
private func handle(_ context: UnsafeMutableRawPointer?) -> MosquittoHandle? {
    context.map { Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
}
