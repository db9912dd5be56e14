public import OperatingSystem
public import RegistryAPI

/// The signals that wake this process's services and requests after changes of the store, one for each kind of
/// ``StoreNews``.
public struct StoreSignals: Sendable {
    /// Wakes the ``AlertDispatcher``.
    public let alerts = WakeUp()
    /// Wakes ``Maintenance``.
    public let finds = WakeUp()
    /// Wakes ``StationJudgements``.
    public let judgements = WakeUp()
    /// Wakes the publisher of the missing list.
    public let missingList = WakeUp()
    /// Wakes live trails.
    public let trails = TrailSignal()

    public init() {}

    /// Wakes the services and requests that a change concerns, once the change is on disk.
    public func wake(for news: StoreNews) {
        if news.alerts { alerts.wake() }
        if news.finds { finds.wake() }
        if news.judgements { judgements.wake() }
        if news.missingList { missingList.wake() }
        if !news.trails.isEmpty { trails.wake(news.trails) }
    }

    /// Wakes the services that look for work: another process may have made some.
    public func wakeServices() {
        for signal in [alerts, finds, judgements] { signal.wake() }
    }
}

/// The work that a committed change may cause elsewhere in this process. A transaction collects it; once the change is
/// on disk, ``StoreSignals/wake(for:)`` wakes those who do it.
public struct StoreNews: Sendable {
    /// Alerts may be due.
    public var alerts = false
    /// Finds, or messages of finders, wait to be processed.
    public var finds = false
    /// Sightings must be judged again.
    public var judgements = false
    /// The missing list has a new version, or partners get another part of it.
    public var missingList = false
    /// The reports whose sightings have changed.
    public var trails: Set<ReportID> = []

    public init() {}
}
