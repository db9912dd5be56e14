import Syntax

/// Body of `POST /v1/bikes/{id}/reports`.
public struct MissingReportDraft: Codable, Hashable, Sendable {
    /// The time when the bike was last known to be safe, at most ``earliestMissingSince`` ago; absent means now.
    public var missingSince: Timestamp?
    public var lastPlace: Place?
    /// The police reference, at most 64 characters. The duration of the search depends on it:
    /// ``MissingReport/sightingsUntil``.
    public var policeReference: String?
    /// The police force that gave the reference, at most 64 characters.
    public var policeForce: String?
    /// The note, at most 500 characters.
    public var note: String?
    /// Whether only this registry's stations search, and none of its partners'; absent means no.
    public var onlyHere: Bool?

    public init(
        missingSince: Timestamp? = nil, lastPlace: Place? = nil, policeReference: String? = nil,
        policeForce: String? = nil, note: String? = nil, onlyHere: Bool? = nil
    ) {
        self.missingSince = missingSince
        self.lastPlace = lastPlace
        self.policeReference = policeReference
        self.policeForce = policeForce
        self.note = note
        self.onlyHere = onlyHere
    }
}

/// A missing report, which opens when the owner reports that the bike is gone, and closes with an outcome.
public struct MissingReport: Codable, Hashable, Sendable {
    /// The maximum time for which a report stays open; then it closes as `expired`.
    public static let lifetime = Duration.days(365)
    /// The duration of searches for a beacon without a police reference, over all its reports: a beacon planted on a
    /// person must not become a tracker.
    public static let sightingsWithoutReference = Duration.days(7)
    /// The additional duration of searches for a beacon with references that no operator has confirmed, over all its
    /// reports.
    public static let sightingsWithoutConfirmation = Duration.days(30)
    /// The duration of searches for a beacon that was new when its report was opened, until an operator has confirmed a
    /// reference: most people who plant a beacon report it within days, and most bikes are stolen later.
    public static let sightingsOfNewBeacon = Duration.days(1)
    /// The time between the notice about the end of a search and that end.
    public static let searchNotice = Duration.days(3)
    /// The same for a new beacon, whose search is shorter than ``searchNotice``.
    public static let searchNoticeOfNewBeacon = Duration.seconds(12 * 3600)
    /// The time for which sightings are kept after the report has closed, unless the report is held for a case.
    public static let retention = Duration.days(30)
    /// The time between the notice that a report will expire and its expiry.
    public static let expiryNotice = Duration.days(14)

    public var id: ReportID
    public var bike: BikeID
    public var opened: Timestamp
    /// The label of the member who opened the report; absent if the bike's owner did.
    public var openedBy: String?
    public var missingSince: Timestamp
    public var lastPlace: Place?
    public var policeReference: String?
    public var policeForce: String?
    public var note: String?
    /// Whether only this registry's stations search, and none of its partners'; absent means no.
    public var onlyHere: Bool?
    /// The time when an operator confirmed the police reference; absent if no operator has.
    public var confirmed: Timestamp?
    /// The time until which its sightings are kept for a case after the report closed; absent if it is not held.
    public var heldUntil: Timestamp?
    /// The time when the report closes automatically.
    public var expires: Timestamp
    /// The time when the report stops or stopped getting sightings; absent if an operator has confirmed its police
    /// reference.
    public var sightingsUntil: Timestamp?
    /// The time when the report was closed; absent while it is open.
    public var closed: Timestamp?
    public var closure: ReportClosure?
    /// Whether stations cannot hear the bike's rotating beacon, because the registry cannot read its key
    /// (``BeaconRotation/unreadable``); absent means no, and after the report is closed.
    public var unheard: Bool?
    /// Whether the beacon was new to the registry when the report was opened, so that an operator has to confirm the
    /// police reference within a day (``sightingsOfNewBeacon``); absent means no.
    public var newBeacon: Bool?

