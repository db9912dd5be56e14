public import RegistryAPI

/// A report as a caller names it: `/v1/bikes/{bike}/reports/{report}`. The bike may not have this report, and the
/// caller may be neither the owner nor a member of the bike.
public struct ReportPath: Hashable, Sendable {
    public var id: ReportID
    public var bike: BikeID
    /// The caller: the bike's owner or a member.
    public var owner: OwnerID

    public init(_ id: ReportID, on bike: BikeID, of owner: OwnerID) {
        self.id = id
        self.bike = bike
        self.owner = owner
    }

    public init(_ report: MissingReport, of owner: OwnerID) { self.init(report.id, on: report.bike, of: owner) }
}
