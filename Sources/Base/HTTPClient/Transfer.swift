import CCurl
import Glibc
import OperatingSystem
import Synchronization
import Syntax

/// The state that libcurl's callbacks fill during one exchange. Used by one thread at a time.
final class Transfer {
    /// The maximum size of the body in bytes. A body that goes to ``sink`` is not limited.
    let limit: Int
    /// The addresses to which libcurl may connect.
    let addresses: AddressPolicy
    /// Aborts the transfer once it is set.
    let cancellation: CancellationFlag
    /// The body so far, after decompression.
    private(set) var body: [UInt8] = []
    /// The header fields of the final response, with names in lower case.
    private(set) var headers: [(name: String, value: String)] = []
    /// Whether the transfer was aborted because the body or the header fields exceed their limit.
    private(set) var isTooLarge = false
    /// The address to which ``addresses`` forbade to connect; nil if none was refused, or if it is not an Internet
    /// address.
    private(set) var refusedAddress: NetworkAddress?
    /// Receives the body of a successful response in parts, instead of ``body``.
    var sink: (([UInt8]) -> Void)?
    /// The part of a message that is still to be sent.
    var upload: ArraySlice<UInt8> = []
    /// A mail server's last rejection; nil if it rejected nothing.
    private(set) var mailRejection: MailRejection?
    /// Whether the status of the response is 2xx.
    private var isSuccess = false
    private var headerBytes = 0

    /// The maximum size in bytes of header fields, interim responses and trailers together. libcurl limits those of one
    /// header, but not trailers.
    private static let maximumHeaderBytes = 512 << 10

    init(limit: Int, addresses: AddressPolicy, cancellation: CancellationFlag) {
        self.limit = limit
        self.addresses = addresses
        self.cancellation = cancellation
    }

    /// Takes a part of the body; returns the number of bytes taken. Any other number than that of the part aborts the
    /// transfer (CURLOPT_WRITEFUNCTION(3)).
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isSuccess, let sink {
            sink(Array(bytes))
            return bytes.count
        }
        guard bytes.count <= limit - body.count else {
            isTooLarge = true
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Takes a status line, a header field, or a line of a mail server's reply; returns the number of bytes taken, as
    /// ``receive(_:)`` does.
    func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        headerBytes += bytes.count
        guard headerBytes <= Self.maximumHeaderBytes else {
            isTooLarge = true
            return 0
        }
        let line = String(decoding: bytes, as: UTF8.self)
        noteMailReply(line)
        if line.begins(with: "HTTP/") {
            // The fields so far are those of an interim response (RFC 9110, section 15.2).
            headers.removeAll()
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
        mailRejection = MailRejection(reply: number, enhanced: isEnhanced ? parts.joined(separator: ".") : nil)
    }

    /// Fills a buffer with the next part of the upload; returns 0 at its end.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = upload.prefix(buffer.count)
        buffer.copyBytes(from: part)
        upload = upload.dropFirst(part.count)
        return part.count
    }

    /// Opens the socket for an address; returns ``curlBadSocket`` if the policy forbids it.
    func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        if addresses != .any {
            let peer = NetworkAddress(address)
            guard addresses.allows(peer) else {
                refusedAddress = peer
                return curlBadSocket
            }
        }
        return socket(
            address.pointee.family,
            address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol
        )
    }
}

extension Transfer {
    /// A mail server's reply that rejects a command.
    struct MailRejection {
        /// 400…599 (RFC 5321, section 4.2).
        let reply: Int
        /// The enhanced status code, such as 5.1.1 (RFC 3463); nil if the reply has none.
        let enhanced: String?
    }
}

/// libcurl's CURL_SOCKET_BAD, a macro with a cast, which Swift does not import.
let curlBadSocket: curl_socket_t = -1

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

/// A flag that any thread sets to abort a transfer; it is never reset.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
