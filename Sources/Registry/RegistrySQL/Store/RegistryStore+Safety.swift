package import Beacons
package import RegistryAPI
package import RegistryRules

/// Requests of people who feel followed, and the look-up of beacons by the identities that they send.
extension RegistryStore {
    /// Whether this registry has ever issued or accepted an identity. Reveals nothing about its bike or its owner.
    public func isIssued(_ beacon: BeaconIdentity) async throws -> Bool {
        try await read { try SafetyRequests($0).isIssued(beacon) }
    }

    /// Stores a request. If there is one with this secret and the same contents, nothing happens.
    ///
    /// - Returns: false if there is another one with this secret; then nothing is stored.
    /// - Throws: `message(.tooManyConversations)`.
    public func addSafetyRequest(_ new: NewSafetyRequest) async throws -> Bool {
        try await write { try SafetyRequests($0).add(new) }
    }

    /// A request as its writer sees it; nil if there is none with this secret.
    public func safetyRequest(_ secret: SecretDigest) async throws -> SafetyRequest? {
        try await read { try SafetyRequests($0).find(secret) }
    }

    /// The open requests, the earliest first, with the registry's data about their beacons.
    public func safetyRequests(
        _ page: PageRequest<SafetyRequestID>
    ) async throws -> StoredPage<SafetyRequest, SafetyRequestID> {
        try await read { try SafetyRequests($0).page(page) }
    }

    /// Closes a request, with an answer or without.
    ///
    /// - Throws: `notFound`.
    public func closeSafetyRequest(
        _ id: SafetyRequestID, answer: String?, by act: OperatorAct
    ) async throws -> SafetyRequest {
        try await write { try SafetyRequests($0).close(id, answer: answer, by: act) }
    }
}

/// Stops of searches, and owners' objections.
extension RegistryStore {
    /// The stop of the search for a bike, as its owner reads it.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func searchStop(of bike: BikeID, by owner: OwnerID) async throws -> SearchStop {
        try await read { try SearchStops($0).find(of: bike, by: owner) }
    }

    /// Stores the owner’s only objection to a stop.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `objectionsUsedUp`.
    public func object(_ text: String, of bike: BikeID, by act: OwnerAct) async throws -> SearchStop {
        try await write { try SearchStops($0).object(text, of: bike, by: act) }
    }

    /// The objections that wait for an answer.
    public func objections(_ page: PageRequest<BikeID>) async throws -> StoredPage<StopReview, BikeID> {
        try await read { try SearchStops($0).page(page) }
    }

    /// Answers an objection. Notifies the owner on all channels.
    ///
    /// - Throws: `notFound`.
    public func answerObjection(_ text: String, of bike: BikeID, by act: OperatorAct) async throws -> StopReview {
        try await write { try SearchStops($0).answer(text, of: bike, by: act) }
    }
}

/// Signs of misuse.
extension RegistryStore {
    /// Open searches that an operator should look at.
    public func searchesToCheck(_ page: PageRequest<ReportID>) async throws -> StoredPage<SearchToCheck, ReportID> {
        try await read { try SearchSigns($0).page(page) }
    }

    public func noteSigns(limit: Int, at time: Timestamp) async throws -> Int {
        try await write { try SearchSigns($0).note(limit: limit, at: time) }
    }
}
