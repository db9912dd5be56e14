public import BlueZ
public import Scanning

/// Lets adapters that are plugged in later join the radios that are listened to.
public struct AdapterArrivals: Sendable {
    private let radios: RadioSet
    private let bus: BlueZBus
    private let options: BlueZOptions

    /// - Parameters:
    ///   - radios: an open set.
    ///   - bus: shared with the radios of the set.
    public init(to radios: RadioSet, bus: BlueZBus, options: BlueZOptions = BlueZOptions()) {
        self.radios = radios
        self.bus = bus
        self.options = options
    }

    /// Follows bluetoothd until the task is cancelled.
    ///
    /// - Parameter onArrival: told the name of each adapter that has joined.
    public func run(onArrival: (String) -> Void = { _ in }) async {
        for await adapters in BlueZAdapters(bus: bus).changes() {
            for adapter in adapters {
                let radio = BlueZScanner(adapter: adapter.name, bus: bus, options: options)
                if radios.join(radio) { onArrival(adapter.name) }
            }
        }
    }
}
