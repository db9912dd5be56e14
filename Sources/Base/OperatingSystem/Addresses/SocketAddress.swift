public import Glibc

extension sockaddr_un {
    /// The address of a Unix socket; nil if the path is longer than 107 bytes (unix(7)).
    public init?(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &sun_path) { field in
            guard bytes.count < field.count else { return false }
            field.copyBytes(from: bytes)
            return true
        }
        guard fits else { return nil }
    }
}

/// Passes an address, such as a `sockaddr_un`, to a system call as its pointer and its length.
///
/// - Returns: the call's result.
public func withSocketAddress<Address>(
    _ address: Address, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt
) -> CInt {
    withUnsafeBytes(of: address) { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return call(start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
}
