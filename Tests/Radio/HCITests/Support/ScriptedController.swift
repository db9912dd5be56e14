import Beacons
import Dispatch
import Glibc
import Synchronization

@testable import HCI

/// The other end of a socket pair: replies to commands as a controller does, or as a test specifies.
final class ScriptedController: Sendable {
    /// The reply to a command, as complete packets with their type; nil for the usual success.
    typealias Script = @Sendable (_ opcode: UInt16, _ parameters: [UInt8]) -> [[UInt8]]?

    /// The scanner's end of the socket pair; the code that takes it must close it.
    let hostEnd: CInt
    private let controllerEnd: CInt
    private let queue = DispatchQueue(label: "ScriptedController")
    // Only cancelled after `init`, which Dispatch allows on any thread.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let script: Script
    private let features: UInt64
    private let state = Mutex(State())

    fileprivate struct State {
        var bytes: [UInt8] = []
        var commands: [Command] = []
        var observers: [Observer] = []
        var isClosed = false
    }

    fileprivate struct Observer {
        let isMet: @Sendable ([Command]) -> Bool
        let wake: CheckedContinuation<Void, Never>
    }

    struct Command: Equatable, Sendable {
        let opcode: UInt16
        let parameters: [UInt8]

        init(_ opcode: UInt16, _ parameters: [UInt8] = []) {
            self.opcode = opcode
            self.parameters = parameters
        }
    }

    /// - Parameters:
    ///   - kind: a stream (H4), or packets as on a raw socket.
    ///   - features: the reply to LE Read Local Supported Features.
    init(
        _ kind: __socket_type = SOCK_STREAM, features: UInt64 = 0, script: @escaping Script = { _, _ in nil }
    ) throws {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(kind.rawValue), 0, &ends) == 0 else { throw Failure(code: errno) }
        (hostEnd, controllerEnd) = (ends[0], ends[1])
        self.features = features
        self.script = script
        source = DispatchSource.makeReadSource(fileDescriptor: ends[1], queue: queue)
        let handler: @Sendable () -> Void = { [weak self] in self?.read() }
        source.setEventHandler(handler: handler)
        source.setCancelHandler { [end = ends[1]] in close(end) }
        source.resume()
    }

    struct Failure: Error { let code: CInt }

    deinit { source.cancel() }

    /// The commands received so far.
    var commands: [Command] { state.withLock(\.commands) }
    /// Whether the scanner's end has been closed.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Returns once the commands meet a condition.
    func commands(where isMet: @escaping @Sendable ([Command]) -> Bool) async {
        await withCheckedContinuation { wake in
            let isReady = state.withLock { state in
                if isMet(state.commands) { return true }
                state.observers.append(Observer(isMet: isMet, wake: wake))
                return false
            }
            if isReady { wake.resume() }
        }
    }

    /// Returns once the scan has been enabled this number of times.
    func scanning(_ times: Int = 1) async {
        await commands { $0.filter { Self.enables.contains($0) }.count >= times }
    }

    static let enables = [Command(0x200C, [1, 0]), Command(0x2042, [1, 0, 0, 0, 0, 0])]
    static let disables = [Command(0x200C, [0, 0]), Command(0x2042, [0, 0, 0, 0, 0, 0])]

    /// Sends bytes to the host unchanged.
    func send(_ bytes: [UInt8]) {
        queue.async { [controllerEnd] in _ = Glibc.send(controllerEnd, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
    }

    /// Sends an event as an H4 packet.
    func send(event: [UInt8]) { send([0x04] + event) }

    /// Returns once everything has been sent.
    func flushed() async { await withCheckedContinuation { wake in queue.async { wake.resume() } } }

    /// Closes the connection.
    func hangUp() { source.cancel() }

    static func complete(_ opcode: UInt16, _ parameters: [UInt8] = [0]) -> [UInt8] {
        [0x04, 0x0E, UInt8(3 + parameters.count), 1, UInt8(opcode & 0xFF), UInt8(opcode >> 8)] + parameters
    }

    static func status(_ opcode: UInt16, _ status: UInt8) -> [UInt8] {
        [0x04, 0x0F, 4, status, 1, UInt8(opcode & 0xFF), UInt8(opcode >> 8)]
    }

    private func read() {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = recv(controllerEnd, &piece, piece.count, 0)
        guard count > 0 else {
            state.withLock { $0.isClosed = true }
            return source.cancel()
        }
        let (new, ready) = state.withLock { state in
            state.bytes += piece.prefix(count)
            let new = state.takeCommands()
            let ready = state.observers.filter { $0.isMet(state.commands) }
            state.observers.removeAll { $0.isMet(state.commands) }
            return (new, ready)
        }
        for command in new {
            for answer in script(command.opcode, command.parameters) ?? [usualAnswer(to: command)] { send(answer) }
        }
        for observer in ready { observer.wake.resume() }
    }

    private func usualAnswer(to command: Command) -> [UInt8] {
        guard command.opcode == 0x2003 else { return Self.complete(command.opcode) }
        return Self.complete(command.opcode, [0] + (0..<8).map { UInt8(truncatingIfNeeded: features >> (8 * $0)) })
    }
}

extension ScriptedController.State {
    fileprivate mutating func takeCommands() -> [ScriptedController.Command] {
        var new: [ScriptedController.Command] = []
        while bytes.count >= 4, bytes.count >= 4 + Int(bytes[3]) {
            let end = 4 + Int(bytes[3])
            new.append(.init(UInt16(bytes[1]) | UInt16(bytes[2]) << 8, Array(bytes[4..<end])))
            bytes.removeFirst(end)
        }
        commands += new
        return new
    }
}

extension HCIAccess {
    /// A substitute for a raw socket: one packet per read, and the kernel sets the controller up.
    static func raw(_ controller: ScriptedController) -> HCIAccess {
        connected(adapter: "hci9", descriptor: controller.hostEnd, role: .shared(nil), framing: .packets)
    }

    static func h4(_ controller: ScriptedController) -> HCIAccess {
        h4(adapter: "h4", descriptor: controller.hostEnd)
    }
}
