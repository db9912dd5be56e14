public import Beacons
public import RegistryAPI

/// When a visit was, by the boot clock: all that is known before a wall time can be believed.
public struct BootSpan: Hashable, Sendable {
    public var boot: BootID
    public var first: ScanInstant
    public var last: ScanInstant

    public init(boot: BootID, first: ScanInstant, last: ScanInstant) {
        self.boot = boot
        self.first = first
        self.last = last
    }
}

/// A visit as the station keeps it, with what is still missing before all of it can be reported.
public struct StationVisit: Hashable, Sendable {
    public var visit: Visit
    /// Set while the visit's wall times cannot be believed.
    public var span: BootSpan?
    /// Whether the visit must wait for the station to know where it is.
    public var isPlaceless: Bool

    public init(_ visit: Visit, span: BootSpan? = nil, isPlaceless: Bool = false) {
        self.visit = visit
        self.span = span
        self.isPlaceless = isPlaceless
    }

    /// The visit as it is reported now: by how long ago it was if wall time is not known.
    ///
    /// Of a visit in an earlier boot whose clock never was synchronised, only that it was before this boot is known.
    func told(by clock: StationClock) -> Visit {
        guard let span else { return visit }
        var told = visit
        let last = span.boot == clock.boot ? span.last : ScanInstant(nanoseconds: 0)
        told.timeUncertain = true
        told.secondsAgo = min(max(0, last.duration(to: clock.now).seconds), 2_592_000)
        return told
    }
}
