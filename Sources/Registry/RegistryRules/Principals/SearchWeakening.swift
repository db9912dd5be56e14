public import RegistryAPI

/// The acts possible with an owner's token that stop or weaken a search, or keep others from noticing it. This is the
/// only table of protections against a thief with the owner's laptop (decision 12).
public enum SearchWeakening: CaseIterable, Hashable, Sendable {
    case eraseAccount, eraseBike, replaceBeacon
    /// A check notes another lag of a rotating beacon's clock, so that stations would search for other identities.
    /// Refused while the bike is missing.
    case moveClock
    /// The owner changes the kind, make, model, colours, or the marks that the police use to identify a bike, or stops
    /// letting buyers check them.
    case describeOtherwise
    case removePhoto
    /// The owner no longer lets staff of venues see a photo.
    case hidePhoto
    case offerTransfer, handOver
    case closeReport
    /// The owner removes the police reference; without one, a report stops yielding sightings.
    case withdrawReference
    case changeReference
    /// The owner says that the bike went missing later; visits from before that, which arrive late, then no longer
    /// count.
    case missLater
    /// The owner shortens a hold; sightings that are kept for a case are then deleted.
    case shortenHold
    /// The owner dismisses a sighting; waiting alerts about it are not sent.
    case dismissSighting
    case changeChannel, removeChannel
    /// The owner changes the time zone or quiet hours.
    case changeTimes
    /// The owner hides the bike's appearance from venues.
    case hideAppearance
    case changeLanguage
    case makeToken, revokeToken, replaceRecoveryCodes
    /// A browser is signed in; one of an owner's sessions ends another.
    case signIn, endSession
    case addPasskey, removePasskey
    /// A link to a search is made or revoked.
    case makeShare, revokeShare
    /// Somebody is invited to a bike; a member gets another role, or is removed, and is then no longer alerted.
    case inviteMember, changeMember, removeMember
    /// A finder's code stops working, or a conversation about a missing bike is ended.
    case changeSticker, endConversation

    /// As long as an account is newer than this and has no bike, its recovery codes can be replaced without an old one.
    public static let timeToKeepCodes: Duration = .seconds(3600)

    /// When an act requires a recovery code.
    public enum Confirmation: Sendable { case never, whileMissing, always }

    /// When this act requires a recovery code.
    public var confirmation: Confirmation {
        switch self {
        case .withdrawReference, .shortenHold, .replaceRecoveryCodes: .always
        case .eraseAccount, .eraseBike, .offerTransfer, .changeChannel, .removeChannel, .changeTimes, .hideAppearance:
            .whileMissing
        case .replaceBeacon, .moveClock, .describeOtherwise, .removePhoto, .hidePhoto, .handOver, .closeReport,
            .changeReference, .missLater, .dismissSighting, .changeLanguage, .makeToken, .revokeToken, .signIn,
            .endSession, .addPasskey,
            .removePasskey, .makeShare, .revokeShare, .inviteMember, .changeMember, .removeMember,
            .changeSticker, .endConversation:
            .never
        }
    }

    /// The notice about the act, sent on all channels at any hour; nil if no channel is left or the act has had no
    /// effect yet.
    public var notice: OwnerNotice.Event? {
        switch self {
        case .eraseAccount, .offerTransfer: nil
        case .eraseBike: .bikeErased
        case .replaceBeacon: .beaconChanged
        case .moveClock: .beaconClockMoved
        case .describeOtherwise, .removePhoto, .hidePhoto: .bikeChanged
        case .handOver: .bikeTransferred
        case .closeReport: .reportClosed
        case .withdrawReference, .changeReference, .missLater, .shortenHold: .reportChanged
        case .dismissSighting: .sightingDismissed
        case .changeChannel: .channelChanged
        case .removeChannel: .channelRemoved
        case .changeTimes, .hideAppearance, .changeLanguage: .ownerChanged
        case .makeToken: .tokenCreated
        case .revokeToken: .tokenRevoked
        case .replaceRecoveryCodes: .recoveryReplaced
        case .signIn: .sessionCreated
        case .endSession: .sessionRevoked
        case .addPasskey: .passkeyAdded
        case .removePasskey: .passkeyRemoved
        case .makeShare: .shareCreated
        case .revokeShare: .shareRevoked
        case .inviteMember: .memberInvited
        case .changeMember: .memberChanged
        case .removeMember: .memberRemoved
        case .changeSticker: .stickerChanged
        case .endConversation: .conversationEnded
        }
    }
}

// Classifies a change by the state before and after. The gravest act counts, since one code and one notice cover all.
extension SearchWeakening {
    /// The weakening caused by a change to a report; nil if there is none.
    public static func of(_ before: MissingReport, to after: MissingReport) -> SearchWeakening? {
        // A closed report yields no more sightings, whatever its reference.
        let wasReferenced = before.closed == nil && MissingReport.isReference(before.policeReference)
        if wasReferenced, !MissingReport.isReference(after.policeReference) { return .withdrawReference }
        if let held = before.heldUntil, after.heldUntil.map({ $0 < held }) ?? true { return .shortenHold }
        let isChanged = after.policeReference != before.policeReference || after.confirmed != before.confirmed
        if wasReferenced, isChanged { return .changeReference }
        return before.missingSince < after.missingSince ? .missLater : nil
    }

    /// The weakening caused by a change to an account; nil if there is none.
    public static func of(_ before: Owner, to after: Owner) -> SearchWeakening? {
        if before.zone != after.zone || before.quietHours != after.quietHours { return .changeTimes }
        if before.tellsAppearance, !after.tellsAppearance { return .hideAppearance }
        return before.language != after.language ? .changeLanguage : nil
    }

    /// The weakening caused by a check of a rotating beacon, compared with the lag that its owner knows of; nil if
    /// drift explains the difference.
    public static func of(lag before: Int64, to after: Int64) -> SearchWeakening? {
        before.distance(to: after).magnitude > RotationRules.ordinaryChange ? .moveClock : nil
    }

    /// The weakening caused by a change to a bike; nil while the bike is not missing, since it is not searched for
    /// then.
    public static func of(_ before: Bike, to after: Bike) -> SearchWeakening? {
        guard before.openReport != nil else { return nil }
        let isOtherModel = before.kind != after.kind || before.make != after.make || before.model != after.model
        let looksOtherwise = isOtherModel || before.colours != after.colours
        let hasOtherMarks = before.marks != after.marks
        let isHidden = before.allowsBuyerCheck && !after.allowsBuyerCheck
        return looksOtherwise || hasOtherMarks || isHidden ? .describeOtherwise : nil
    }
}

extension Bike {
    /// The marks that are stamped on the bike or screwed to it.
    fileprivate var marks: [String?] { [details.serial, details.vin, details.engineNumber, details.plate] }
}
