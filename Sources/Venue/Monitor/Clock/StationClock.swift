public import Beacons
public import RegistryAPI
import Synchronization

/// The station's time: durations by the boot clock, and wall time once the wall clock is synchronised.
///
/// A Raspberry Pi has no clock battery and may start in 1970. So only readings of a synchronised clock are used.
/// Between them the boot clock keeps time, and jumps of an unsynchronised wall clock have no effect. Once wall time is
/// known in a boot, it stays known, even if the network is lost later.
public final class StationClock: Sendable {
    /// One moment on both clocks, read while the wall clock was synchronised.
    struct Anchor: Hashable, Sendable {
        let boot: BootID
        let instant: ScanInstant
        let wall: Timestamp

        var timeline: WallTimeline { WallTimeline(instant, at: wall) }

        /// Of two readings in the same boot, the one that gives the earlier current time.
        static func earlier(_ one: Anchor?, _ other: Anchor) -> Anchor {
            guard let one, one.boot == other.boot, one.timeline.timestamp(of: other.instant) <= other.wall else {
                return other
            }
            return one
        }
    }

    private struct State {
        /// The last reading; nil if wall time is not known.
        var anchor: Anchor?
        /// The reading that gives the earliest current time.
        var earliest: Anchor?
    }

    private let source: ClockSource
    /// Nil unless a capture or simulation is played.
    private let playing: WallTimeline?
    private let state = Mutex(State())

    /// - Parameter playing: the wall time of a capture or simulation that is played; nil if the scanner's time line is
    ///   this machine's boot clock.
    public init(_ source: ClockSource, playing: WallTimeline? = nil) {
        self.source = source
        self.playing = playing
        observe()
    }

    public var boot: BootID { source.boot }
    /// The time since boot.
    public var now: ScanInstant { source.bootTime() }
    /// Whether wall time is known in this boot.
    public var isCertain: Bool { anchor != nil }
    /// Whether the wall clock is synchronised to a time source now.
    public var isSynchronised: Bool { source.isSynchronised() }
    /// The best estimate of wall time; the wall clock itself if nothing better is known.
    public var wallTime: Timestamp { timeline.timestamp(of: now) }

    /// The last reading of a synchronised wall clock in this boot; nil if there was none.
    var anchor: Anchor? { state.withLock(\.anchor) }
    /// The reading in this boot that gives the earliest current time; nil if wall time is not known.
    var earliest: Anchor? { state.withLock(\.earliest) }

    /// Wall time by the reading in this boot that gives the earliest time; nil if it is not known. Use it to delete
    /// things by age: a wall clock that jumps forward, even a synchronised one, must not make them old. The boot clock
    /// measures better how much time has passed since earlier readings.
    var earliestWallTime: Timestamp? { earliest?.timeline.timestamp(of: now) }

    /// The mapping from the boot clock to wall time.
    var timeline: WallTimeline { anchor?.timeline ?? WallTimeline(source.bootTime(), at: source.wallTime()) }

    /// The mapping from the scanner's time line to wall time, and whether it can be trusted.
    var scanTimeline: (timeline: WallTimeline, isCertain: Bool) {
        playing.map { ($0, true) } ?? (timeline, isCertain)
    }

    /// The time since a visit's bike was last heard, as far as it is known; zero for played time.
    func age(of kept: StationVisit) -> Duration {
        guard playing == nil else { return .zero }
        guard let span = kept.span else { return kept.visit.lastSeen.duration(to: wallTime) }
        return (span.boot == boot ? span.last : ScanInstant(nanoseconds: 0)).duration(to: now)
    }

    /// When a visit's bike was first heard, by the same clock; played time as it was played.
    func firstHeard(_ kept: StationVisit) -> Timestamp {
        guard playing == nil else { return kept.visit.firstSeen }
        let length = kept.visit.firstSeen.duration(to: kept.visit.lastSeen)
        return wallTime.advanced(by: .zero - max(.zero, age(of: kept)) - max(.zero, length))
    }

    /// Reads the wall clock, and uses the reading if the clock is synchronised.
    ///
    /// - Returns: the last usable reading; nil if there was none.
    @discardableResult
    func observe() -> Anchor? {
        guard source.isSynchronised() else { return anchor }
        let reading = Anchor(boot: source.boot, instant: source.bootTime(), wall: source.wallTime())
        state.withLock { state in
            state.anchor = reading
            state.earliest = .earlier(state.earliest, reading)
        }
        return reading
    }

    /// Restores what an earlier run of the program knew, if it ran in the same boot.
    ///
    /// - Parameters:
    ///   - anchor: its last reading.
    ///   - earliest: its reading that gave the earliest time.
    func restore(_ anchor: Anchor?, earliest: Anchor? = nil) {
        guard let anchor, anchor.boot == source.boot else { return }
        state.withLock { state in
            state.anchor = state.anchor ?? anchor
            for reading in [anchor, earliest] {
                if let reading, reading.boot == source.boot { state.earliest = .earlier(state.earliest, reading) }
            }
        }
    }
}

/// Maps a scanner's time line to wall time, from one moment that is known on both.
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
