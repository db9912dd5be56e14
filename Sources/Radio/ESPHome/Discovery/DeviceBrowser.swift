import Glibc
import OperatingSystem

/// Asks the network for ESPHome devices by multicast DNS, over IPv4 and from a separate port: one-shot queries, which
/// need no daemon and disturb none.
public actor DeviceBrowser {
    /// The query could not be sent; the code is the system's error number.
    public struct Failure: Error, CustomStringConvertible {
        let code: CInt

        public var description: String { "the network cannot be asked: \(String(cString: strerror(code)))" }
    }

    /// Where multicast DNS is sent (RFC 6762, section 3).
    private static let group = "224.0.0.251"
    /// The most datagrams that are read in one search.
    private static let maximumDatagrams = 2000
    /// How often the network is asked, each time for a second.
    private static let rounds = 3
    /// The most interfaces over which the network is asked.
    private static let maximumInterfaces = 32

    private let executor = QueueExecutor(label: "DeviceBrowser")
    private let port: UInt16

    nonisolated public var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter port: that of multicast DNS; another one for tests.
    public init(port: UInt16 = 5353) {
        self.port = port
    }

    /// Asks, and collects answers for about three seconds: a device may wait half a second before it answers, and a
    /// datagram may be lost. Blocks only the browser's own queue.
    public func search() throws(Failure) -> [FoundDevice] {
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        // Answers come from the same network (RFC 6762, section 11).
        var hops: CInt = 255
        setsockopt(descriptor, CInt(IPPROTO_IP), IP_MULTICAST_TTL, &hops, socklen_t(MemoryLayout<CInt>.size))
        var search = DeviceSearch()
        var datagramsLeft = Self.maximumDatagrams
        for _ in 0..<Self.rounds {
            // One interface that works is enough.
            var failure: CInt? = ENETUNREACH
            for interface in Self.interfaces {
                for query in search.queries where send(query, from: interface, descriptor) { failure = nil }
            }
            if let failure { throw Failure(code: failure) }
            collect(descriptor, for: .seconds(1), &datagramsLeft, &search)
        }
        return search.found
    }

    /// Sends a query over one interface; false if that fails.
    private func send(_ query: [UInt8], from interface: in_addr, _ descriptor: CInt) -> Bool {
        var interface = interface
        let size = socklen_t(MemoryLayout<in_addr>.size)
        guard setsockopt(descriptor, CInt(IPPROTO_IP), IP_MULTICAST_IF, &interface, size) == 0 else { return false }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        inet_pton(AF_INET, Self.group, &target.sin_addr)
        return withUnsafePointer(to: &target) { target in
            target.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                sendto(descriptor, query, query.count, 0, target, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        } == query.count
    }

    /// Takes the datagrams that arrive in some time, at most so many as are left.
    private func collect(
        _ descriptor: CInt, for length: Duration, _ datagramsLeft: inout Int, _ search: inout DeviceSearch
    ) {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: length)
        // One byte more than the longest message, so that a longer one is noticed.
        var buffer = [UInt8](repeating: 0, count: DNSMessage.maximumLength + 1)
        while datagramsLeft > 0 {
            let milliseconds = clock.now.duration(to: end) / .milliseconds(1)
            guard milliseconds > 0 else { return }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, CInt(milliseconds.rounded(.up))) > 0 else { continue }
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count > 0 {
                datagramsLeft -= 1
                search.take(Array(buffer[..<count]))
            }
        }
    }

    /// The IPv4 addresses of this machine's interfaces, at most ``maximumInterfaces``.
    private static var interfaces: [in_addr] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [in_addr] = []
        var next = list
        while let entry = next?.pointee, found.count < maximumInterfaces {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                entry.ifa_flags & UInt32(IFF_UP) != 0
            else { continue }
            found.append(
                address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr })
        }
        return found
    }
}
