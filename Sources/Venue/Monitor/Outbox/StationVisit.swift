public import Beacons
public import RegistryAPI

/// A visit as stored by the station, with what is still missing before it can be reported completely.
public struct StationVisit: Hashable, Sendable {
    public var visit: Visit
    /// Set while the visit's wall times are not trusted.
    public var span: BootSpan?
    /// Whether the visit must wait for the station's place.
    public var isPlaceless: Bool

    public init(_ visit: Visit, span: BootSpan? = nil, isPlaceless: Bool = false) {
        self.visit = visit
        self.span = span
        self.isPlaceless = isPlaceless
    }

    /// The visit as it is reported now: with its age if wall time is not known.
    ///
    /// For a visit from an earlier boot whose clock was never synchronised, it is only known that it was before this
    /// boot.
    func reported(by clock: StationClock) -> Visit {
        guard let span else { return visit }
        var reported = visit
        let last = span.boot == clock.boot ? span.last : ScanInstant(nanoseconds: 0)
        reported.timeUncertain = true
        let age = max(0, last.duration(to: clock.now).seconds)
        reported.secondsAgo = min(age, Double(Visit.secondsAgoBounds.upperBound))
        return reported
    }
}

/// The time span of a visit by the boot clock: all that is known until wall time is trusted.
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
