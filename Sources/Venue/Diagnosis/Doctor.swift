import BlueZ
public import DBus

/// Examines once, without changing anything, all that a station or an owner's scan depends on.
public struct Doctor: Sendable {
    private let probes: DoctorProbes
    private let holder: TokenHolder
    private let location: LocationSettings?
    private let usesAdapters: Bool

    /// - Parameters:
    ///   - holder: the kind of token that the registry is tested with.
    ///   - location: the monitor's settings; nil if none are examined.
    ///   - usesAdapters: false if the monitor listens only with receivers in the network.
    public init(
        _ probes: DoctorProbes, as holder: TokenHolder, location: LocationSettings?, usesAdapters: Bool = true
    ) {
        self.probes = probes
        self.holder = holder
        self.location = location
        self.usesAdapters = usesAdapters
    }

    /// All checks, in the order of ``CheckSubject``.
    public func examine() async -> [Check] {
        async let registry = probes.registry()
        async let receivers = probes.receivers()
        let radio = usesAdapters ? await examineRadio() : CheckSubject.radio.map { $0.notApplicable(Self.unused) }
        let registryState = await registry
        var checks =
            await radio + ReceiverCheck.judge(receivers) + [
                ClockCheck.judge(probes.clock()),
                RegistryCheck.judge(registryState),
                TokenCheck.judge(registryState, of: holder),
                LocationCheck.judge(location),
            ]
        if case .invalidSettings = registryState {
            let dependent = [CheckSubject.receiver, .location].map { $0.notApplicable(CheckSubject.withoutSettings) }
            checks = checks.map { check in dependent.first { $0.identifier == check.identifier } ?? check }
        }
        return checks
    }

    private static let unused = "this machine’s adapters are not used (radio.backend: none)"

    /// The checks of ``CheckSubject/radio``.
    private func examineRadio() async -> [Check] {
        let files = probes.files
        let bluetooth = await BluetoothState.now(on: probes.bus)
        let version = await DaemonVersion.read(files, processID: bluetooth.processID)
        let controllers = ControllerBus.controllers(files)
        let interfaces = WirelessInterface.all(files, frequency: probes.wirelessFrequency)
        return [
            DaemonCheck.judge(bluetooth, version: version),
            PermissionCheck.judge(bluetooth),
            AdapterCheck.judge(bluetooth, controllers: controllers.keys.sorted()),
            RadioSwitchCheck.judge(RadioSwitch.all(files)),
            MonitorCheck.judge(bluetooth),
            KernelCheck.judge(
                release: files.text("/proc/sys/kernel/osrelease"),
                isMonitorOffered: bluetooth.adapters?.contains(where: \.offersMonitor) ?? false),
            WirelessCheck.judge(interfaces, controllers: controllers),
        ]
    }
}

/// The doctor's access to everything outside this process.
public struct DoctorProbes: Sendable {
    public var files: SystemFiles
    /// The system bus, on which bluetoothd is.
    public var bus: DBusAddress
    public var clock: @Sendable () -> ClockState
    /// Returns the frequency of a Wi-Fi interface in megahertz; nil if it is not known.
    public var wirelessFrequency: @Sendable (String) -> Int?
    public var registry: @Sendable () async -> RegistryState
    public var receivers: @Sendable () async -> ReceiverStates

    /// The probes of this machine, with no registry and no receivers configured.
    public init(
        files: SystemFiles = SystemFiles(),
        bus: DBusAddress = .system,
        clock: @escaping @Sendable () -> ClockState = ClockState.current,
        wirelessFrequency: @escaping @Sendable (String) -> Int? = WirelessFrequency.megahertz,
        registry: @escaping @Sendable () async -> RegistryState = { .notConfigured },
        receivers: @escaping @Sendable () async -> ReceiverStates = { .configured([]) }
    ) {
        self.files = files
        self.bus = bus
        self.clock = clock
        self.wirelessFrequency = wirelessFrequency
        self.registry = registry
        self.receivers = receivers
    }
}