    public init(
        id: ReportID, bike: BikeID, opened: Timestamp, openedBy: String? = nil, missingSince: Timestamp,
        lastPlace: Place? = nil, policeReference: String? = nil, policeForce: String? = nil, note: String? = nil,
        onlyHere: Bool? = nil, confirmed: Timestamp? = nil, heldUntil: Timestamp? = nil,
        sightingsUntil: Timestamp? = nil, closed: Timestamp? = nil, closure: ReportClosure? = nil,
        unheard: Bool? = nil, newBeacon: Bool? = nil
    ) {
        self.id = id
        self.bike = bike
        self.opened = opened
        self.openedBy = openedBy
        self.missingSince = missingSince
        self.lastPlace = lastPlace
        self.policeReference = policeReference
        self.policeForce = policeForce
        self.note = note
        self.onlyHere = onlyHere
        self.confirmed = confirmed
        self.heldUntil = heldUntil
        expires = opened.advanced(by: Self.lifetime)
        self.sightingsUntil = sightingsUntil
        self.closed = closed
        self.closure = closure
        self.unheard = unheard
        self.newBeacon = newBeacon
    }

    /// Whether there is a police reference that is not blank.
    public static func isReference(_ text: String?) -> Bool { text.map { !$0.isBlank } ?? false }
}

extension MissingReportDraft: WireObject {
    public static let blank = MissingReportDraft()
    /// The maximum time that a bike may have been missing when its report opens.
    public static let earliestMissingSince = Duration.days(30)
    /// The permitted lead of an owner's clock over the registry's.
    public static let clockTolerance = Duration.seconds(300)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("missingSince", &missingSince, .timestamp)
        if let missingSince { Self.check(missingSince, in: &fields) }
        fields.optional("lastPlace", &lastPlace, .object())
        fields.reportTexts(reference: &policeReference, force: &policeForce, note: &note)
        fields.optional("onlyHere", &onlyHere, .boolean)
    }
}

extension MissingReportDraft {
    /// Refuses a time that is too long ago or in the future.
    fileprivate static func check(_ missingSince: Timestamp, in fields: inout some FieldCoder) {
        if missingSince < fields.now.advanced(by: .zero - earliestMissingSince) {
            // ``earliestMissingSince`` in words.
            fields.refuse("missingSince", "must be at most 30 days ago")
        }
        if missingSince > fields.now.advanced(by: clockTolerance) {
            fields.refuse("missingSince", "must not be in the future; leave it out for now")
        }
    }
}

extension FieldCoder {
    /// The texts of a report, with the same limits in a new report and in a change of one.
    fileprivate mutating func reportTexts(reference: inout String?, force: inout String?, note: inout String?) {
        optional("policeReference", &reference, .text(0...64))
        optional("policeForce", &force, .text(0...64))
        optional("note", &note, .text(0...500, multiline: true))
    }
}

extension MissingReport: WireObject {
    public static let blank = MissingReport(id: .specimen, bike: .specimen, opened: .specimen, missingSince: .specimen)
    /// The maximum time for which a report can be held for a case.
    public static let longestHold = Duration.days(2 * 365)

    /// Describes the fields that an owner can change, and applies an owner's patch to a stored report. The other fields
    /// are not listed, so a patch that names one is refused: the registry or an operator sets them, and a report is
    /// closed by another call.
    public mutating func describe(_ fields: inout some FieldCoder) {
        let (held, reference, force) = (heldUntil, policeReference, policeForce)
        fields.optional("heldUntil", &heldUntil, .timestamp)
        let holds = fields.now...fields.now.advanced(by: Self.longestHold)
        if let heldUntil, heldUntil != held, !holds.contains(heldUntil) {
            fields.refuse("heldUntil", "must be within the next two years; send null to remove it")
        }
        let since = missingSince
        fields.required("missingSince", &missingSince, .timestamp)
        if missingSince != since { MissingReportDraft.check(missingSince, in: &fields) }
        // A report can say only when a bike was last safe before it.
        missingSince = min(missingSince, opened)
        fields.optional("lastPlace", &lastPlace, .object())
        fields.reportTexts(reference: &policeReference, force: &policeForce, note: &note)
        fields.optional("onlyHere", &onlyHere, .boolean)
        // A stored report has no value for “no”: a patch that says “no” again must not look like a change.
        if onlyHere == false { onlyHere = nil }
        // The operator's confirmation applies only to this reference and this force.
        if policeReference != reference || policeForce != force { confirmed = nil }
    }
}
