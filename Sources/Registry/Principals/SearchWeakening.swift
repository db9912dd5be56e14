public import RegistryAPI

/// What an owner's token can do that stops a search, weakens it or keeps others from noticing, whoever holds the token.
/// The one table of what stands against a thief with the owner's laptop (decision 12).
public enum SearchWeakening: CaseIterable, Hashable, Sendable {
    case eraseAccount, eraseBike, replaceBeacon
    /// Kind, make, model, colours, or the marks by which the police know a bike.
    case describeOtherwise
    case offerTransfer, handOver
    case closeReport
    /// Without a police reference a report stops yielding sightings.
    case withdrawReference
    case changeReference
    /// Sightings that are kept for a case are deleted then.
    case shortenHold
    /// What waits to be told of the sighting is not told.
    case dismissSighting
    case changeChannel, removeChannel
    /// Zone or quiet hours.
    case changeTimes
    /// Venues do not learn what the bike looks like.
    case hideAppearance
    case changeLanguage
    case makeToken, revokeToken, replaceRecoveryCodes

    /// Whether a recovery code must come with it.
    public enum Confirmation: Sendable { case never, whileMissing, always }

    public var confirmation: Confirmation {
        switch self {
        case .withdrawReference, .shortenHold, .replaceRecoveryCodes: .always
        case .eraseAccount, .eraseBike, .offerTransfer, .changeChannel, .removeChannel, .changeTimes, .hideAppearance:
            .whileMissing
        case .replaceBeacon, .describeOtherwise, .handOver, .closeReport, .changeReference, .dismissSighting,
            .changeLanguage, .makeToken, .revokeToken:
            .never
        }
    }

    /// The message about it, sent on all channels at any hour; nil if no channel is left or nothing has happened yet.
    public var notice: OwnerNotice.Event? {
        switch self {
        case .eraseAccount, .offerTransfer: nil
        case .eraseBike: .bikeErased
        case .replaceBeacon: .beaconChanged
        case .describeOtherwise: .bikeChanged
        case .handOver: .bikeTransferred
        case .closeReport: .reportClosed
        case .withdrawReference, .changeReference, .shortenHold: .reportChanged
        case .dismissSighting: .sightingDismissed
        case .changeChannel: .channelChanged
        case .removeChannel: .channelRemoved
        case .changeTimes, .hideAppearance, .changeLanguage: .ownerChanged
        case .makeToken: .tokenCreated
        case .revokeToken: .tokenRevoked
        case .replaceRecoveryCodes: .recoveryReplaced
        }
    }
}

// What a change is, by what was there before and after. The gravest one, since one code and one notice answer for all.
extension SearchWeakening {
    public static func of(_ before: MissingReport, to after: MissingReport) -> SearchWeakening? {
        let isOpen = before.closed == nil
        if isOpen, MissingReport.isReference(before.policeReference), !MissingReport.isReference(after.policeReference)
        {
            return .withdrawReference
        }
        if let held = before.heldUntil, after.heldUntil.map({ $0 < held }) ?? true { return .shortenHold }
        let isChanged = after.policeReference != before.policeReference || after.confirmed != before.confirmed
        if isOpen, MissingReport.isReference(before.policeReference), isChanged { return .changeReference }
        return nil
    }

    public static func of(_ before: Owner, to after: Owner) -> SearchWeakening? {
        if before.zone != after.zone || before.quietHours != after.quietHours { return .changeTimes }
        if before.tellsAppearance, !after.tellsAppearance { return .hideAppearance }
        return before.language != after.language ? .changeLanguage : nil
    }

    /// Nothing while the bike is not missing: then nobody looks for it by its looks.
    public static func of(_ before: Bike, to after: Bike) -> SearchWeakening? {
        guard before.openReport != nil else { return nil }
        let looks = before.kind != after.kind || before.make != after.make || before.model != after.model
        let marks = before.serial != after.serial || before.vin != after.vin || before.plate != after.plate
        return looks || marks || before.colours != after.colours ? .describeOtherwise : nil
    }
}
