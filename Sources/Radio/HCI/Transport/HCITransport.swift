import Beacons

/// A transport to a controller: sends commands, receives events.
///
/// It separates the protocol from its transport: raw sockets, the kernel's monitor channel and H4 streams implement it,
/// and so do tests.
public protocol HCITransport: Sendable {
    /// Sends one packet, beginning with the H4 packet type. Concurrent calls do not mix their packets, but may send them
    /// in any order; ``HCISession`` sends one command at a time.
    func send(_ packet: [UInt8]) async throws(HCIError)

    /// The events since the last call, as soon as there are any; nil after ``close()``. Only one caller may wait at a
    /// time.
    ///
    /// - Throws: the reason why there are no more events, after all events before it.
    func receive() async throws(HCIError) -> HCIPackets?

    /// Closes the connection. A waiting ``receive()`` returns nil.
    func close() async
}

/// Events that were received together, in order and in one buffer, so that a packet costs no allocation.
public struct HCIPackets: Sendable {
    /// Events that were dropped after these, because they were not received in time.
    public internal(set) var dropped = 0
    private(set) var bytes: [UInt8] = []
    /// The position in ``bytes`` after each event.
    private var ends: [Int] = []

    public init() {}

    /// The number of events.
    public var count: Int { ends.count }
    /// Whether there is nothing to deliver; also false if events were only dropped, whose number must be delivered.
    public var isEmpty: Bool { ends.isEmpty && dropped == 0 }

    /// Appends an event: event code, parameter length and parameters, without the H4 packet type.
    public mutating func append(event: RawSpan) {
        event.withUnsafeBytes { bytes.append(contentsOf: $0) }
        ends.append(bytes.count)
    }

    /// Calls `body` with each event.
    public func forEach(_ body: (RawSpan) -> Void) {
        let all = bytes.span.bytes
        var start = 0
        for end in ends {
            body(all.extracting(start..<end))
            start = end
        }
    }
}
