import Foundation
import TestSupport
import Testing

@testable import HCI

/// Bumble's controllers: advertisers on a virtual medium, and a scanner's controller behind a TCP socket.
struct VirtualAir {
    private let peer: PythonPeer

    init(advertisers: Int, extended: Bool) throws {
        let script = try #require(Bundle.module.path(forResource: "air", ofType: "py", inDirectory: "Fixtures"))
        peer = try PythonPeer(
            script, ["\(advertisers)"] + (extended ? ["--extended"] : []),
            interpreter: Repository.path(".build/venv/bin/python"),
            remedy: "run ‘scripts/prepare.sh tests’, which installs bumble in .build/venv"
        )
    }

    var access: HCIAccess { .h4(.tcp(host: "127.0.0.1", port: UInt16(clamping: peer.port))) }
}
