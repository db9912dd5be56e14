import DBus

/// The adapters that bluetoothd provides: all, or those with the given names.
public struct BlueZAdapters: Sendable {
    private let bus: BlueZBus
    private let names: Set<String>
    private let clock: any Clock<Duration>
    /// The maximum time for one call to bluetoothd.
    private let timeout = Duration.seconds(20)

    /// - Parameters:
    ///   - names: the adapters' names, `hci0`, `hci1` …; empty means all.
    ///   - clock: the clock for retries if bluetoothd does not reply.
    public init(bus: BlueZBus, named names: [String] = [], clock: any Clock<Duration> = ContinuousClock()) {
        self.bus = bus
        self.names = Set(names)
        self.clock = clock
    }

    /// The current adapters in numerical order; empty while bluetoothd is not running.
    public func list() async throws -> [BlueZAdapter] {
        try await list(on: bus.connection())
    }

    /// The current adapters, and again each time that one is added, removed, or switched on or off.
    ///
    /// It survives restarts of bluetoothd and the bus; meanwhile the list is empty. It ends when the reading task is
    /// cancelled.
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
            // In numerical order: `hci2` before `hci10`.
            .sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
    }

    /// What ends the wait for a new list.
    private enum Occasion {
        /// An adapter may have been added, removed, or switched on or off.
        case change
        case busLost
    }

    /// Yields each new list of adapters, on one bus connection after the other, until the task is cancelled.
    private func follow(_ continuation: AsyncStream<[BlueZAdapter]>.Continuation) async {
        var yielded: [BlueZAdapter]?
        while !Task.isCancelled, let connection = try? await bus.connection() {
            let occasions = EventQueue<Occasion>()
            do {
                let subscriptions = try await subscribe(connection, occasions)
                repeat {
                    // One query serves all changes until now.
                    occasions.removeAll { $0 == .change }
                    let current = try await list(on: connection)
                    if current != yielded { continuation.yield(current) }
                    yielded = current
                } while await occasions.next() == .change
                withExtendedLifetime(subscriptions) {}
            } catch {
                // The bus connection is lost, or bluetoothd hangs and is queried again later.
                if await !connection.isClosed { try? await clock.sleep(for: .seconds(5)) }
                if await !connection.isClosed { continue }
            }
            if !Task.isCancelled, yielded?.isEmpty == false {
                yielded = []
                continuation.yield([])
            }
        }
    }

    /// Posts each occasion, as long as the returned subscriptions live.
    private func subscribe(
        _ connection: DBusConnection, _ occasions: EventQueue<Occasion>
    ) async throws -> [DBusSubscription] {
        let objects = DBusMatch(sender: BlueZNames.bus, interface: BlueZNames.objectManager)
        let properties = DBusMatch(
            sender: BlueZNames.bus, interface: BlueZNames.properties, member: "PropertiesChanged",
            argument0: BlueZNames.adapter
        )
        return [
            try await connection.observe(.owner(of: BlueZNames.bus), onEnd: { _ in occasions.post(.busLost) }) { _ in
                occasions.post(.change)
            },
            try await connection.observe(objects) { message in
                // Devices are added and removed all the time; their paths are longer.
                let isAdapter = message.arguments.text.flatMap(BlueZNames.adapterName) != nil
                if isAdapter { occasions.post(.change) }
            },
            try await connection.observe(properties) { _ in occasions.post(.change) },
        ]
    }
}
