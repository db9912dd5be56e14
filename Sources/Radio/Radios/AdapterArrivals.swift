import Scanning

/// Adds adapters that are plugged in later to the radios in use.
public struct AdapterArrivals: Sendable {
    private let radios: RadioSet
    private let adapters: @Sendable () -> any AsyncSequence<[String], Never>
    private let radio: @Sendable (String) -> (any RadioScanner)?

    /// - Parameters:
    ///   - radios: an open set.
    ///   - adapters: repeatedly yields the names of all adapters.
    ///   - radio: creates an adapter's scanner.
    init(
        to radios: RadioSet, from adapters: @escaping @Sendable () -> any AsyncSequence<[String], Never>,
        radio: @escaping @Sendable (String) -> (any RadioScanner)?
    ) {
        self.radios = radios
        self.adapters = adapters
        self.radio = radio
    }

    /// Watches the adapters until the task is cancelled.
    ///
    /// - Parameter onArrival: called with the name of each adapter that has joined.
    public func run(onArrival: (String) -> Void = { _ in }) async {
        for await names in adapters() {
            for name in names {
                if let radio = radio(name), radios.join(radio) { onArrival(name) }
            }
        }
    }
}
