public import Beacons
public import RegistryAPI
import Synchronization

/// The station's time: durations by the boot clock, wall time once a time source holds the wall clock.
///
/// A Raspberry Pi has no clock battery and may begin in 1970. Only readings of a synchronised clock are taken; between
/// them the boot clock counts on, so that a clock that jumps while nothing holds it moves nothing. What was once known in
/// a boot stays known: a network that is lost later takes nothing away.
public final class StationClock: Sendable {
    /// One moment on both clocks, taken while the wall clock was synchronised.
    struct Anchor: Hashable, Sendable {
        let boot: BootID
        let instant: ScanInstant
        let wall: Timestamp

        var timeline: WallTimeline { WallTimeline(instant, at: wall) }
    }

    private let source: ClockSource
    private let playing: WallTimeline?
    private let state = Mutex<Anchor?>(nil)

    /// - Parameter playing: the wall time of a capture or simulation that is played; nil where the scanner's time line is
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
    /// Whether a time source holds the wall clock at this moment.
    public var isSynchronised: Bool { source.isSynchronised() }
    /// The best guess at wall time: the wall clock's own where nothing better is known.
    public var wallTime: Timestamp { timeline.timestamp(of: now) }

    var anchor: Anchor? { state.withLock(\.self) }

    /// Wall time beside the boot clock.
    var timeline: WallTimeline { anchor?.timeline ?? WallTimeline(source.bootTime(), at: source.wallTime()) }

    /// Wall time beside the scanner's time line, and whether it can be believed.
    var scanTimeline: (timeline: WallTimeline, isCertain: Bool) {
        playing.map { ($0, true) } ?? (timeline, isCertain)
    }

    /// How long ago a visit's bike was last heard, as far as that is known; nothing where time is played.
    func age(of kept: StationVisit) -> Duration {
        guard playing == nil else { return .zero }
        guard let span = kept.span else { return kept.visit.lastSeen.duration(to: wallTime) }
        return (span.boot == boot ? span.last : ScanInstant(nanoseconds: 0)).duration(to: now)
    }

    /// Looks at the wall clock, and takes its reading if a time source holds it.
    @discardableResult
    func observe() -> Anchor? {
        guard source.isSynchronised() else { return anchor }
        let reading = Anchor(boot: source.boot, instant: source.bootTime(), wall: source.wallTime())
        state.withLock { $0 = reading }
        return reading
    }

    /// Takes up what an earlier run of the program knew, if it ran in the same boot.
    func restore(_ earlier: Anchor?) {
        guard let earlier, earlier.boot == source.boot else { return }
        state.withLock { $0 = $0 ?? earlier }
    }
}

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
