public import RegistryAPI

/// A summary of a verified pack, in lines for people.
public struct EvidenceSummary {
    private let pack: EvidenceVerification
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

    private var identity: [String] {
        let bike = pack.bike
        let colours = bike.colours.map(\.rawValue).joined(separator: ", ")
        return [
            "Bike:       \(bike.make) \(bike.model), \(bike.kind.rawValue), \(colours)",
            "Missing:    since \(show(pack.report.missingSince)), report \(pack.report.id)",
        ] + (pack.report.policeReference.map { ["Police:     \($0)"] } ?? [])
            + (pack.report.closed.map { ["Closed:     \(show($0))"] } ?? [])
    }

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

    private func line(_ sighting: Sighting, _ time: Timestamp) -> String {
        "\(show(time)), \(sighting.station.name) (\(sighting.place.latitude), \(sighting.place.longitude))"
            + (sighting.timeUncertain ? ", time uncertain" : "")
    }

    private var record: [String] {
        ["Record:     \(pack.audit.count) audit entries, linked to a chain of \(pack.checkpoint.length)"]
            + (pack.unrecordedSightings > 0
                ? ["            \(pack.unrecordedSightings) of the sightings have no record from when they arrived"]
                : [])
    }

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
        let unsigned = pack.partners.unsigned
        let signed = pack.partners.signers.flatMap { signer in
            [
                "Partner:    \(signer.name) signed \(Self.sightings(signer.sightings)) by its own stations"
                    + (signer.partial > 0 ? ", \(signer.partial) of them only in part" : ""),
                "            with the key \(signer.fingerprint),",
                signer.isTrusted
                    ? "            which is the one that you gave"
                    : "            not checked, pinned \(show(signer.pinned)); ask its operator for it, and repeat with "
                        + "--partner-key",
            ]
        }
        return signed
            + (unsigned > 0 ? ["Unsigned:   \(Self.sightings(unsigned)) by partners’ stations"] : [])
    }

    private static func sightings(_ count: Int) -> String { count == 1 ? "1 sighting" : "\(count) sightings" }
}

extension Character {
    fileprivate var isControl: Bool {
        unicodeScalars.contains { [.control, .format, .lineSeparator].contains($0.properties.generalCategory) }
    }
}
