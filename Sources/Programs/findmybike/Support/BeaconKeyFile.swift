import Beacons
import CommandSupport
import Foundation
import OperatingSystem
import Terminal

/// A file with the key of a rotating beacon: 32 hexadecimal digits. Never an argument, which other users can see.
struct BeaconKeyFile {
    /// `-` for standard input.
    let path: String

    /// The number of bytes that are read from standard input, which may never end.
    private static let longestInput = 4096

    /// - Throws: ``CommandFailure`` if the file cannot be read, if others can read it, or if it contains no key.
    func read() throws -> RotatingBeaconKey {
        guard let key = RotatingBeaconKey(hexadecimal: try text()) else {
            throw CommandFailure(.dataError, "\(path): expected a beacon’s key, which is 32 hexadecimal digits")
        }
        return key
    }

    private func text() throws -> String {
        guard path != "-" else {
            return String(decoding: StandardInput.data(upTo: Self.longestInput) ?? Data(), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        do {
            return try SecretFile(path: path).text()
        } catch .exposed {
            throw CommandFailure(.noPermission, "others can read the key in \(path): chmod 600 \(path)")
        } catch .unsuitable {
            throw CommandFailure(.noInput, "\(path) is not a file with a key: name the beacon’s key file")
        } catch .unreadable(let code) {
            throw CommandFailure(.noInput, "\(path): \(code.map { String(cString: strerror($0)) } ?? "is empty")")
        }
    }
}
