package import RegistryAPI
package import RegistryRules

/// The sightings of missing bikes, and the links in alerts about them.
extension RegistryStore {
    /// Records visits from several stations in one transaction, and returns the result of each request; otherwise the
    /// same as ``record(_:)`` for one station.
    package func record(_ requests: [RecordRequest]) async throws -> [Result<[RecordedVisit], DomainError>] {
        try await write { try VisitRecording($0).record(requests) }
    }

    /// The sightings of a report in the order in which they were first stored.
    ///
    /// - Throws: `notFound` if this owner has no such report on this bike.
    public func sightings(
        of report: ReportPath, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64> {
        try await readJudged(of: report.id) { try Sightings($0).page(of: report, page) }
    }

    /// The sightings of a report in the order of their latest change, after a revision. Each change gives a sighting
    /// the next revision of its report. For a revision that the report has not reached, all sightings are returned:
    /// the caller saw it before the database was restored from an older copy.
    ///
    /// - Throws: `notFound` if this owner has no such report on this bike.
    public func sightingChanges(
        of report: ReportPath, after revision: Int64, limit: Int
    ) async throws -> [SightingChange] {
        try await readJudged(of: report.id) {
            try Sightings($0).changes(of: report, after: revision, limit: limit)
        }
    }

    /// Marks a sighting as known to be wrong: no further alerts are sent about it. While the report is open, the first
    /// dismissal in each hour is announced to the owner on all channels. Dismissing again changes nothing.
    ///
    /// - Throws: `notFound`.
    public func dismissSighting(
        _ id: VisitID, of report: ReportID, on bike: BikeID, by act: OwnerAct
    ) async throws -> Sighting {
        try await write { try Sightings($0).dismiss(id, of: report, on: bike, by: act) }
    }

    /// Records that an alert about a sighting was read: channels that wait for an acknowledgement get neither this
    /// sighting nor an earlier one of the report. Acknowledging again changes nothing.
    ///
    /// - Throws: `notFound`.
    public func acknowledgeSighting(
        _ id: VisitID, of report: ReportPath, at time: Timestamp
    ) async throws -> Sighting {
        try await write {
            try Acknowledgements($0).acknowledgeSighting(id, of: report, at: time)
        }
    }

    /// The data needed to check a link to an alert of sightings; nil if there is no such alert.
    public func linkedAlert(_ id: AlertID) async throws -> LinkedAlert? {
        try await read { try Acknowledgements($0).linkedAlert(id) }
    }

    /// Acknowledges all sightings of an alert as
    /// ``RegistryStore/acknowledgeSighting(_:of:at:)`` does for one.
    ///
    /// - Returns: their report; nil if there is no such alert.
    public func acknowledgeAlert(_ id: AlertID, at time: Timestamp) async throws -> ReportID? {
        try await write { try Acknowledgements($0).acknowledgeAlert(id, at: time) }
    }

    /// Reads sightings of a report: as a long read if they may have to be judged first.
    private func readJudged<Result: Sendable>(
        of report: ReportID, _ query: @escaping @Sendable (EngineTransaction) throws -> Result
    ) async throws -> Result {
        let result: Result? = try await read { db in
            guard let key = try Reports(db).key(of: report), try Sightings(db).areJudgedAgain(ofReport: key) else {
                return try query(db)
            }
            return nil
        }
        if let result { return result }
        return try await readAtLength(query)
    }
}
