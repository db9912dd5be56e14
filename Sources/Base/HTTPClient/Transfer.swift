import CCurl
import Glibc
import OperatingSystem
import Synchronization
import Syntax

/// Set from any thread to abort a transfer.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// The state that libcurl's callbacks fill during one exchange.
final class Transfer {
    let limit: Int
    let addresses: AddressPolicy
    let cancellation: CancellationFlag
    var body: [UInt8] = []
    var headers: [(name: String, value: String)] = []
    var isTooLarge = false
    var refusedAddress: NetworkAddress?
    /// Receives the body of a successful response in parts, instead of ``body``.
    var sink: (([UInt8]) -> Void)?
    /// The part of a message that is still to be sent.
    var upload: ArraySlice<UInt8> = []
    /// A mail server's last rejecting reply, with its enhanced status if it has one (RFC 2034).
    private(set) var refusal: (reply: Int, enhanced: String?)?
    private var isSuccess = false
    private var headerBytes = 0

    /// The most bytes of header fields, interim responses and trailers together. libcurl limits those of one header,
    /// but not trailers.
    private static let longestHeaders = 512 << 10

    init(limit: Int, addresses: AddressPolicy, cancellation: CancellationFlag) {
        self.limit = limit
        self.addresses = addresses
        self.cancellation = cancellation
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isSuccess, let sink {
            sink(Array(bytes))
            return bytes.count
        }
        guard bytes.count <= limit - body.count else {
            isTooLarge = true
            return 0  // any other count aborts the transfer
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        headerBytes += bytes.count
        guard headerBytes <= Self.longestHeaders else {
            isTooLarge = true
            return 0
        }
        let line = String(decoding: bytes, as: UTF8.self)
        noteMailReply(line)
        if line.begins(with: "HTTP/") {
            headers.removeAll()  // the final response follows an interim one
            isSuccess = line.split(at: " ").dropFirst().first?.begins(with: "2") == true
        } else {
            let parts = line.split(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return bytes.count }
            headers.append((parts[0].lowercased(), String(parts[1].trimming(scalars: \.properties.isWhitespace))))
        }
        return bytes.count
    }

    /// Records a rejection, such as “550 5.1.1 …”, since libcurl then sends QUIT, which is never rejected.
    private func noteMailReply(_ line: String) {
        let words = line.parts(betweenScalars: { [" ", "-", "\r", "\n"].contains($0) }, maxSplits: 2)
        guard let reply = words.first, reply.utf8.count == 3, let number = Int(reply), number >= 400 else { return }
        let parts = words.dropFirst().first?.split(at: ".", omittingEmptySubsequences: false) ?? []
        let isEnhanced = parts.count == 3 && parts.allSatisfy { (1...3).contains($0.utf8.count) && Int($0) != nil }
        refusal = (number, isEnhanced ? parts.joined(separator: ".") : nil)
    }

    /// Fills a buffer with the next part of the upload; returns 0 at its end.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = upload.prefix(buffer.count)
        buffer.copyBytes(from: part)
        upload = upload.dropFirst(part.count)
        return part.count
    }

    /// Opens the socket for an address, or returns CURL_SOCKET_BAD if the policy forbids it.
    func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        if addresses != .any {
            let peer = NetworkAddress(address)
            guard addresses.allows(peer) else {
                refusedAddress = peer
                return curl_socket_t(-1)
            }
        }
        return socket(
            address.pointee.family,
            address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol
        )
    }
}

extension NetworkAddress {
    /// Reads the address that libcurl is about to connect to.
    fileprivate init?(_ address: UnsafePointer<curl_sockaddr>) {
        // `addr` is the start of a longer structure: keep the pointer to the whole, not a copy of the field.
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
        let raw = UnsafeRawPointer(address) + offset
        switch address.pointee.family {
        case AF_INET: self.init(v4: UInt32(bigEndian: raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6: self.init(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }
}

// libcurl passes to each callback the pointer that was set with it: the Transfer, which outlives curl_easy_perform.
private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

func sendBody(
    _ buffer: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.send(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) ?? 0
}

func openSocket(
    context: UnsafeMutableRawPointer?, purpose: curlsocktype, address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address, let transfer = transfer(context) else { return curl_socket_t(-1) }
    return transfer.open(address)
}

/// Called by libcurl at least once a second; a result other than zero aborts the transfer.
func checkCancellation(
    context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
    transfer(context)?.cancellation.isSet == true ? 1 : 0
}
