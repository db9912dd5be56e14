import Synchronization

/// The radios that are listened to: those given, and those that join while listening goes on.
///
/// A radio that has joined stays. Where its adapter is unplugged, its scanner waits for it, and
/// ``RadioHealth/isPresent`` says so.
public final class RadioSet: Sendable {
    /// Whether radios may join.
    public let isOpen: Bool
    private let state: Mutex<State>

    private struct State {
        var radios: [any RadioScanner]
        var readers: [AsyncStream<any RadioScanner>.Continuation] = []
    }

    public init(_ radios: [any RadioScanner], isOpen: Bool = false) {
        self.isOpen = isOpen
        state = Mutex(State(radios: radios))
    }

    /// Those of now, in the order in which they joined.
    public var radios: [any RadioScanner] { state.withLock(\.radios) }

    /// Adds a radio, unless the set is closed or holds the adapter already; answers whether it did.
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

    /// Those of now, then each that joins, in order; ends at once where none may join.
    func arrivals() -> AsyncStream<any RadioScanner> {
        let (stream, continuation) = AsyncStream.makeStream(of: (any RadioScanner).self)
        state.withLock { state in
            for radio in state.radios { continuation.yield(radio) }
            if isOpen { state.readers.append(continuation) } else { continuation.finish() }
        }
        return stream
    }
}
