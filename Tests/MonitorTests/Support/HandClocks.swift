import Beacons
import RegistryAPI
import Synchronization

@testable import Monitor

/// The clocks of a machine, moved by hand: what a Raspberry Pi's do between power and network.
final class HandClocks: Sendable {
    struct State {
        var boot = 1
        var bootTime: Duration = .seconds(20)
        /// What the wall clock shows less what it should show.
        var error: Duration = .zero
        var isSynchronised = true
        /// True time, in milliseconds since the epoch.
        var truth: Int64 = 1_795_241_585_000
    }

    let state = Mutex(State())

    /// - Parameter error: what the wall clock shows less what it should show.
    init(error: Duration = .zero, isSynchronised: Bool = true) {
        state.withLock { state in
            state.error = error
            state.isSynchronised = isSynchronised
        }
    }

    /// A clock that begins in 1970.
    static func withoutBattery() -> HandClocks {
        HandClocks(error: .milliseconds(-1_795_241_565_000), isSynchronised: false)
    }

    var truth: Timestamp { Timestamp(milliseconds: state.withLock(\.truth)) }

    /// As of now: a program that starts.
    func source() -> ClockSource {
        let boot = state.withLock(\.boot)
        return ClockSource(
            boot: BootID("boot-\(boot)"),
            bootTime: { [self] in
                ScanInstant(nanoseconds: 0).advanced(by: state.withLock(\.bootTime))
            },
            wallTime: { [self] in state.withLock { Timestamp(milliseconds: $0.truth).advanced(by: $0.error) } },
            isSynchronised: { [self] in state.withLock(\.isSynchronised) }
        )
    }

    func clock() -> StationClock { StationClock(source()) }

    func pass(_ duration: Duration) {
        state.withLock { state in
            state.bootTime += duration
            state.truth += Int64(duration / .milliseconds(1))
        }
    }

    /// Somebody or something sets the wall clock.
    func set(error: Duration, isSynchronised: Bool) {
        state.withLock { state in
            state.error = error
            state.isSynchronised = isSynchronised
        }
    }

    /// Power is cut and comes back.
    func reboot(after duration: Duration, error: Duration, isSynchronised: Bool) {
        state.withLock { state in
            state.boot += 1
            state.truth += Int64(duration / .milliseconds(1))
            state.bootTime = .seconds(20)
            state.error = error
            state.isSynchronised = isSynchronised
        }
    }
}
