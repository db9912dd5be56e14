import RegistryAPI
import Syntax

/// `README.txt`: explains the archive to a police officer who knows nothing about it.
struct EvidenceText {
    private let content: EvidenceContent
    private let pack: PackDescription
    private let key: PublishedKey

    init(_ content: EvidenceContent, _ pack: PackDescription, _ key: PublishedKey) {
        self.content = content
        self.pack = pack
        self.key = key
    }

    /// The text, with a line break at its end.
    var text: String {
        [introduction, heard, listened, files, limits, check].joined(separator: "\n\n")
            // CRLF, which every editor on every system shows correctly.
            .replacing(scalars: ["\n": "\r\n"]) + "\r\n"
    }

    private var introduction: String {
        let bike = content.bike
        let colours = bike.colours.map(\.rawValue).joined(separator: ", ")
        let reference = content.report.policeReference.map { "\nPolice reference: \($0)" } ?? ""
        return """
            EVIDENCE ABOUT A MISSING BIKE

            A small Bluetooth beacon is fixed to this bike. It sends a number, again and again. Listening stations in
            shops, cafes and garages hear the number when the bike is near, most often within 30 metres, and report it
            to a registry. This archive holds what the registry knows about one missing report.

            Bike:             \(bike.make) \(bike.model), \(bike.kind.rawValue), \(colours)
            Beacon's number:  \(bike.identity)
            Missing since:    \(content.report.missingSince) (all times are in UTC)
            Report:           \(content.report.id)\(reference)
            Archive made:     \(pack.made)
            """
    }

    private var heard: String {
        let share = pack.sightings
        var lines = ["WHERE IT WAS HEARD", ""]
        if let last = content.sightings.max(by: { $0.lastSeen < $1.lastSeen }) {
            let receiver = last.receiver.map { " (receiver “\($0.name)”)" } ?? ""
            lines += [
                "\(share.total) times, at \(content.stations.count) stations. Last at “\(last.station.name)”\(receiver),",
                "latitude \(last.place.latitude), longitude \(last.place.longitude), until \(last.lastSeen).",
            ]
        } else {
            lines.append("Nowhere yet.")
        }
        if share.included < share.total {
            lines.append("Only the newest \(share.included) are in this archive; the owner can show the others.")
        }
        if pack.auditEntries.included < pack.auditEntries.total {
            lines.append(
                "Of the \(pack.auditEntries.total) audit entries only the newest \(pack.auditEntries.included) are in it."
            )
        }
        return lines.joined(separator: "\n")
    }

    private var listened: String {
        let coverage = content.coverage
        var lines = ["WHERE STATIONS LISTENED AND DID NOT REPORT IT", ""]
        let spans = coverage.stations.flatMap(\.spans)
        if let first = spans.map(\.from).min(), let last = spans.map(\.until).max() {
            lines += [
                "Stations near the last known place, or near where the beacon was heard: \(coverage.stations.count).",
                "Some of them may be stations that heard it at other times. At times between",
                "\(first) and \(last) they listened for it, and had not reported it",
                "when this archive was made. coverage.json says at which times. “Near” means up to about 3 km; a",
                "station hears only 30 to 100 metres far. This does not prove that the beacon was somewhere else.",
            ]
        } else {
            lines += [
                "It is not known that any station nearby listened for the beacon at times when it did not report it.",
                "Stations may have been switched off, or may not tell when they listen.",
            ]
        }
        if coverage.spans < coverage.allSpans {
            lines.append("Only the newest \(coverage.spans) of \(coverage.allSpans) such times are in this archive.")
        }
        return lines.joined(separator: "\n")
    }

    private var files: String {
        """
        WHAT IS IN THE ARCHIVE

        sightings.csv       Each time that the beacon was heard; opens in a spreadsheet.
        sightings.json      The same for programs. Times are when it was first and last heard.
        sightings.gpx, sightings.geojson
                            The same for maps.
        bike.json           The bike as its owner registered it.
        report.json         The missing report as its owner made it.
        stations.json       The stations that heard it, their surveyed places and all moves.
        coverage.json       When stations nearby listened for the beacon and had not reported it.
        audit.json          The registry's record of who changed what about this report, and when.
        records.json        What the registry recorded of each sighting at the time; audit.json commits to it.
        partners.json       What other registries signed of the sightings by their own stations.
        chain.csv, checkpoint.txt, checkpoint.sig
                            These link the records to the registry's complete audit.
        MANIFEST, MANIFEST.sig, key.pem
                            Checksums of all files, and the registry's signature over them.
        pack.json           The contents of this archive, for programs.
        """
    }

    private var limits: String {
        """
        WHAT IT PROVES, AND WHAT IT DOES NOT PROVE

        The signature proves that the registry made this archive and that nothing in it was changed since. It does not
        prove that the registry's records are true:
        - The registry's operator holds the signing key and could have forged any of this.
        - A beacon can be copied. Anyone who has heard its number can send the same number elsewhere.
        - The beacon can be taken off the bike. What was heard is the beacon.
        - Nobody checked the owner's own statements (the bike, since when it is missing).
        - A place is the place of the station that heard the beacon, as its operator surveyed it ("accuracy" is the
          radius in metres, where known). The beacon was somewhere within radio range of it: most often within 30
          metres, in the open up to 100. Signal strength and "proximity" are rough hints, not distances.
        - A station can have several receivers. "receiver" names the one that heard the beacon best, and its place. The
          station says so itself; nobody surveyed it.
        - A time is that of the station's clock, which the network sets, most often right within a second. Where
          "timeUncertain" is true the clock had not been set yet, and the time was calculated back from the report.
          "received" is the registry's own clock.
        - "level" says how well sightings agree: "possible" (one station says so), "corroborated" (stations of two venues
          agree, or a person saw the described bike), "disputed" (something contradicts it; "reasons" says what).
          The registry judged all sightings again when it made this archive. No level excludes a copied beacon.
          "dismissed" marks what the owner does not believe.
        - A station whose name ends with "(via ...)" belongs to another registry, a partner. partners.json has what that
          registry signed when it passed the sighting on. Its signature proves that it said so, not that it is true.
          Only its own operator can tell whether the key is really its own.
        - Silence proves nothing: batteries run out, and stations are switched off. Even where coverage.json says that a
          station listened, the beacon may have been there: out of range, behind metal, without power, or heard in a
          report that was still on its way. A quarter of an hour is listed only if the station's radio worked for 14 of
          its 15 minutes (it heard other devices at least once a minute), and if the station had a list with this beacon
          all the time. The station says so itself, and the registry's audit does not record it. "area" is the middle
          of an area of about a kilometre; the registry's operator knows which station has this "id", and its place.
        """
    }

    private var check: String {
        """
        HOW TO CHECK IT

        With the registry's own tool (it prints "The pack is what the registry signed."):
            findmybike evidence verify FILE --key \(key.fingerprint)
        Compare this fingerprint with one from another source, such as the registry's operator by telephone: a forged
        archive can contain any fingerprint.

        Without it, on a computer with OpenSSL 3, in the folder with the unpacked files:
            openssl pkey -pubin -in key.pem -outform DER | sha256sum     must print the fingerprint
            openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in MANIFEST -sigfile MANIFEST.sig
            sha256sum -c MANIFEST

        This archive contains private information about the bike's owner. Keep it confidential.
        """
    }
}
