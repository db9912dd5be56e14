import Crypto
public import RegistryAPI

/// The key for hashing bikes' numbers, so that they can be looked up without being compared.
///
/// It is made once, together with the table of the numbers, and is in every backup. Without a key, the number behind a
/// hash in an index, a journal or an error could be found by trying all numbers.
public struct NumberKey: Sendable {
    private let key: SymmetricKey

    /// - Parameter bytes: 32 random bytes.
    public init(bytes: some Sequence<UInt8>) { key = SymmetricKey(data: Array(bytes)) }

    /// New bytes for a key.
    public static func makeBytes(using generator: inout some RandomNumberGenerator) -> [UInt8] { generator.bytes(32) }

    /// The hash for looking up a number.
    public func digest(of number: BikeNumber) -> SecretDigest { digest("number " + number.text) }

    /// The hash for looking up numbers that may have been misread as this one.
    public func foldedDigest(of number: BikeNumber) -> SecretDigest { digest("folded \(number.folded)") }

    /// A name for the consent that was given at a time to check a bike's number. It is different for each consent, so
    /// that the journal of revocations does not undo a later consent.
    public func consent(to number: BikeNumber, of bike: BikeID, at time: Timestamp) -> SecretDigest {
        digest("consent \(number.text) \(bike) \(time.milliseconds)")
    }

    /// The factor that hides numbers from one partner, and from no other: two partners together cannot ask more often.
    public func hiding(from partner: PartnerID) -> NumberHiding {
        NumberHiding(key: digest("hidden from partner \(partner)").bytes)
    }

    private func digest(_ text: String) -> SecretDigest {
        SecretDigest(of: Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)))
    }
}
