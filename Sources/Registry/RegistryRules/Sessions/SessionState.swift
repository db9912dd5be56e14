public import RegistryAPI

/// The times that decide whether a session is valid, and its scope.
public struct SessionState: Hashable, Sendable {
    /// A session ends this long after its last use.
    public static let lifetime = Duration.days(90)

    /// The time for which a session has the scope `manage` after its user has shown a passkey or a recovery code.
    public static let confirmation = Duration.seconds(600)

    /// The number of sessions that an owner can have. One more ends the session that was unused longest: somebody who
    /// is locked out must be able to get in.
    public static let most = 20

    /// Small corrections of the clock must not end a confirmation; after a larger one, it must be repeated.
    private static let slack = Duration.seconds(5)

    /// When the session ends if it is not used again.
    public var expires: Timestamp
    /// When the session was last confirmed; nil if it never was.
    public var confirmed: Timestamp?

    public init(expires: Timestamp, confirmed: Timestamp?) {
        self.expires = expires
        self.confirmed = confirmed
    }

    /// Until when the session has the scope `manage`; nil if it does not have that scope at this time.
    public func confirmedUntil(at time: Timestamp) -> Timestamp? {
        guard let confirmed, confirmed <= time.advanced(by: Self.slack) else { return nil }
        let end = confirmed.advanced(by: Self.confirmation)
        return time < end ? end : nil
    }

    /// The scope at a time: a scope as wide as `manage` only while the session is confirmed.
    ///
    /// - Parameter ceiling: the widest scope that the session can have.
    public func scope(ceiling: TokenScope, at time: Timestamp) -> TokenScope {
        let needsConfirmation = ceiling >= .manage
        if needsConfirmation && confirmedUntil(at: time) == nil { return .report }
        return ceiling
    }
}
