package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func sightings(
        of report: ReportPath, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64> {
        try await readJudged { try Sightings($0).page(of: report, page) }
    }

    public func sightingChanges(
        of report: ReportPath, after revision: Int64, limit: Int
    ) async throws -> [SightingChange] {
        try await readJudged {
            try Sightings($0).changes(of: report, after: revision, limit: limit)
        }
    }

    public func dismissSighting(
        _ id: VisitID, of report: ReportID, on bike: BikeID, by act: OwnerAct
    ) async throws -> Sighting {
        try await write { try Sightings($0).dismiss(id, of: report, on: bike, by: act) }
    }

    public func acknowledgeSighting(
        _ id: VisitID, of report: ReportPath, at time: Timestamp
    ) async throws -> Sighting {
        try await write {
            try Acknowledgements($0).acknowledgeSighting(id, of: report, at: time)
        }
    }

    public func linkedAlert(_ id: AlertID) async throws -> LinkedAlert? {
        try await read { try Acknowledgements($0).linkedAlert(id) }
    }

    public func acknowledgeAlert(_ id: AlertID, at time: Timestamp) async throws -> ReportID? {
        try await write { try Acknowledgements($0).acknowledgeAlert(id, at: time) }
    }

    /// Reads sightings: as a long read if some of them may have to be judged first.
    private func readJudged<Result: Sendable>(
        _ query: @escaping @Sendable (EngineTransaction) throws -> Result
    ) async throws -> Result {
        let result = try await read { db in try StationJudgements(db).areUnderWay() ? nil : try query(db) }
        if let result { return result }
        return try await readAtLength(query)
    }
}
