public import RegistryAPI

/// What became of one attempt to deliver an alert. Reasons are shown to the channel's owner: they never quote the peer.
public enum DeliveryResult: Hashable, Sendable {
    case delivered
    /// Worth another attempt, not before the time that the peer asked for.
    case retry(after: Duration?, reason: String)
    /// No attempt can succeed.
    case giveUp(reason: String)
    /// The peer says that nothing will ever arrive at this address again.
    case gone(reason: String)
    /// Delivered, and only this one of Apple's services knows the device.
    case deliveredBy(PushEnvironment)
}

/// Delivers alerts over one kind of channel.
public protocol Notifier: Sendable {
    var kind: ChannelKind { get }

    /// Why a channel with these settings cannot be created; empty where it can.
    func refusals(of draft: ChannelDraft) -> [FieldError]

    /// How long one attempt lasts at most: alerts are leased for longer (``AlertDispatcher``).
    var longestDelivery: Duration { get }

    /// Makes one attempt; never throws, never lasts longer than ``longestDelivery``.
    func deliver(_ alert: ClaimedAlert) async -> DeliveryResult
}
