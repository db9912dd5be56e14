/// The options of a scanner for its adapter.
public struct BlueZOptions: Sendable {
    /// Whether an adapter that is off is powered on: as soon as it is found, and after ``offWaits`` if it goes off
    /// later. bluetoothd does not say whether somebody switched it off or it went off by itself.
    public var powersAdapter = true

    /// How long an adapter that went off stays off before it is powered on, in case somebody switched it off on purpose:
    /// the first wait, which doubles each time that it goes off again, and the longest. It starts over after the adapter
    /// has been on for the longest wait.
    public var offWaits = Duration.seconds(600)...Duration.seconds(4 * 3600)

    /// Whether bluetoothd's advertisement monitor is used in addition to discovery, if available.
    ///
    /// It keeps delivering reports of iBeacons if a controller filters duplicates during discovery. It is never a
    /// heartbeat: alone it reports a stationary beacon once, and kernels before August 2024 report once per monitor.
    public var usesMonitor = true

    /// The maximum time for bluetoothd to activate the monitor; after it, the monitor is removed, and discovery
    /// continues alone.
    public var monitorTimeout = Duration.seconds(10)

    /// How long reports are collected before they are delivered, and the interval of empty batches. At most a second.
    public var batchInterval = Duration.milliseconds(250)

    /// The maximum number of reports kept for a slow reader; more are dropped, and counted in
    /// ``AdapterHealth/dropped``.
    public var batchLimit = 16_384

    /// The first and the longest wait before a failed start of discovery is retried; it doubles each time.
    public var retryWaits = Duration.seconds(1)...Duration.seconds(60)

    /// The maximum time for one call to bluetoothd.
    public var callTimeout = Duration.seconds(20)

    /// Called with each event of the adapter; must return quickly.
    public var onEvent: @Sendable (AdapterEvent) -> Void = { _ in }

    public init() {}
}
