import Logging
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Makes the code that lets a new owner accept a bike. Calling it again is safe: a new code replaces the previous
    /// one.
    package func offerTransfer(of bike: BikeID, by act: OwnerAct) async throws -> Transfer {
        var entropy = entropy
        let code = OneTimeCode(using: &entropy)
        let expires = act.time.advanced(by: OneTimeCode.lifetime)
        try await store.offerTransfer(of: bike, code: code.digest, expires: expires, by: act)
        return Transfer(bike: bike, code: code.text, expires: expires)
    }

    /// Makes the caller the owner of the bike of a transfer code.
    package func acceptTransfer(
        _ acceptance: TransferAcceptance, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> Bike {
        let code = OneTimeCode(typed: acceptance.code).digest
        let bike = try await store.acceptTransfer(code: code, by: act, rotating: rotatingBeacons, once: once)
        await deletePictures()
        logger.info("bike transferred", metadata: ["bike": "\(bike.id)"])
        return bike
    }

    /// Stores a find, and has the beacon's holder notified after the response, so that the response time reveals
    /// nothing.
    ///
    /// - Parameter network: the bytes that all addresses of the sender's subscriber have in common;
    ///   nil if there is no address.
    package func tell(_ find: Find, from network: [UInt8]? = nil) async throws {
        let now = clock.now
        try await store.addFind(find, from: network.map { findSenders.sender(in: $0, at: now) }, at: now)
    }
}
