import Beacons

/// One command on its way, and whoever waits for its answer.
struct CommandExchange {
    typealias Outcome = Result<HCIEvent.Answer, HCIError>

    let opcode: HCICommand.Opcode
    let deadline: ScanInstant
    private var outcome: Outcome?
    private var waiter: CheckedContinuation<Outcome, Never>?

    init(_ opcode: HCICommand.Opcode, deadline: ScanInstant) {
        self.opcode = opcode
        self.deadline = deadline
    }

    /// Whether nothing is known of the outcome yet.
    var isOpen: Bool { outcome == nil }

    /// Gives the outcome to the waiter, now or when it comes. The first outcome counts.
    mutating func settle(_ outcome: Outcome) {
        guard isOpen else { return }
        self.outcome = outcome
        waiter?.resume(returning: outcome)
        waiter = nil
    }

    mutating func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        if let outcome { continuation.resume(returning: outcome) } else { waiter = continuation }
    }
}
