import Glibc
import Logging
import NIOCore
import RegistryHTTP
import ServiceLifecycle

/// A server that names the setting of its address if it cannot listen on it.
struct ListeningService<Server: Service>: Service {
    let server: Server
    let address: ListenAddress
    /// The key of the address's setting.
    let setting: String

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError where ListenError.codes.contains(error.errnoCode) {
            throw ListenError(address: address, setting: setting, code: error.errnoCode)
        } catch let error where error is SocketAddressError || error is SocketAddressError.UnknownHost {
            throw ListenError(address: address, setting: setting, code: nil)
        }
    }
}

/// The error that an address cannot be listened on.
struct ListenError: Error, CustomStringConvertible {
    let address: ListenAddress
    /// The key of the address's setting.
    let setting: String
    /// The system's error number; nil if the host's name is unknown.
    let code: Int32?

    /// The system's error codes for an address that cannot be used.
    static let codes: Set<Int32> = [EADDRINUSE, EACCES, EADDRNOTAVAIL]

    var description: String { "cannot listen on \(address): \(remedy)" }

    private var remedy: String {
        switch code {
        case EADDRINUSE:
            "another program uses it (‘ss -ltnp’ shows which): stop it, or set another address with ‘\(setting)’"
        case EACCES: "ports below 1024 are for root: set a higher one with ‘\(setting)’, behind a proxy"
        case EADDRNOTAVAIL:
            "this machine does not have this address (‘ip address’ lists its addresses): set one of them, or 0.0.0.0 "
                + "for all, with ‘\(setting)’"
        case nil: "the host name cannot be resolved: set an address of this machine with ‘\(setting)’"
        case .some(let code): "\(String(cString: strerror(code))): set another address with ‘\(setting)’"
        }
    }
}
