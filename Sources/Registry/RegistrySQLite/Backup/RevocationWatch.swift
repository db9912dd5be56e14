import RegistrySQL
import Synchronization

/// Reports which groups of changes revoked a token or used a code, so that the journal has it before a caller gets an
/// answer.
///
/// Triggers fill the table `revocation` (``Schema/revocations``), regardless of which operation makes the change.
final class RevocationWatch: Sendable {
    private struct State {
        /// Whether the current group has revoked anything.
        var isTouched = false
        /// The number of groups with revocations, and how many of them the journal includes.
        var groups = 0
        var recordedGroups = 0
    }

    private let state = Mutex(State())

    /// Whether a group was committed whose revocations are not in the journal yet.
    var isBehind: Bool { state.withLock { $0.recordedGroups < $0.groups } }

    /// Notes that the current group has revoked something.
    func touch() { state.withLock { $0.isTouched = true } }

    /// Notes that the current group has ended.
    func endGroup() {
        state.withLock { state in
            guard state.isTouched else { return }
            state.isTouched = false
            state.groups += 1
        }
    }

    /// Runs a step that writes all revocations so far into the journal. If it fails, only this revocation fails, not
    /// every change after it. The next one records both.
    func recording(_ step: () throws -> Void) rethrows {
        let groups = state.withLock(\.groups)
        defer { state.withLock { $0.recordedGroups = max($0.recordedGroups, groups) } }
        try step()
    }
}
