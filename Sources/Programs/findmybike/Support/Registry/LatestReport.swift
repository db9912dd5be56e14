import CommandSupport
import RegistryAPI
import RegistryClient

extension RegistryConnection {
    /// The identifier of the bike's open report, or else of the latest.
    func latestReport(on bike: Bike) async throws -> ReportID {
        if let open = bike.openReport { return open }
        return try await wholeLatestReport(on: bike).id
    }

    /// The bike's open report, or else the latest, with all details.
    func wholeLatestReport(on bike: Bike) async throws -> MissingReport {
        let reports = try await allReports(on: bike)
        let open = reports.first { $0.id == bike.openReport }
        guard let latest = open ?? reports.max(by: { $0.opened < $1.opened }) else {
            throw CommandFailure(.dataError, "\(bike.make) \(bike.model) was never marked missing")
        }
        return latest
    }

    /// The open report of a bike; nil if it is not missing.
    func openReport(on bike: Bike) async throws -> MissingReport? {
        try await allReports(on: bike).first { $0.id == bike.openReport }
    }

    /// The report whose identifier begins with the text; the latest if the text is nil.
    func report(_ text: String?, on bike: Bike) async throws -> ReportID {
        guard let text else { return try await latestReport(on: bike) }
        if let id = ReportID(text) { return id }
        return try Choice(noun: "report", list: "findmybike report list", id: { "\($0.id)" }) {
            ["missing since \($0.missingSince.local)"]
        }.pick(text, among: try await allReports(on: bike)).id
    }

    private func allReports(on bike: Bike) async throws -> [MissingReport] {
        try await RegistryConnection.all { try await self.reports(on: bike.id, after: $0) }
    }
}
