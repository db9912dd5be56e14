public import RegistryAPI

/// The transfer of bikes from one owner to another.
public protocol TransferStore: Sendable {
    /// Stores the code with which a new owner accepts a bike; it replaces an earlier code of the same bike.
    ///
    /// - Throws: `notFound`, `bikeMissing`, `missingRecently`; while another bike of the owner is missing,
    ///   `recoveryCodeNeeded` and `codeUnusable`.
    func offerTransfer(of bike: BikeID, code: SecretDigest, expires: Timestamp, by act: OwnerAct) async throws

    /// Transfers the bike of a code to the owner who acts, and notifies the previous owner on all channels.
    ///
    /// Reports and sightings stay with the previous owner, invisible to the new one, until they expire;
    /// so do notes and plate.
    /// - Throws: `codeUnusable`, `bikeMissing`, `missingRecently`, `idempotencyKeyReused`.
    func acceptTransfer(code: SecretDigest, by act: OwnerAct, once: IdempotencyKey?) async throws -> Bike
}

/// The rules for transferring bikes.
public enum TransferRules {
    /// The time for which a bike stays with its owner after it has been missing.
    public static let waitAfterMissing = Duration.seconds(7 * 86_400)
}
