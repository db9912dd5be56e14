import CBluetooth
import Glibc
import OperatingSystem

/// Opens sockets to controllers. Each call blocks until the system has opened one, and returns its descriptor, which the
/// caller must close.
enum HCISockets {
    /// A raw socket of an adapter; needs CAP_NET_RAW. It receives only the events that answer commands, and those of
    /// Bluetooth Low Energy.
    static func raw(index: UInt16) throws(HCIError) -> CInt {
        let target = "the Bluetooth socket of hci\(index)"
        return try open(target, channel: HCI_CHANNEL_RAW, index: index) { descriptor in
            var filter = hci_filter()
            filter.type_mask = 1 << UInt32(HCI_EVENT_PKT)
            // A bit for each event, in two words of 32 bits.
            let commandComplete: UInt32 = 1 << UInt32(HCIEvent.commandComplete)
            let commandStatus: UInt32 = 1 << UInt32(HCIEvent.commandStatus)
            let leMeta: UInt32 = 1 << UInt32(HCIEvent.leMeta - 32)
            filter.event_mask = (commandComplete | commandStatus, leMeta)
            return setsockopt(descriptor, SOL_HCI, HCI_FILTER, &filter, socklen_t(MemoryLayout.size(ofValue: filter)))
        }
    }

    /// A socket of the kernel's monitor channel, which receives from all adapters and cannot send; needs CAP_NET_RAW.
    static func monitor() throws(HCIError) -> CInt {
        let noDevice: UInt16 = 0xFFFF  // HCI_DEV_NONE
        return try open("the Bluetooth monitor channel", channel: HCI_CHANNEL_MONITOR, index: noDevice) { _ in 0 }
    }

    private static func open(
        _ target: String, channel: CInt, index: UInt16, prepare: (CInt) -> CInt
    ) throws(HCIError) -> CInt {
        let descriptor = socket(AF_BLUETOOTH, CInt(SOCK_RAW.rawValue) | closeOnExec, BTPROTO_HCI)
        guard descriptor >= 0 else { throw .system(.open, target: target, code: errno) }
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(AF_BLUETOOTH)
        address.hci_dev = index
        address.hci_channel = UInt16(channel)
        guard prepare(descriptor) == 0, withSocketAddress(address, { bind(descriptor, $0, $1) }) == 0 else {
            throw failure(.open, target, descriptor)
        }
        enlargeReceiveBuffer(descriptor)
        return descriptor
    }

    /// A socket that is connected to a controller's stream. Over TCP each address of the host is tried for up to 5 s.
    static func connect(_ address: H4Address) throws(HCIError) -> CInt {
        switch address {
        case .unix(let path): try connectUnix(path, "\(address)")
        case .tcp(let host, let port): try connectTCP(host, port, "\(address)")
        }
    }

    private static func connectUnix(_ path: String, _ target: String) throws(HCIError) -> CInt {
        guard let address = sockaddr_un(path: path) else {
            throw .system(.connect, target: target, code: ENAMETOOLONG)
        }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | closeOnExec, 0)
        guard descriptor >= 0 else { throw .system(.connect, target: target, code: errno) }
        guard withSocketAddress(address, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw failure(.connect, target, descriptor)
        }
        return descriptor
    }

    private static func connectTCP(_ host: String, _ port: UInt16, _ target: String) throws(HCIError) -> CInt {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else {
            throw .system(.connect, target: target, code: EHOSTUNREACH)
        }
        defer { freeaddrinfo(found) }
        var lastError = EHOSTUNREACH
        var next = found
        while let candidate = next?.pointee {
            let descriptor = socket(candidate.ai_family, candidate.ai_socktype | closeOnExec, candidate.ai_protocol)
            limitBlocking(descriptor)
            if Glibc.connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 { return descriptor }
            lastError = errno
            if descriptor >= 0 { close(descriptor) }
            next = candidate.ai_next
        }
        throw .system(.connect, target: target, code: lastError)
    }

    private static let closeOnExec = CInt(SOCK_CLOEXEC.rawValue)

    /// Enlarges the receive buffer to 1 MiB, since reading pauses for some milliseconds after each burst, and the kernel
    /// must hold the data meanwhile. It allows up to `net.core.rmem_max`, or any size with CAP_NET_ADMIN.
    private static func enlargeReceiveBuffer(_ descriptor: CInt) {
        var size: CInt = 1 << 20
        let length = socklen_t(MemoryLayout<CInt>.size)
        if setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, length) != 0 {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, length)
        }
    }

    /// Limits connecting and sending to 5 s each, so that a host that is off does not block for minutes. The option is
    /// named for sending, but applies to connect(2) too (socket(7)).
    private static func limitBlocking(_ descriptor: CInt) {
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Closes the descriptor; returns the error of the call before.
    private static func failure(_ action: HCIError.Action, _ target: String, _ descriptor: CInt) -> HCIError {
        let error = HCIError.system(action, target: target, code: errno)
        close(descriptor)
        return error
    }
}
