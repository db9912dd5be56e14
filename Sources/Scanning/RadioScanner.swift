/// What can be tried, in this order, when a radio has gone quiet.
public enum RecoveryStep: String, CaseIterable, Hashable, Sendable, Codable {
    /// Stop scanning and start again.
    case restartScan
    /// Power the adapter off and on.
    case powerCycle
    /// Reset the controller; needs CAP_NET_ADMIN.
    case reset
    /// Give up the connection to the radio and open a new one.
    case reopen
}

/// A scanner of one radio, which can be helped when it stalls.
public protocol RadioScanner: Scanner {
    /// The adapter's name, `hci0`.
    var adapter: String { get }

    /// How the radio fares; answered at once, whatever the radio does.
    var radioHealth: RadioHealth { get async }

    /// Steps that this scanner can take with the rights that it has, in order.
    var recoverySteps: [RecoveryStep] { get async }

    /// Tries one step while the batches go on; the sequence that is being read stays the same.
    ///
    /// - Throws: what the step failed with; the scanner stays usable.
    func recover(by step: RecoveryStep) async throws
}
