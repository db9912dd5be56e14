import Glibc

/// Access to one controller: how it is opened, and what may be done to it.
public struct HCIAccess: Sendable {
    /// What a scanner may do with the controller.
    enum Role: Sendable {
        /// The kernel owns it and other programs use it too: scan only.
        case shared(HCIDevice?)
        /// It is ours alone: reset it and set it up.
        case owned
        /// Hear what others scan for; send nothing.
        case listener
    }

    /// The adapter's name, `hci0`, or the stream's address.
    public let adapter: String
    let role: Role
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

    /// Listens only: hears what bluetoothd or any other program scans for on `hci<index>`, and changes nothing; needs
    /// CAP_NET_RAW.
    public static func monitor(_ index: UInt16) -> HCIAccess {
        HCIAccess(adapter: "hci\(index)", role: .listener) { () throws(HCIError) in
            try await PacketSocket.open("hci\(index)", framing: .monitor(index: index)) { () throws(HCIError) in
                try HCISockets.monitor()
            }
        }
    }

    /// A controller behind a socket that speaks H4, ours alone.
    public static func h4(_ address: H4Address) -> HCIAccess {
        HCIAccess(adapter: "\(address)", role: .owned) { () throws(HCIError) in
            try await PacketSocket.open("\(address)", framing: .h4(H4Framer())) { () throws(HCIError) in
                try HCISockets.connect(address)
            }
        }
    }

    /// A controller behind a stream socket that is open already, ours alone; its descriptor is closed by the scanner.
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
