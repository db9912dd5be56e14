import HTTPTypes
import OperatingSystem
import RegistryAPI

extension HTTPRequest {
    /// Whether the target and each header field that the registry reads are ASCII.
    ///
    /// No other characters are allowed there (RFC 3986, section 2; RFC 9110, section 5.5). Swift compares text in
    /// normal form, for which it sorts combining marks: 8 kB of them cost 40 ms for each comparison. Fields that the
    /// registry does not read may contain anything: some proxies put the names of cities there.
    var isPlain: Bool {
        guard (path ?? "").utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        return headerFields.allSatisfy { field in
            field.value.utf8.allSatisfy { $0 < 0x80 } || !Self.read.contains(field.name)
        }
    }

    /// Whether the target and each header field have at most 8 kB, and there are at most 100 fields. The decoder of
    /// HTTP/1.1 has the same limits.
    var isShort: Bool {
        headerFields.count <= Self.fieldLimit && (path ?? "").utf8.count <= Self.fieldSizeLimit
            && headerFields.allSatisfy { $0.value.utf8.count <= Self.fieldSizeLimit }
    }

    /// The maximum number of header fields.
    static let fieldLimit = 100
    /// The maximum length of a field's value, and of the target, in bytes.
    static let fieldSizeLimit = 8 << 10

    /// The header fields of a request that this server, or the framework below it, reads.
    static let read: Set<HTTPField.Name> = {
        let standard: Set<HTTPField.Name> = [
            .accept, .acceptLanguage, .aIM, .authorization, .connection, .contentLength, .contentType, .expect,
            .ifMatch, .ifNoneMatch, .prefer, .transferEncoding,
        ]
        let others = [
            "Accept-Encoding", "Host", "Idempotency-Key", "Last-Event-ID", "Origin", "Sec-Fetch-Site",
            RecoveryCodeField.name,
        ]
        return standard.union((others + ForwardingField.allCases.map(\.rawValue)).compactMap { HTTPField.Name($0) })
    }()
}
