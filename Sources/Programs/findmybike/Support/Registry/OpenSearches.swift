import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

/// The open reports of missing bikes, which show whether stations still look for the bike.
struct OpenSearches {
    private let reports: [BikeID: MissingReport]

    /// The maximum number of bikes, for each of which the registry is asked; ‘report list’ shows the rest.
    private static let maximumBikes = 20

    /// Requests the reports of the missing bikes from the registry.
    init(of bikes: [Bike], at registry: RegistryConnection) async throws {
        var reports: [BikeID: MissingReport] = [:]
        for bike in bikes.filter({ $0.openReport != nil }).prefix(Self.maximumBikes) {
            reports[bike.id] = try await registry.openReport(on: bike)
        }
        self.reports = reports
    }

    /// The bike’s open report, if there is one.
    subscript(bike: Bike) -> MissingReport? { reports[bike.id] }

    /// Prints a remedy for each bike that stations have stopped looking for.
    func remark(on bikes: [Bike]) {
        for bike in bikes {
            if let remedy = self[bike]?.endedSearchRemedy { Output.line("\(bike.make) \(bike.model): \(remedy)") }
        }
    }
}

extension MissingReport {
    /// The time at which the search of an open report ended; nil while stations look for the bike.
    var searchEnded: Timestamp? {
        guard closed == nil, let sightingsUntil, sightingsUntil <= .now else { return nil }
        return sightingsUntil
    }

    /// The remedy after the search has ended; nil while stations look for the bike. Only the registry's message gives
    /// the reason.
    var endedSearchRemedy: String? {
        guard let searchEnded else { return nil }
        let reference =
            MissingReport.isReference(policeReference)
            ? "" : ", or add a police reference with ‘findmybike report edit --police-reference …’"
        return
            "nobody has looked for it since \(searchEnded.local). The message on your channels says why; ask the "
            + "registry’s operator\(reference)."
    }
}
