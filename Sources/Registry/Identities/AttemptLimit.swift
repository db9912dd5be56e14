public import RegistryAPI

/// How often something may be tried within a time.
public struct AttemptLimit: Hashable, Sendable {
    public var attempts: Int
    public var window: Duration

    /// Messages of one kind that an owner has sent to channels, tests for instance: five an hour.
    public static let channelMessages = AttemptLimit(attempts: 5, window: .seconds(3600))

    /// Questions whether an address is somebody's that go to one mailbox, whoever asks: five a day.
    public static let mailboxQuestions = AttemptLimit(attempts: 5, window: .seconds(86_400))

    public init(attempts: Int, window: Duration) {
        self.attempts = attempts
        self.window = window
    }

    /// How long to wait for another attempt; nil where it is allowed now.
    ///
    /// - Parameter earlier: the times of the attempts within the window, oldest first.
    public func wait(earlier: [Timestamp], now: Timestamp) -> Duration? {
        guard earlier.count >= attempts else { return nil }
        return now.duration(to: earlier[earlier.count - attempts].advanced(by: window))
    }
}
