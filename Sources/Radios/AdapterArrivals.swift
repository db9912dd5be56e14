import Scanning

/// Lets adapters that are plugged in later join the radios that are listened to.
public struct AdapterArrivals: Sendable {
    private let radios: RadioSet
    private let adapters: @Sendable () -> any AsyncSequence<[String], Never>
    private let radio: @Sendable (String) -> (any RadioScanner)?

    /// - Parameters:
    ///   - radios: an open set.
    ///   - adapters: gives the names of all that are there, again and again.
    ///   - radio: makes an adapter's scanner.
    init(
        to radios: RadioSet, from adapters: @escaping @Sendable () -> any AsyncSequence<[String], Never>,
        radio: @escaping @Sendable (String) -> (any RadioScanner)?
    ) {
        self.radios = radios
        self.adapters = adapters
        self.radio = radio
    }

    /// Follows the adapters until the task is cancelled.
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
