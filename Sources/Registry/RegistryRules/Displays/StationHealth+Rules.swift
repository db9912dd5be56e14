public import RegistryAPI

extension StationHealth {
    /// The age of the missing list, in seconds, after which it is too old to recognise bikes that are missing now.
    static let oldList = 3600

    /// The time without a heartbeat after which a station is silent; stations normally send one every few minutes.
    public static let silence = Duration.seconds(15 * 60)

    /// The time before which a station's last heartbeat makes it silent: every list, count and screen uses it.
    public static func silentBefore(_ now: Timestamp) -> Timestamp { now.advanced(by: .zero - silence) }

    /// What a station's last heartbeat says.
    ///
    /// - Parameter listAge: the age in seconds of the missing list in the last quarter of an hour that the station
    ///   reported; nil if it is unknown.
    public init(_ last: Station.ReceivedHeartbeat?, listAge: Int?, at time: Timestamp) {
        guard let last else {
            self.init(state: .starting)
            return
        }
        let isOld = listAge.map { $0 > Self.oldList } ?? false
        let state: State =
            if last.received < Self.silentBefore(time) {
                .silent
            } else if last.heartbeat.isDeaf {
                .deaf
            } else if last.heartbeat.listVersion == nil || isOld {
                .outdated
            } else {
                .listening
            }
        self.init(state: state, contact: last.received)
    }
}

extension StationHeartbeat {
    /// The seconds without any advertisement after which a receiver counts as failed.
    private static let quiet = 900

    /// Whether no receiver of the station works. One that has never heard anything does not count as one that works. A
    /// monitor that replays or simulates a radio reports no receiver, so its heartbeat says nothing about one.
    public var isDeaf: Bool {
        let works = adapters.contains { $0.state == "scanning" && ($0.silentSeconds ?? Self.quiet) < Self.quiet }
        return !adapters.isEmpty && !works
    }
}

extension Station.State {
    /// What a station's last heartbeat says to operators.
    ///
    /// - Parameters:
    ///   - heartbeat: when the last one came; nil if there was none.
    ///   - isDeaf: what it says about the receivers (``StationHeartbeat/isDeaf``).
    ///   - silentBefore: the time before which the last heartbeat makes a station silent
    ///     (``StationHealth/silentBefore(_:)``).
    public init(heartbeat: Timestamp?, isDeaf: Bool, silentBefore: Timestamp) {
        guard let heartbeat else {
            self = .new
            return
        }
        if heartbeat < silentBefore {
            self = .silent
        } else {
            self = isDeaf ? .deaf : .listening
        }
    }
}
