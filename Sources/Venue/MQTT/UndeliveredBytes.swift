/// The number of bytes from a broker that no callback has delivered.
///
/// libmosquitto buffers packets of up to 256 MB, and copies them once more before it calls back. It keeps messages with
/// quality of service 2 until the broker releases them. So a broker could use up this machine's memory with either,
/// although neither is requested. Therefore all read bytes are counted, and exactly those that callbacks deliver are
/// subtracted: other deliveries must not make room for what is kept.
///
/// This works over a network, which is slower than libmosquitto reads. A broker on the same machine can still deliver a
/// whole packet between two checks.
struct UndeliveredBytes {
    /// More than an honest broker sends besides messages: the replies to the connection and to subscriptions, and the
    /// certificates of TLS.
    static let maximum = 1 << 20
    /// The bytes a second that do not count, for the replies to pings: 2 bytes every half minute, in a TLS record of at most 90 bytes.
    private static let perSecond = 4
    /// The maximum number of bytes that TLS adds to a packet in a separate record: 85 with the longest cipher suites of
    /// TLS 1.2.
    static let encryption = 100
    /// A PUBACK (MQTT 3.1.1, section 3.4).
    static let acknowledgement = 4

    /// What may be added to each packet that is delivered: the overhead of encryption, and the properties of MQTT 5,
    /// which the callbacks do not show. With MQTT 5, libmosquitto itself keeps at most 20 messages.
    var allowance = 0
    /// The number of undelivered bytes at the last ``note(read:at:)``.
    private(set) var count = 0
    /// The bytes that callbacks have delivered since then.
    private var delivered = 0
    /// The bytes that had been read from the connection by then.
    private var read = 0
    private var last: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) { last = now }

    /// Whether there are no more than an honest broker could cause.
    var isTolerable: Bool { count <= Self.maximum }

    /// Subtracts a packet that a callback has delivered.
    mutating func deliver(_ bytes: Int) { delivered += bytes + allowance }

    /// Counts what has been read.
    ///
    /// - Parameter total: the bytes read since the connection was opened; nil if they are unknown.
    mutating func note(read total: Int?, at now: ContinuousClock.Instant) {
        let total = max(read, total ?? read + delivered)
        let seconds = Int(last.duration(to: now).components.seconds)
        last += .seconds(seconds)
        let added = total - read
        count = max(0, count + added - delivered - seconds * Self.perSecond)
        read = total
        delivered = 0
    }

    /// The bytes of a PUBLISH packet (MQTT 3.1.1, section 3.3).
    static func message(topic: Int, payload: Int, isAcknowledged: Bool) -> Int {
        let rest = 2 + topic + (isAcknowledged ? 2 : 0) + payload
        // The length has seven bits in each byte (section 2.2.3).
        let length =
            switch rest {
            case ..<128: 1
            case ..<16_384: 2
            case ..<2_097_152: 3
            default: 4
            }
        return 1 + length + rest
    }
}
