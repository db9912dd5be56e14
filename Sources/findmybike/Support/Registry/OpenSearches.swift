import CommandLines
import RegistryAPI
import RegistryClient
import Terminal

/// The open reports of missing bikes: they tell whether anybody still looks for the bike.
struct OpenSearches {
    private let reports: [BikeID: MissingReport]

    /// Somebody with more missing bikes than this learns the rest from ‘report list’.
    private static let most = 20

    /// Asks the registry for the reports of the bikes that are missing.
    init(of bikes: [Bike], at registry: RegistryConnection) async throws {
        var reports: [BikeID: MissingReport] = [:]
        for bike in bikes.filter({ $0.openReport != nil }).prefix(Self.most) {
            reports[bike.id] = try await registry.openReport(on: bike)
        }
        self.reports = reports
    }

    /// The bike’s open report, if there is one.
    subscript(bike: Bike) -> MissingReport? { reports[bike.id] }

    /// Says of each bike that nobody looks for any more what its owner can do.
    func remark(on bikes: [Bike]) {
        for bike in bikes {
            if let remedy = self[bike]?.endedSearchRemedy { Output.line("\(bike.make) \(bike.model): \(remedy)") }
        }
    }
}

extension MissingReport {
    /// When the search for the bike of an open report ended; nil while stations look for it.
    var searchEnded: Timestamp? {
        guard closed == nil, let sightingsUntil, sightingsUntil <= .now else { return nil }
        return sightingsUntil
    }

    /// What to do once the search has ended. Only the registry's message says why it ended.
    var endedSearchRemedy: String? {
        guard let searchEnded else { return nil }
        let reference =
            MissingReport.isReference(policeReference)
            ? "" : ", or add a police reference with ‘findmybike report edit --police-reference …’"
        return
            "nobody has looked for it since \(searchEnded.local). The message on your channels tells why; ask the registry’s "
            + "operator\(reference)."
    }
}
