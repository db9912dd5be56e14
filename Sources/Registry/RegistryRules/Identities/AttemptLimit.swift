public import RegistryAPI

/// The number of attempts allowed within a time.
public struct AttemptLimit: Hashable, Sendable {
    public var attempts: Int
    public var window: Duration

    /// The limit for messages of one kind that an owner sends to channels, such as tests: five an hour.
    public static let channelMessages = AttemptLimit(attempts: 5, window: .seconds(3600))

    /// The limit for verification messages to one mailbox, regardless of who requests them: five a day.
    public static let mailboxQuestions = AttemptLimit(attempts: 5, window: .days(1))

    /// The limit for photos that are converted for an owner.
    public static let photoUploads = AttemptLimit(attempts: PhotoRules.uploadsPerHour, window: .seconds(3600))

    public init(attempts: Int, window: Duration) {
        self.attempts = attempts
        self.window = window
    }

    /// The wait until another attempt is allowed; nil if one is allowed now.
    ///
    /// - Parameter earlier: the times of the attempts within the window, oldest first.
    public func wait(earlier: [Timestamp], now: Timestamp) -> Duration? {
        guard earlier.count >= attempts else { return nil }
        return now.duration(to: earlier[earlier.count - attempts].advanced(by: window))
    }
}
