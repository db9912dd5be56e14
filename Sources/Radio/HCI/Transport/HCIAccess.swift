import Glibc

/// Access to one controller: how to open it, and the permitted operations.
public struct HCIAccess: Sendable {
    /// The operations that a scanner may perform on the controller.
    enum Role: Sendable {
        /// The kernel owns it and other programs use it too: only scanning is permitted.
        case shared(HCIDevice?)
        /// Only this program uses it: it may be reset and configured.
        case owned
        /// Receives the results of other programs' scans, and sends nothing.
        case listener
    }

    /// The adapter's name, such as `hci0`, or the stream's address.
    public let adapter: String
    let role: Role
    /// Whether ``open`` can be called again after the connection was lost.
    let isReopenable: Bool
    let open: @Sendable () async throws(HCIError) -> any HCITransport

    init(
        adapter: String, role: Role, isReopenable: Bool = true,
        open: @escaping @Sendable () async throws(HCIError) -> any HCITransport
    ) {
        self.adapter = adapter
        self.role = role
        self.isReopenable = isReopenable
        self.open = open
    }

    /// A raw socket of the kernel's adapter `hci<index>`; needs CAP_NET_RAW.
    public static func device(_ index: UInt16) -> HCIAccess {
        HCIAccess(adapter: "hci\(index)", role: .shared(HCIDevice(index: index))) { () throws(HCIError) in
            try await PacketSocket.open("hci\(index)", framing: .packets) { () throws(HCIError) in
                try HCISockets.raw(index: index)
            }
        }
    }

    /// Receives the results of scans by bluetoothd or any other program on `hci<index>`, and changes nothing; needs
    /// CAP_NET_RAW.
    public static func monitor(_ index: UInt16) -> HCIAccess {
        HCIAccess(adapter: "hci\(index)", role: .listener) { () throws(HCIError) in
            try await PacketSocket.open("hci\(index)", framing: .monitor(index: index)) { () throws(HCIError) in
                try HCISockets.monitor()
            }
        }
    }

    /// A controller behind a socket that speaks H4, used only by this program.
    public static func h4(_ address: H4Address) -> HCIAccess {
        HCIAccess(adapter: "\(address)", role: .owned) { () throws(HCIError) in
            try await PacketSocket.open("\(address)", framing: .h4(H4Framer())) { () throws(HCIError) in
                try HCISockets.connect(address)
            }
        }
    }

    /// A controller behind an open stream socket, used only by this program; the scanner closes its descriptor.
    public static func h4(adapter: String, descriptor: CInt) -> HCIAccess {
        connected(adapter: adapter, descriptor: descriptor, role: .owned, framing: .h4(H4Framer()))
    }

    static func connected(
        adapter: String, descriptor: CInt, role: Role, framing: PacketFraming
    ) -> HCIAccess {
        let descriptor = Handover(descriptor)
        return HCIAccess(adapter: adapter, role: role, isReopenable: false) { () throws(HCIError) in
            try await PacketSocket.open(adapter, framing: framing) { () throws(HCIError) in
                guard let descriptor = descriptor.take() else { throw .notReopenable(target: adapter) }
                return descriptor
            }
        }
    }
}
