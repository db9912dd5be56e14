public import Beacons
public import RegistryAPI
import RegistryClient
public import Scanning
import Syntax

extension StationHeartbeat {
    /// The health of a station.
    ///
    /// - Parameters:
    ///   - listVersion: the version of the list in use; zero before the first.
    ///   - now: the time on the radios' time line.
    public init(version: String, radios: [RadioHealth], listVersion: UInt64, now: ScanInstant) {
        self.init(
            version: version, adapters: Self.worst(radios).map { AdapterHealth($0, now: now) },
            listVersion: listVersion > 0 ? listVersion : nil
        )
    }

    /// The registry accepts 16 radios; if there are more, those that do not listen come first.
    private static func worst(_ radios: [RadioHealth]) -> ArraySlice<RadioHealth> {
        guard radios.count > 16 else { return radios[...] }
        return (radios.filter { $0.state != .scanning } + radios.filter { $0.state == .scanning }).prefix(16)
    }
}

extension StationHeartbeat.AdapterHealth {
    /// Names and errors are cut to the lengths that the registry accepts.
    fileprivate init(_ radio: RadioHealth, now: ScanInstant) {
        let silence = radio.lastReport.map { max(.zero, $0.duration(to: now)) }
        self.init(
            name: String(radio.adapter.prefix(32)), state: radio.state.rawValue,
            silentSeconds: silence.map { Int($0.components.seconds) }, reports: radio.reports, dropped: radio.dropped,
            lastError: radio.lastError.map { $0.line(atMost: 200) }
        )
    }
}
