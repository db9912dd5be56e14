public import RegistryAPI

/// How bikes go from one owner to another.
public protocol TransferStore: Sendable {
    /// Keeps the code by which a new owner takes a bike; it replaces an earlier code of the same bike.
    ///
    /// - Throws: `notFound`, `bikeMissing`, `missingRecently`; while another bike of the owner is missing,
    ///   `recoveryCodeNeeded` and `codeUnusable`.
    func offerTransfer(of bike: BikeID, code: SecretDigest, expires: Timestamp, by act: OwnerAct) async throws

    /// Hands the bike of a code over to the owner who acts, and tells the owner before on all channels.
    ///
    /// Reports and sightings stay with the owner before, out of the new one's sight, until their time is over; so do
    /// notes and plate.
    /// - Throws: `codeUnusable`, `bikeMissing`, `missingRecently`, `idempotencyKeyReused`.
    func acceptTransfer(code: SecretDigest, by act: OwnerAct, once: IdempotencyKey?) async throws -> Bike
}

/// When bikes may change hands.
public enum TransferRules {
    /// How long after a bike was missing it stays with its owner.
    public static let waitAfterMissing = Duration.seconds(7 * 86_400)
}
