public import RegistryAPI

/// A bike as sent by the original app, with the identifiers that are needed if it is new.
public struct AppBikeChange: Sendable {
    public var draft: AppBikeDraft
    /// The digest of the secret that allows the change: the one that was sent, or a new one.
    public var secret: SecretDigest
    public var owner: OwnerID
    public var bike: BikeID
    public var report: ReportID
    public var channel: ChannelID
    public var signing: SigningSecret
    public var time: Timestamp

    public init(
        draft: AppBikeDraft, secret: SecretDigest, owner: OwnerID, bike: BikeID, report: ReportID, channel: ChannelID,
        signing: SigningSecret, time: Timestamp
    ) {
        self.draft = draft
        self.secret = secret
        self.owner = owner
        self.bike = bike
        self.report = report
        self.channel = channel
        self.signing = signing
        self.time = time
    }
}

/// The original app's collections. Each of its bikes has a separate owner, without a token.
public protocol AppStore: Sendable {
    /// Registers a bike under its own minor of the network region's first major, opens its report if it is missing,
    /// and makes its device a channel.
    ///
    /// - Throws: `identityTaken`.
    func registerAppBike(_ change: AppBikeChange) async throws

    /// Updates a bike to the app's data: its details, whether it is missing, and its device.
    ///
    /// - Throws: `notFound` if no bike has this secret, `identityTaken` if a different minor is not free.
    func updateAppBike(_ change: AppBikeChange) async throws

    /// The missing bikes that were registered by the app, the latest first, with their public names.
    func missingAppBikes(limit: Int) async throws -> [AppBike]

    /// Records a sighting from an unknown source; nil if no such bike was missing then.
    ///
    /// - Throws: `forbidden` if the operator has revoked the station that represents the app.
    func recordAppSighting(
        _ sighting: AppSighting, of bike: BikeID, as visit: VisitID, at time: Timestamp, using entropy: Entropy
    ) async throws -> StoredVisit?
}
