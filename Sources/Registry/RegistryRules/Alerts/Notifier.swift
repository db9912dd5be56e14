public import RegistryAPI

/// The result of one attempt to deliver an alert. Reasons are shown to the channel's owner: they never quote the peer.
public enum DeliveryResult: Hashable, Sendable {
    case delivered
    /// The delivery may be retried, but not before the time that the peer asked for.
    case retry(after: Duration?, reason: String)
    /// No further attempt can succeed.
    case giveUp(reason: String)
    /// The peer says that this address will never receive anything again.
    case gone(reason: String)
    /// Delivered; only this one of Apple's services knows the device.
    case deliveredBy(PushEnvironment)
}

/// Delivers alerts over one kind of channel.
public protocol Notifier: Sendable {
    var kind: ChannelKind { get }

    /// The reasons why a channel with these settings cannot be created; empty if it can.
    func refusals(of draft: ChannelDraft) -> [FieldError]

    /// The maximum duration of one attempt; leases last longer (``AlertDispatcher``).
    var longestDelivery: Duration { get }

    /// Makes one attempt; never throws, and never lasts longer than ``longestDelivery``.
    func deliver(_ alert: ClaimedAlert) async -> DeliveryResult
}
