import RegistryRules

/// What a call needs of an operator's session. Requests with a token need no session.
enum DeskProof: Sendable {
    /// Only the session: the call changes nothing, or only takes access away, or the request contains the proof.
    case session
    /// A passkey that was given within the last minutes; the token while the operator has no passkey. All changes need
    /// it unless their declaration says otherwise, so that a person at an unlocked desk cannot make codes, displays or
    /// operators that outlive the session.
    case confirmation
    /// A passkey or the token. An operator who lost the passkey must be able to replace it.
    case either

    /// Checks that a session has at this moment what the call needs.
    ///
    /// - Throws: `deskConfirmationNeeded`.
    func check(_ state: DeskSessionState, at clock: WallClock) throws(DomainError) {
        let until =
            switch self {
            case .confirmation: state.confirmedUntil(at: clock.now)
            case .either: state.passkeysUntil(at: clock.now)
            case .session: state.ends
            }
        guard until != nil else { throw .deskConfirmationNeeded }
    }
}
