/// How a scanner treats its adapter.
public struct BlueZOptions: Sendable {
    /// Whether an adapter that is off when it is found is switched on. One that somebody switches off later stays off until
    /// somebody switches it on or ``RecoveryStep/powerCycle`` is tried.
    public var powersAdapter = true

    /// Whether bluetoothd's advertisement monitor is used beside discovery where it is offered.
    ///
    /// It keeps reports of iBeacons coming where a controller filters duplicates of a discovery. It is never a heartbeat:
    /// alone it tells a still beacon once, and kernels before August 2024 tell once per monitor.
    public var usesMonitor = true

    /// How long bluetoothd may take to activate the monitor; then it is withdrawn, and discovery goes on without it.
    public var monitorTimeout = Duration.seconds(10)

    /// How long what was heard is gathered before it is delivered; also how often an empty batch comes. At most a second.
    public var batchInterval = Duration.milliseconds(250)

    /// Reports that are kept for a slow reader; more are dropped, and counted in ``AdapterHealth/dropped``.
    public var batchLimit = 16_384

    /// The first and the longest wait before a failed start of discovery is tried again; it doubles each time.
    public var retryWaits = Duration.seconds(1)...Duration.seconds(60)

    /// How long bluetoothd may take for one call.
    public var callTimeout = Duration.seconds(20)

    /// Called with what happens to the adapter; must return quickly.
    public var onEvent: @Sendable (AdapterEvent) -> Void = { _ in }

    public init() {}
}
