import Passkeys
import RegistryAPI
import RegistryRules

// Sessions and passkeys of owners.
extension Example {
    static let session = Session(
        id: id(13), name: "Firefox", signedIn: .passkey, scope: .manage, created: noon, expires: evening,
        confirmedUntil: evening, current: true
    )
    static let passkey = Passkey(id: id(14), name: "Phone", relyingParty: "registry.example.org", created: noon)
    static let signUp = SignUp(
        name: "Firefox",
        passkey: PasskeyRegistration(
            clientDataJSON: Base64URL("{}".utf8), authenticatorData: Base64URL(Array(repeating: 0, count: 37)),
            publicKey: Base64URL(Array(repeating: 0, count: 91)), publicKeyAlgorithm: -7)
    )
    static let signedUp = SignedUp(owner: owner, session: session, passkey: passkey, recoveryCodes: [code])

    static let challenge = PasskeyChallenge(
        challenge: Base64URL(Array(repeating: 0, count: 57)), relyingParty: passkey.relyingParty,
        user: Base64URL(Array(repeating: 0, count: 16)), algorithms: PasskeyAlgorithm.allCases.map(\.rawValue),
        expiresIn: PasskeyChallenges.lifetime
    )
}
