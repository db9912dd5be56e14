public import Beacons
public import RegistryAPI
public import Scanning

extension StationHeartbeat {
    /// How a station fares.
    ///
    /// - Parameters:
    ///   - listVersion: of the list that is matched against; zero before the first.
    ///   - now: on the radios' time line.
    public init(version: String, radios: [RadioHealth], listVersion: UInt64, now: ScanInstant) {
        self.init(
            version: version, adapters: radios.prefix(16).map { AdapterHealth($0, now: now) },
            listVersion: listVersion > 0 ? listVersion : nil
        )
    }
}

extension StationHeartbeat.AdapterHealth {
    fileprivate init(_ radio: RadioHealth, now: ScanInstant) {
        let silence = radio.lastReport.map { max(.zero, $0.duration(to: now)) }
        self.init(
            name: String(radio.adapter.prefix(32)), state: radio.state.rawValue,
            silentSeconds: silence.map { Int($0.components.seconds) }, reports: radio.reports, dropped: radio.dropped,
            lastError: radio.lastError.map(Self.line)
        )
    }

    /// On one line and short, as the registry takes it.
    private static func line(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(200).map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
