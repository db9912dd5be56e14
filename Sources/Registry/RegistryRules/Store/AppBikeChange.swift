public import RegistryAPI

/// A bike as sent by the original app, with the identifiers that are needed if it is new.
public struct AppBikeChange: Sendable {
    public var draft: AppBikeDraft
    /// The digest of the secret that allows the change: the one that was sent, or a new one.
    public var secret: SecretDigest
    // The identifiers and the channel's secret if the change makes them.
    public var owner: OwnerID
    public var bike: BikeID
    public var report: ReportID
    public var channel: ChannelID
    public var signing: SigningSecret
    public var time: Timestamp
    /// How long a beacon is new after its registration (``MissingReport/newBeacon``).
    public var newFor: Duration

    public init(
        draft: AppBikeDraft, secret: SecretDigest, owner: OwnerID, bike: BikeID, report: ReportID, channel: ChannelID,
        signing: SigningSecret, time: Timestamp, newFor: Duration = .zero
    ) {
        self.draft = draft
        self.secret = secret
        self.owner = owner
        self.bike = bike
        self.report = report
        self.channel = channel
        self.signing = signing
        self.time = time
        self.newFor = newFor
    }
}
