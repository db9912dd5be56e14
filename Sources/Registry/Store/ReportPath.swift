public import RegistryAPI

/// A report as its owner names it: `/v1/bikes/{bike}/reports/{report}`. There may be no such report on this bike, or no
/// such bike of this owner.
public struct ReportPath: Hashable, Sendable {
    public var id: ReportID
    public var bike: BikeID
    public var owner: OwnerID

    public init(_ id: ReportID, on bike: BikeID, of owner: OwnerID) {
        self.id = id
        self.bike = bike
        self.owner = owner
    }

    public init(_ report: MissingReport, of owner: OwnerID) { self.init(report.id, on: report.bike, of: owner) }
}
