public import RegistryAPI

/// A summary of a verified pack, in lines for people.
public struct EvidenceSummary {
    private let pack: EvidenceVerification
    /// Formats a time.
    private let show: (Timestamp) -> String

    /// - Parameter time: formats a time.
    public init(_ pack: EvidenceVerification, time: @escaping (Timestamp) -> String) {
        self.pack = pack
        show = time
    }

    /// The lines, without the control characters that names in the pack may contain and a terminal would obey.
    public var lines: [String] {
        (identity + heard + silent + record + signature + partners).map { String($0.filter { !$0.isControl }) }
    }

    /// Which bike is missing, and since when.
    private var identity: [String] {
        let bike = pack.bike
        let colours = bike.colours.map(\.rawValue).joined(separator: ", ")
        var lines = [
            "Bike:       \(bike.make) \(bike.model), \(bike.kind.rawValue), \(colours)",
            "Missing:    since \(show(pack.report.missingSince)), report \(pack.report.id)",
        ]
        if let reference = pack.report.policeReference { lines.append("Police:     \(reference)") }
        if let closed = pack.report.closed { lines.append("Closed:     \(show(closed))") }
        return lines
    }

    /// How often the beacon was heard, and where first and last.
    private var heard: [String] {
        guard let first = pack.sightings.min(by: { $0.firstSeen < $1.firstSeen }),
            let last = pack.sightings.max(by: { $0.lastSeen < $1.lastSeen })
        else { return ["Heard:      nowhere yet"] }
        let left = pack.allSightings - pack.sightings.count
        return [
            "Heard:      \(Self.times(pack.sightings.count)) at \(Self.stations(pack.stations.count))"
                + (left > 0 ? "; \(left) older ones are not in this pack" : ""),
            "Agreement:  \(levels)",
            "First:      \(line(first, first.firstSeen))",
            "Last:       \(line(last, last.lastSeen))",
        ]
    }

    /// That stations listened and did not report the beacon.
    private var silent: [String] {
        guard let coverage = pack.coverage, !coverage.stations.isEmpty else { return [] }
        let count = coverage.stations.count
        return [
            "Silent:     \(Self.stations(count)) nearby listened at times and did not report it then;",
            "            this does not prove that it was somewhere else",
        ]
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
    private static func stations(_ count: Int) -> String { count == 1 ? "1 station" : "\(count) stations" }

    /// The number of sightings at each level, and of those that the owner dismissed.
    private var levels: String {
        let counts = SightingLevel.allCases.map { level in
            "\(pack.sightings.count { $0.level == level && $0.dismissed == nil }) \(level.rawValue)"
        }
        let dismissed = pack.sightings.count { $0.dismissed != nil }
        return (counts + (dismissed > 0 ? ["\(dismissed) dismissed by the owner"] : [])).joined(separator: ", ")
    }

    /// A sighting in one line: a time of it, and the place.
    private func line(_ sighting: Sighting, _ time: Timestamp) -> String {
        "\(show(time)), \(sighting.station.name) (\(sighting.place.latitude), \(sighting.place.longitude))"
            + (sighting.timeUncertain ? ", time uncertain" : "")
    }

    /// What the registry's audit says about the sightings.
    private var record: [String] {
        var lines = ["Record:     \(pack.audit.count) audit entries, linked to a chain of \(pack.checkpoint.length)"]
        let unrecorded = pack.unrecordedSightings
        if unrecorded > 0 {
            lines.append("            \(unrecorded) of the sightings have no record from when they arrived")
        }
        return lines
    }

    /// When the pack was made, and the key that signed it.
    private var signature: [String] {
        [
            "Made:       \(show(pack.made))",
            "Signed by:  key \(pack.keyVersion), fingerprint \(pack.fingerprint)",
        ]
    }
}

extension EvidenceSummary {
    /// What the partners prove: that their registries received these visits from stations. Without a key from the
    /// reader, only this registry says whose key it is.
    private var partners: [String] {
        var lines = pack.partners.signers.flatMap { signer in summary(of: signer) }
        let unsigned = pack.partners.unsigned
        if unsigned > 0 { lines.append("Unsigned:   \(Self.sightings(unsigned)) by partners’ stations") }
        return lines
    }

    /// What one key of a partner signed, and whether the reader trusts it.
    private func summary(of signer: PartnerVerification.Signer) -> [String] {
        let part = signer.partial > 0 ? ", \(signer.partial) of them only in part" : ""
        let pinned = "not checked, pinned \(show(signer.pinned))"
        let unchecked = pinned + "; ask its operator for it, and repeat with --partner-key"
        let trust = signer.isTrusted ? "which is the one that you gave" : unchecked
        return [
            "Partner:    \(signer.name) signed \(Self.sightings(signer.sightings)) by its own stations" + part,
            "            with the key \(signer.fingerprint),",
            "            " + trust,
        ]
    }

    private static func sightings(_ count: Int) -> String { count == 1 ? "1 sighting" : "\(count) sightings" }
}

extension Character {
    /// Whether a terminal would obey a part of it, or a reader could not see it.
    fileprivate var isControl: Bool {
        unicodeScalars.contains { [.control, .format, .lineSeparator].contains($0.properties.generalCategory) }
    }
}
