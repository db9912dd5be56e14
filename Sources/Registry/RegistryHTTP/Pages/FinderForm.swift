import Beacons
import Languages
import RegistryAPI
import RegistryRules
import Syntax

/// The filled-in form that begins a finder's conversation.
struct FinderForm {
    var code = ""
    var uuid = ""
    var major = ""
    var minor = ""
    var message = ""
    /// The secret of the conversation that the form begins.
    let key: ConversationSecret

    /// What is wrong with a form.
    enum Fault: Error, Hashable {
        case code, beacon, nothing, message

        func text(_ texts: FinderWords) -> String {
            switch self {
            case .code: texts.wrongCode
            case .beacon: texts.wrongBeacon
            case .nothing: texts.nothingNamed
            case .message: texts.wrongMessage
            }
        }
    }

    /// Whether the code can be one, so that the finder need not type it.
    var isCodeKnown: Bool { StickerCode(typed: code) != nil }

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
