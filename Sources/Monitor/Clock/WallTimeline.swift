public import Beacons
public import RegistryAPI

/// Attaches wall time to a scanner's time line: one moment of both is known, the rest is arithmetic.
public struct WallTimeline: Hashable, Sendable {
    private let origin: ScanInstant
    private let wall: Timestamp

    /// - Parameters:
    ///   - origin: a moment on the scanner's time line.
    ///   - wall: the same moment on the wall clock.
    public init(_ origin: ScanInstant, at wall: Timestamp) {
        self.origin = origin
        self.wall = wall
    }

    public func timestamp(of instant: ScanInstant) -> Timestamp {
        wall.advanced(by: origin.duration(to: instant))
    }

    public func instant(of timestamp: Timestamp) -> ScanInstant {
        origin.advanced(by: wall.duration(to: timestamp))
    }
}
