import Glibc

/// An open file, which is closed with the last reference to it. Children do not inherit it.
final class Descriptor: Sendable {
    let number: Int32

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ action: String) {
            description = "\(action): \(String(cString: strerror(errno)))"
        }
    }

    private init(_ number: Int32, _ action: String) throws {
        guard number >= 0 else { throw Failure(action) }
        self.number = number
    }

    deinit { close(number) }

    convenience init(reading path: String) throws {
        try self.init(open(path, O_RDONLY | O_CLOEXEC), "reading \(path)")
    }

    /// Empties the file, or creates it.
    convenience init(writing path: String) throws {
        try self.init(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600), "writing \(path)")
    }

    /// Whether there is something to read, or the end, within this time. Blocks the thread.
    func isReadable(within time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        while true {
            let left = max(.zero, end - .now)
            var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let count = poll(&request, 1, Int32(clamping: left.components.seconds * 1000 + 1))
            if count > 0 { return true }
            guard left > .zero else { return false }
        }
    }

    /// A pair of sockets, since pipe2(2) is not imported, and a child that starts between pipe(2) and fcntl(2) would
    /// inherit an end and keep it open.
    static func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
        guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else { throw Failure("making a pipe") }
        return (try Descriptor(ends[0], ""), try Descriptor(ends[1], ""))
    }
}

/// Splits a descriptor's data into lines, and waits for each. The last line may lack its line feed.
struct LineReader {
    private let descriptor: Descriptor
    private var bytes: ArraySlice<UInt8> = []

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// The next line; nil at the end.
    mutating func next() -> String? {
        var searched = bytes.startIndex
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes = bytes[(end + 1)...] }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            searched = bytes.endIndex
            let more = read()
            guard !more.isEmpty else { break }
            bytes += more
        }
        defer { bytes = [] }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private func read() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
            var length: Int
            repeat {
                length = Glibc.read(descriptor.number, buffer.baseAddress, buffer.count)
            } while length < 0 && errno == EINTR
            count = max(0, length)
        }
    }
}
