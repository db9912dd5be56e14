import DBus

/// The adapters that bluetoothd shows: all of them, or those named.
public struct BlueZAdapters: Sendable {
    private let bus: BlueZBus
    private let names: Set<String>
    private let clock: any Clock<Duration>
    private let timeout = Duration.seconds(20)

    /// - Parameters:
    ///   - names: `hci0`, `hci1` …; none means all.
    ///   - clock: paces the questions to a bluetoothd that does not answer.
    public init(bus: BlueZBus, named names: [String] = [], clock: any Clock<Duration> = ContinuousClock()) {
        self.bus = bus
        self.names = Set(names)
        self.clock = clock
    }

    /// The adapters now, by name; none while bluetoothd does not run.
    public func list() async throws -> [BlueZAdapter] {
        try await list(on: bus.connection())
    }

    /// The adapters now, and again each time that one comes, goes or is switched on or off.
    ///
    /// It outlives bluetoothd and the bus: none are there meanwhile. It ends when the task that reads it is cancelled.
    public func changes() -> AsyncStream<[BlueZAdapter]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [BlueZAdapter].self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { await follow(continuation) }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func list(on connection: DBusConnection) async throws -> [BlueZAdapter] {
        try await connection.adapters(timeout: timeout).values
            .filter { names.isEmpty || names.contains($0.name) }
            .sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
    }

    private func follow(_ continuation: AsyncStream<[BlueZAdapter]>.Continuation) async {
        var known: [BlueZAdapter]?
        while !Task.isCancelled, let connection = try? await bus.connection() {
            let occasions = EventQueue<Bool>()
            do {
                let subscriptions = try await subscribe(connection, occasions)
                repeat {
                    occasions.removeAll { $0 }
                    let now = try await list(on: connection)
                    if now != known { continuation.yield(now) }
                    known = now
                } while await occasions.next() == true
                withExtendedLifetime(subscriptions) {}
            } catch {
                // The bus is gone, or bluetoothd hangs and is asked again later.
                if await !connection.isClosed { try? await clock.sleep(for: .seconds(5)) }
                if await !connection.isClosed { continue }
            }
            if !Task.isCancelled, known?.isEmpty == false {
                known = []
                continuation.yield([])
            }
        }
    }

    /// True is posted where it is worth while to look again, false where the bus is lost.
    private func subscribe(
        _ connection: DBusConnection, _ occasions: EventQueue<Bool>
    ) async throws -> [DBusSubscription] {
        let objects = DBusMatch(sender: BlueZNames.bus, interface: BlueZNames.objectManager)
        let properties = DBusMatch(
            sender: BlueZNames.bus, interface: BlueZNames.properties, member: "PropertiesChanged",
            argument0: BlueZNames.adapter
        )
        return [
            try await connection.observe(.owner(of: BlueZNames.bus), onEnd: { _ in occasions.post(false) }) { _ in
                occasions.post(true)
            },
            try await connection.observe(objects) { message in
                // Devices come and go all the time; their paths are longer.
                let isAdapter = message.arguments.text.flatMap(BlueZNames.adapterName) != nil
                if isAdapter { occasions.post(true) }
            },
            try await connection.observe(properties) { _ in occasions.post(true) },
        ]
    }
}
