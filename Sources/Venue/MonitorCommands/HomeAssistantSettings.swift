import Glibc
import HomeAssistant
import OperatingSystem

/// A Home Assistant in the settings.
struct HomeAssistantSettings: Sendable {
    /// The shortest `presence.lostAfter` in seconds: a beacon that stays is heard every 30 s, and one hearing may be
    /// missed.
    static let shortestStay = 90

    let address: HomeAssistantAddress
    let tokenFile: String
    let certificateAuthority: String?

    /// - Parameters:
    ///   - parts: the names of its radios by their addresses.
    ///   - others: the names of other receivers.
    func server(_ name: String, parts: [String: String], others: Set<String>) -> HomeAssistantScanner.Server {
        .init(
            name: name, address: address, certificateAuthority: certificateAuthority, names: parts, otherNames: others,
            token: { self.token() })
    }

    /// The token in the file.
    func token() -> Result<String, HomeAssistantError> {
        do throws(SecretFile.Failure) {
            let text = try SecretFile(path: tokenFile).text()
            // Tokens are JSON Web Tokens of some 180 characters.
            guard (20...4096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                return .failure(
                    .noToken("\(tokenFile) is not a long-lived access token: copy it as Home Assistant shows it"))
            }
            return .success(text)
        } catch {
            return .failure(.noToken(error.remedy(for: "tokenFile", tokenFile, "a token")))
        }
    }
}

extension SecretFile.Failure {
    /// What is wrong with the file of a setting, and what to do.
    ///
    /// - Parameter content: what should be in it: `a key`.
    func remedy(for setting: String, _ path: String, _ content: String) -> String {
        switch self {
        case .exposed: "others can read \(setting) \(path): chmod 600 \(path)"
        case .unreadable(let code):
            "\(setting) \(path) cannot be read: \(code.map { String(cString: strerror($0)) } ?? "it is empty")"
        case .unsuitable: "\(setting) \(path) is not a file with \(content)"
        }
    }
}
