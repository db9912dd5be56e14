import CCurl

/// The reason why an exchange failed.
public enum HTTPError: Error, Hashable, Sendable {
    /// libcurl failed: its code and its message (libcurl-errors(3)), and whether it had sent any of the request.
    case transfer(code: UInt32, message: String, isSent: Bool = false)
    /// The ``AddressPolicy`` forbids the address of the host, which is given.
    case addressRefused(String)
    /// The body is larger than the limit in bytes.
    case responseTooLarge(limit: Int)
    /// The name or value of this header field contains a line break or another character that would forge a second
    /// field.
    case invalidHeader(String)

    /// Whether the certificate was the cause, so that waiting does not help.
    public var isCertificateProblem: Bool {
        guard case .transfer(let code, _, _) = self else { return false }
        return Self.certificateCodes.contains(code)
    }

    /// Whether the exchange timed out.
    public var isTimeout: Bool { code == CURLE_OPERATION_TIMEDOUT.rawValue }

    /// Whether the peer was reached and the connection ended before the response was complete.
    public var isBrokenOff: Bool {
        guard let code else { return false }
        return Self.brokenOffCodes.contains(code)
    }

    /// Whether the peer may have received the request, although no response arrived.
    public var isUnanswered: Bool { if case .transfer(_, _, let isSent) = self { isSent } else { false } }

    /// libcurl's code; nil if the error is not libcurl's.
    private var code: UInt32? {
        guard case .transfer(let code, _, _) = self else { return nil }
        return code
    }

    private static let brokenOffCodes: Set<UInt32> = [
        CURLE_HTTP2.rawValue, CURLE_PARTIAL_FILE.rawValue, CURLE_GOT_NOTHING.rawValue, CURLE_SEND_ERROR.rawValue,
        CURLE_RECV_ERROR.rawValue, CURLE_HTTP2_STREAM.rawValue,
    ]

    private static let certificateCodes: Set<UInt32> = [
        CURLE_SSL_CACERT_BADFILE.rawValue, CURLE_PEER_FAILED_VERIFICATION.rawValue, CURLE_SSL_ISSUER_ERROR.rawValue,
    ]
}

extension HTTPError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .transfer(let code, let message, _): "\(message) (curl \(code))"
        case .addressRefused(let address): "the address \(address) is not allowed here"
        case .responseTooLarge(let limit): "the answer is larger than \(limit) bytes"
        case .invalidHeader(let name): "the header field ‘\(name)’ contains an invalid character"
        }
    }
}

extension HTTPError {
    /// What failed and what people can do about it, for example after “the registry cannot be reached: ”. Only a rare
    /// failure of a transfer is given in libcurl's words.
    public var plainWords: String {
        guard case .transfer(let code, let message, _) = self else { return description }
        return switch code {
        case CURLE_COULDNT_RESOLVE_HOST.rawValue:
            "its name cannot be resolved. Check the address and the network"
        case CURLE_COULDNT_CONNECT.rawValue:
            "nothing answers at this address. Check the address and the network, or try again later"
        case CURLE_OPERATION_TIMEDOUT.rawValue:
            "it does not answer in time. Check the network, or try again later"
        case CURLE_SSL_CONNECT_ERROR.rawValue
        where message.contains("wrong version number") || message.contains("packet length"):
            "the address says https, but the server speaks http. Use http:// on this machine, or ask its operator"
        default: isBrokenOff ? "the connection broke off. Try again" : "\(message). Check the address and the network"
        }
    }
}
