import Beacons

/// A pending command, and the waiter for its reply.
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

    /// Whether the outcome is still unknown.
    var isOpen: Bool { outcome == nil }

    /// Passes the outcome to the waiter, now or when it arrives. Only the first outcome counts.
    mutating func settle(_ outcome: Outcome) {
        guard isOpen else { return }
        self.outcome = outcome
        waiter?.resume(returning: outcome)
        waiter = nil
    }

    /// Resumes a task with the outcome, now or when it arrives.
    mutating func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        if let outcome { continuation.resume(returning: outcome) } else { waiter = continuation }
    }
}
