import Beacons
import RegistryAPI
import Synchronization

@testable import Monitor

/// The clocks of a machine, set by hand, such as a Raspberry Pi's clocks before it has a network.
final class HandClocks: Sendable {
    struct State {
        var boot = 1
        var bootTime: Duration = .seconds(20)
        /// The error of the wall clock: its time minus true time.
        var error: Duration = .zero
        var isSynchronised = true
        /// True time, in milliseconds since the epoch.
        var truth: Int64 = 1_795_241_585_000
    }

    let state = Mutex(State())

    /// - Parameter error: the error of the wall clock: its time minus true time.
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

    /// The clock of a program that starts now.
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

    /// Sets the wall clock, as a person or a time service would.
    func set(error: Duration, isSynchronised: Bool) {
        state.withLock { state in
            state.error = error
            state.isSynchronised = isSynchronised
        }
    }

    /// Cuts the power and restores it.
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
