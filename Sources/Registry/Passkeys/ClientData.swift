import RegistryAPI

/// The browser's description of a ceremony, which the authenticator signs (Web Authentication, section 5.8.1).
struct ClientData {
    /// What the browser was asked for; the raw value is the JSON's `type`.
    enum Ceremony: String {
        case registration = "webauthn.create"
        case assertion = "webauthn.get"
    }

    /// The challenge that the browser was given; it is not checked yet.
    let challenge: [UInt8]

    /// Reads the browser's JSON, and checks the ceremony and the site.
    ///
    /// - Throws: `malformed`, `wrongType`, `wrongOrigin`.
    init(_ json: [UInt8], of ceremony: Ceremony, at party: RelyingParty) throws(PasskeyError) {
        guard case .object(let members)? = JSONValue(text: json), case .string(let type)? = members["type"],
            case .string(let text)? = members["challenge"], case .string(let origin)? = members["origin"],
            let challenge = Base64URL(text)
        else { throw .malformed }
        guard type.utf8.elementsEqual(ceremony.rawValue.utf8) else { throw .wrongType }
        let isFramed = members["crossOrigin"] == .bool(true) || members["topOrigin"] != nil
        guard origin.utf8.elementsEqual(party.origin.utf8), !isFramed else { throw .wrongOrigin }
        self.challenge = challenge.bytes
    }
}
