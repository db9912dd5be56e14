import Synchronization

/// The radios in use: the initial ones, and those that join during the scan.
///
/// A radio that has joined stays. If its adapter is unplugged, its scanner waits for it, and ``RadioHealth/isPresent``
/// is false.
public final class RadioSet: Sendable {
    /// Whether radios may join.
    public let isOpen: Bool
    private let state: Mutex<State>

    private struct State {
        var radios: [any RadioScanner]
        /// Those that wait for radios to join.
        var readers: [AsyncStream<any RadioScanner>.Continuation] = []
    }

    /// - Parameter isOpen: whether other radios may join.
    public init(_ radios: [any RadioScanner], isOpen: Bool = false) {
        self.isOpen = isOpen
        state = Mutex(State(radios: radios))
    }

    /// The current radios, in the order in which they joined.
    public var radios: [any RadioScanner] { state.withLock(\.radios) }

    /// Adds a radio, unless the set is closed or already contains the adapter; returns whether it was added.
    @discardableResult
    public func join(_ radio: any RadioScanner) -> Bool {
        state.withLock { state in
            guard isOpen, !state.radios.contains(where: { $0.adapter == radio.adapter }) else { return false }
            state.radios.append(radio)
            state.readers.removeAll { reader in
                if case .terminated = reader.yield(radio) { true } else { false }
            }
            return true
        }
    }

    /// The current radios, then each that joins, in order; ends immediately if no more can join.
    func arrivals() -> AsyncStream<any RadioScanner> {
        let (stream, continuation) = AsyncStream.makeStream(of: (any RadioScanner).self)
        state.withLock { state in
            for radio in state.radios { continuation.yield(radio) }
            if isOpen { state.readers.append(continuation) } else { continuation.finish() }
        }
        return stream
    }
}
