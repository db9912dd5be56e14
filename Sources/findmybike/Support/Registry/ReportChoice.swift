import RegistryAPI
import RegistryClient

extension RegistryConnection {
    /// The report that a person means: the open one, or else the latest.
    func currentReport(on bike: Bike) async throws -> ReportID {
        if let open = bike.openReport { return open }
        let reports = try await RegistryConnection.all { cursor in
            try await patiently { try await self.reports(on: bike.id, after: cursor) }
        }
        guard let latest = reports.max(by: { $0.opened < $1.opened }) else {
            throw CommandFailure(.dataError, "\(bike.make) \(bike.model) was never marked missing")
        }
        return latest.id
    }
}
