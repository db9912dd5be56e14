public import Beacons

/// A source of advertisements: a radio, a capture or a simulation.
///
/// The sequence ends when the source ends, and throws when it fails permanently. Until then it delivers a batch at
/// least once a second by its own time, empty if necessary, so that the reader needs no timer.
public protocol Scanner: Sendable {
    associatedtype Batches: AsyncSequence where Batches.Element == AdvertisementBatch

    /// Where a task should read the batches, so that they need no other thread on their way to it; nil for anywhere.
    var executor: (any TaskExecutor)? { get }

    /// Starts listening. Each call listens again: a capture or a simulation begins at its start.
    func batches() throws -> Batches
}

extension Scanner {
    public var executor: (any TaskExecutor)? { nil }
}

/// The steps that can be tried, in this order, when a radio hears nothing.
public enum RecoveryStep: String, CaseIterable, Hashable, Sendable, Codable {
    /// Stop scanning and start again.
    case restartScan
    /// Power the adapter off and on.
    case powerCycle
    /// Reset the controller; needs CAP_NET_ADMIN.
    case reset
    /// Close the connection to the radio and open a new one.
    case reopen
}

/// A scanner of one radio that can be recovered when it stalls.
public protocol RadioScanner: Scanner {
    /// The adapter's name, such as `hci0`.
    var adapter: String { get }

    /// Whether the radio is another device in the network, which a restart of this program or machine does not help.
    var isRemote: Bool { get }

    /// The health of the radio; returned without waiting, whatever the radio is doing.
    var radioHealth: RadioHealth { get async }

    /// The health of the radios behind this one, if it is a program that has radios. ``radioHealth`` also counts their
    /// reports.
    var parts: [RadioHealth] { get }

    /// The steps that this scanner can take with its current privileges, in order.
    var recoverySteps: [RecoveryStep] { get async }

    /// Tries one step while scanning continues; the sequence that is being read stays the same.
    ///
    /// - Throws: the error of the step; the scanner stays usable.
    func recover(by step: RecoveryStep) async throws
}

extension RadioScanner {
    public var isRemote: Bool { false }

    public var parts: [RadioHealth] { [] }

    /// The health of the radio and of those behind it.
    public var wholeHealth: [RadioHealth] { get async { [await radioHealth] + parts } }
}
