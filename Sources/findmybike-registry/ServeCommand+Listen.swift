import NIOCore

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension ServeCommand {
    /// Whether the server could not take its address.
    static func isListenFailure(_ error: any Error) -> Bool {
        guard let error = error as? IOError else { return error is SocketAddressError }
        return [EADDRINUSE, EACCES, EADDRNOTAVAIL].contains(error.errnoCode)
    }
}
