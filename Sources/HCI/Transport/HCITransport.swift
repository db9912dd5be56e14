import Beacons

/// A transport to a controller: commands go out, events come in.
///
/// The seam between what is said and how it travels: raw sockets, the kernel's monitor channel and H4 streams stand
/// behind it, and so does a test.
public protocol HCITransport: Sendable {
    /// Sends one packet, H4 packet type first.
    func send(_ packet: [UInt8]) async throws(HCIError)

    /// What has come since the last call, as soon as there is anything; nil after ``close()``. For one caller.
    ///
    /// - Throws: why nothing more will come, after all that came before.
    func receive() async throws(HCIError) -> HCIPackets?

    /// Gives the connection up. Whoever waits in ``receive()`` gets nil.
    func close() async
}

/// Events that were received together, in order, in one buffer, so that a packet costs no allocation.
public struct HCIPackets: Sendable {
    /// Events that were dropped after these, because nobody had received in time.
    public internal(set) var dropped = 0
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []

    public init() {}

    public var count: Int { ends.count }
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
