public import RegistryAPI

/// The times that decide whether an operator's session is valid, and what it may do.
///
/// It ends sooner than an owner's session, because an operator's acts affect everybody's bikes.
public struct DeskSessionState: Hashable, Sendable {
    /// A session ends this long after its beginning.
    public static let lifetime = Duration.seconds(12 * 3600)
    /// A session ends this long after its last use.
    public static let idle = Duration.seconds(3600)
    /// The time for which a given passkey or token confirms the session.
    public static let confirmation = Duration.seconds(300)
    /// The resolution of the recorded last use.
    public static let useResolution = Duration.seconds(60)
    /// The number of sessions that an operator can have. One more ends the session that was unused longest.
    public static let most = 10
    /// The number of passkeys that an operator can have.
    public static let mostPasskeys = 5

    /// Small corrections of the clock must not end a session; after a larger one, the operator must sign in again.
    private static let slack = Duration.seconds(5)

    public var began: Timestamp
    /// The last recorded use.
    public var used: Timestamp
    /// When a passkey or a token was last given.
    public var proved: Timestamp
    /// What was given then.
    public var proof: DeskProofKind
    /// The number of the operator's passkeys that work at this registry.
    public var passkeys: Int

    public init(began: Timestamp, used: Timestamp, proved: Timestamp, proof: DeskProofKind, passkeys: Int) {
        self.began = began
        self.used = used
        self.proved = proved
        self.proof = proof
        self.passkeys = passkeys
    }

    /// The end, if the session is not used again.
    public var ends: Timestamp {
        min(began.advanced(by: Self.lifetime), used.advanced(by: Self.idle))
    }

    /// Whether the session may be used at a time.
    public func isValid(at time: Timestamp) -> Bool {
        began <= time.advanced(by: Self.slack) && time < ends
    }

    /// Whether a use at this time must be recorded. A clock that was ahead must not prolong a session.
    public func mustNoteUse(at time: Timestamp) -> Bool {
        time >= used.advanced(by: Self.useResolution) || used > time.advanced(by: Self.useResolution)
    }

    /// Until when passkeys can be added and removed; nil if they cannot. A token suffices, even if there is a passkey: an
    /// operator who has lost the only passkey needs a way back, and a person with the token can do everything with
    /// commands anyway.
    public func passkeysUntil(at time: Timestamp) -> Timestamp? {
        guard proved <= time.advanced(by: Self.slack) else { return nil }
        let end = proved.advanced(by: Self.confirmation)
        return time < end ? end : nil
    }

    /// Until when other changes are allowed; nil if they are refused. An operator who has a passkey must have given it: a
    /// token may be in a file of the same computer.
    public func confirmedUntil(at time: Timestamp) -> Timestamp? {
        proof == .passkey || passkeys == 0 ? passkeysUntil(at: time) : nil
    }
}

/// An operator's session as it is stored.
public struct StoredDeskSession: Hashable, Sendable {
    public var id: DeskSessionID
    public var name: String
    public var `operator`: DeskSession.Holder
    public var signedIn: DeskProofKind
    public var state: DeskSessionState

    public init(
        id: DeskSessionID, name: String, operator holder: DeskSession.Holder, signedIn: DeskProofKind,
        state: DeskSessionState
    ) {
        self.id = id
        self.name = name
        self.operator = holder
        self.signedIn = signedIn
        self.state = state
    }

    /// The session as its operator sees it.
    ///
    /// - Parameter current: the session of the request.
    public func shown(at time: Timestamp, current: DeskSessionID?) -> DeskSession {
        DeskSession(
            id: id, name: name, operator: `operator`, signedIn: signedIn, began: state.began, lastUsed: state.used,
            ends: state.ends, confirmedUntil: state.confirmedUntil(at: time),
            passkeysUntil: state.passkeysUntil(at: time), passkeys: state.passkeys, current: id == current)
    }
}
