/// The data that the authenticator signs (Web Authentication, section 6.1).
struct AuthenticatorData {
    /// The number of signatures so far; zero if the authenticator does not count them.
    let counter: UInt32
    /// The identifier of a new passkey; nil in an assertion.
    let credentialID: [UInt8]?

    /// The bytes of the site's hash (32), the flags (1) and the counter (4).
    private static let headLength = 37
    /// The longest identifier of a passkey (section 7.1).
    private static let longestID = 1023

    /// Reads the bytes, and checks the site and that the user is present and verified.
    ///
    /// - Throws: `malformed`, `wrongRelyingParty`, `notVerified`.
    init(_ bytes: [UInt8], at party: RelyingParty) throws(PasskeyError) {
        guard bytes.count >= Self.headLength else { throw .malformed }
        guard bytes[..<32].elementsEqual(party.idHash) else { throw .wrongRelyingParty }
        let flags = Flags(rawValue: bytes[32])
        guard flags.contains([.userPresent, .userVerified]) else { throw .notVerified }
        // A passkey that cannot be backed up is never backed up.
        guard !flags.contains(.backedUp) || flags.contains(.backupEligible) else { throw .malformed }
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        credentialID = flags.contains(.attestedCredential) ? try Self.credentialID(in: bytes) : nil
    }

    /// The identifier in the attested credential data, after the authenticator's model (16 bytes) and a length. The key
    /// that follows in CBOR is not read: the browser gives it in another form, too.
    private static func credentialID(in bytes: [UInt8]) throws(PasskeyError) -> [UInt8] {
        let modelLength = 16
        let start = headLength + modelLength + 2
        guard bytes.count >= start else { throw .malformed }
        let length = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
        guard (1...longestID).contains(length), bytes.count >= start + length else { throw .malformed }
        return Array(bytes[start..<start + length])
    }
}

/// The flags of section 6.1 that the registry checks.
private struct Flags: OptionSet {
    let rawValue: UInt8
    static let userPresent = Flags(rawValue: 0x01)
    static let userVerified = Flags(rawValue: 0x04)
    static let backupEligible = Flags(rawValue: 0x08)
    static let backedUp = Flags(rawValue: 0x10)
    static let attestedCredential = Flags(rawValue: 0x40)
}
