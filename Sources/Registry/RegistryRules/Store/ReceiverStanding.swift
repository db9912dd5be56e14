public import RegistryAPI

/// The standing of a channel's receiver, from earlier deliveries.
public enum ReceiverStanding: Int, CaseIterable, Hashable, Sendable {
    /// The receiver responds promptly, or its server is the operator's.
    case proven
    /// Nothing has been delivered to the receiver yet.
    case fresh
    /// The receiver failed, or was slow to respond.
    case failing

    /// The response time beyond which a receiver is slow.
    public static let patience = Duration.seconds(5)
    /// The time after which a slow receiver can be proven again: otherwise one that alternates between responding and
    /// hanging would get the slots of proven ones for half of its deliveries.
    public static let probation = Duration.seconds(3600)

    /// The standing of a new channel. Only a server that an owner names has to prove itself.
    public init(ofNew kind: ChannelKind) { self = kind.leadsToOwnersServer ? .fresh : .proven }

    /// The standing after a delivery.
    ///
    /// - Parameters:
    ///   - answered: whether the receiver accepted it.
    ///   - lastSlow: the time of the last slow delivery to the receiver, `now` if this one was; nil if none was.
    public func after(answered: Bool, lastSlow: Timestamp?, at now: Timestamp) -> Self {
        guard answered, lastSlow != now else { return .failing }
        guard self == .failing, let lastSlow else { return .proven }
        return lastSlow.duration(to: now) >= Self.probation ? .proven : .failing
    }
}

extension ChannelKind {
    /// Whether the owner chooses the server for messages.
    public var leadsToOwnersServer: Bool {
        switch self {
        case .webhook, .ntfy, .webpush: true
        case .apns, .email: false
        }
    }
}
