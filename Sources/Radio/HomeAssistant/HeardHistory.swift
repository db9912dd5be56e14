import Beacons

/// Decides which entries of Home Assistant's history are new.
///
/// Home Assistant says when it last heard each address, by its wall clock. An entry is new if that time has advanced
/// since the previous history, or if the address was not in it and was heard recently. When the wall clock is set, all
/// times jump: then no entry of that history is new.
struct HeardHistory {
    /// Differences of time in seconds that say nothing: a clock that is slewed, and a date in whole seconds.
    static let tolerance = 5.0
    /// How long an address that is new in a later history may be unheard, in seconds: somewhat more than the time
    /// between two histories.
    static let recent = 40.0

    /// When each address of the last history was last heard, by Home Assistant's wall clock in seconds.
    private var times: [BluetoothAddress: Double] = [:]
    private var isFirst = true
    /// Home Assistant's wall time in seconds at zero of the scan's clock; nil if it is not known.
    private var epoch: Double?
    /// How far back from the opening of the connection the first history is news, in seconds.
    private let missed: Double
    /// When the connection was opened, in seconds of the scan's clock. The first history can come much later.
    private let opened: Double

    /// - Parameters:
    ///   - date: Home Assistant's wall time when the connection was opened, if it said it.
    ///   - missed: the time without a connection, as far as it is wanted.
    init(date: Int64?, openedAt opened: ScanInstant, missed: Duration) {
        epoch = date.map { Double($0) - opened.seconds }
        self.opened = opened.seconds
        self.missed = missed / .seconds(1)
    }

    /// Processes a whole history; returns the news in it.
    mutating func take(_ history: [HomeAssistantAdvert], at now: ScanInstant) -> [HomeAssistantAdvert] {
        let newest = history.map(\.time).max()
        let isSetBack = history.contains { advert in
            guard let before = times[advert.address] else { return false }
            return advert.time < before - Self.tolerance
        }
        if isSetBack, let newest { epoch = newest - now.seconds }
        let wallTime = epoch.map { $0 + now.seconds }
        let isSetForward = if let newest, let wallTime { newest > wallTime + Self.tolerance } else { false }
        var news: [HomeAssistantAdvert] = []
        if isSetForward || epoch == nil {
            epoch = newest.map { $0 - now.seconds }
        } else if let epoch {
            // How far back an address that was not in the previous history counts as news.
            let horizon = isFirst ? opened - missed : now.seconds - Self.recent
            let oldest = epoch + horizon - Self.tolerance
            news = history.filter { advert in
                guard let before = times[advert.address] else { return advert.time >= oldest }
                return advert.time > before + Self.tolerance
            }
        }
        isFirst = false
        // Not more than a history has, so its length is the bound.
        times = Dictionary(history.map { ($0.address, $0.time) }, uniquingKeysWith: max)
        return news
    }

    /// Notes adverts that Home Assistant reports when it hears them.
    mutating func note(_ heard: [HomeAssistantAdvert], at now: ScanInstant) {
        for advert in heard {
            // A wall clock that is slewed is followed; an advert from the far future must not move it.
            if let epoch {
                let nearest = min(advert.time - now.seconds, epoch + Self.tolerance)
                self.epoch = max(epoch, nearest)
            }
            guard times.count < 2 * HomeAssistantMessage.maximumItems || times[advert.address] != nil else { continue }
            times[advert.address] = advert.time
        }
    }
}

extension ScanInstant {
    /// The seconds from the zero of the scan's clock.
    fileprivate var seconds: Double { ScanInstant(nanoseconds: 0).duration(to: self) / .seconds(1) }
}
