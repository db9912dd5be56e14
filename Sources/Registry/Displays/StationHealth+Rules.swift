public import RegistryAPI

extension StationHealth {
    /// A station sends a heartbeat every five minutes: less than a quarter of an hour without one is normal.
    static let silence = Duration.seconds(900)
    /// The seconds without any advertisement after which a receiver counts as failed.
    static let quiet = 900
    /// The age of the missing list, in seconds, after which it is too old to recognise bikes that are missing now.
    static let oldList = 3600

    /// What a station's last heartbeat says.
    ///
    /// - Parameter listAge: the age in seconds of the missing list in the last quarter of an hour that the station
    ///   reported; nil if it is unknown.
    public init(_ last: Station.ReceivedHeartbeat?, listAge: Int?, at time: Timestamp) {
        guard let last else {
            self.init(state: .starting)
            return
        }
        let hears = last.heartbeat.adapters.contains { adapter in
            adapter.state == "scanning" && (adapter.silentSeconds ?? 0) < Self.quiet
        }
        let state: State =
            if last.received.duration(to: time) >= Self.silence {
                .silent
            } else if !hears {
                .deaf
            } else if last.heartbeat.listVersion == nil || listAge.map({ $0 > Self.oldList }) ?? false {
                .outdated
            } else {
                .listening
            }
        self.init(state: state, contact: last.received)
    }
}
