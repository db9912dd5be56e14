import Beacons
import Languages
import RegistryAPI
import RegistryRules
import Syntax

/// The form that begins a finder's conversation, or asks about a beacon, as it was filled in.
struct FinderForm {
    /// The sticker's code. The fields are as they were typed, and empty if nothing was.
    var code = ""
    var uuid = ""
    var major = ""
    var minor = ""
    var message = ""
    /// The secret of the conversation that the form begins.
    let key: ConversationSecret

    /// What is wrong with a form.
    enum Fault: Error, Hashable {
        /// This cannot be a sticker's code.
        case code
        /// The three values are not an identity.
        case beacon
        /// There is neither a code nor a value of a beacon.
        case nothing
        /// The message is empty or too long.
        case message

        /// What the page says about it.
        func text(_ texts: FinderWords) -> String {
            switch self {
            case .code: texts.wrongCode
            case .beacon: texts.wrongBeacon
            case .nothing: texts.nothingNamed
            case .message: texts.wrongMessage
            }
        }
    }

    /// Whether the code can be one, so that the page shows it instead of a field.
    var isCodeKnown: Bool { StickerCode(typed: code) != nil }

    /// Whether a value of a beacon was filled in.
    var hasBeacon: Bool { ![uuid, major, minor].allSatisfy(\.isEmpty) }

    /// The bike as the finder names it.
    var found: Result<FoundBike, Fault> {
        guard code.isEmpty else {
            return StickerCode(typed: code).map { .success(.sticker($0.digest)) } ?? .failure(.code)
        }
        guard hasBeacon else { return .failure(.nothing) }
        guard let uuid = ProximityUUID(uuid.trimmed), let major = UInt16(major.trimmed),
            let minor = UInt16(minor.trimmed)
        else { return .failure(.beacon) }
        return .success(.beacon(BeaconIdentity(uuid: uuid, major: major, minor: minor)))
    }
}

extension String {
    fileprivate var trimmed: Substring { trimming(scalars: \.properties.isWhitespace) }
}
