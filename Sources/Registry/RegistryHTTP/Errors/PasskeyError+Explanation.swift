import Passkeys

extension PasskeyError {
    /// What is wrong with a passkey's answer, and what to do.
    var explanation: String {
        switch self {
        case .unknown:
            "This registry does not know the passkey: it was removed, or belongs to another account. Use another one, or a recovery code."
        case .wrongChallenge:
            "The challenge was used before or is too old. Ask for a new one, and use the passkey again."
        case .wrongOrigin, .wrongRelyingParty:
            "The passkey was used at another address than this registry’s public one. Open the registry at its own address."
        case .notVerified:
            "The device did not check that it is you. Set a PIN, a fingerprint or a face on it, or use another passkey."
        case .unsupportedKey: "The registry accepts passkeys with ES256 and RS256. Make one with another device."
        case .malformed, .wrongType, .wrongSignature:
            "What the browser sent is not a valid answer of this passkey. Try again, or use a recovery code."
        }
    }
}
