import PasskeyTestSupport
import Passkeys
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let sessions = [
        StoreContract("a passkey opens sessions while its counter grows; a copy is refused and announced") {
            store, stage in
            let owner = try await stage.owner()
            let passkey = try await stage.passkey(of: owner)
            let first = try await stage.signIn("a", by: .passkey(passkey, counter: 5))
            #expect(first?.signedIn == .passkey && first?.scope == .manage)
            #expect(try await stage.signIn("b", by: .passkey(passkey, counter: 5)) == nil)
            #expect(try await store.credential(token: SecretDigest(of: "b")) == nil)
            #expect(try await stage.signIn("c", by: .passkey(passkey, counter: 6)) != nil)
            let events = try await store.export(of: owner, at: stage.now).activity.map(\.action)
            #expect(events.contains("passkey.copied") && events.filter { $0 == "session.created" }.count == 2)
        },
        StoreContract("a session has the scope manage for some minutes, and lasts 90 days from its last use") {
            store, stage in
            let owner = try await stage.owner()
            let passkey = try await stage.passkey(of: owner)
            let session = try #require(try await stage.signIn("a", by: .passkey(passkey, counter: 0)))
            let end = stage.now.advanced(by: SessionState.confirmation)
            #expect(session.confirmedUntil == end && session.expires == stage.now.advanced(by: SessionState.lifetime))
            #expect(try await store.session(session.id, of: owner, at: end)?.scope == .report)
            // A clock that was set back does not prolong it.
            let before = stage.now.advanced(by: .seconds(-60))
            #expect(try await store.session(session.id, of: owner, at: before)?.scope == .report)
            stage.clock.advance(by: .days(1))
            try await store.noteUse(of: session.id, at: stage.now)
            let used = try #require(try await store.session(session.id, of: owner, at: stage.now))
            #expect(used.expires == stage.now.advanced(by: SessionState.lifetime) && used.lastUsed == stage.now)
            // A clock that was ahead is corrected.
            try await store.noteUse(of: session.id, at: before)
            #expect(try await store.session(session.id, of: owner, at: before)?.lastUsed == before)
            let result = try await store.confirmSession(
                session.id, by: .passkey(passkey, counter: 0), act: stage.act(of: owner))
            guard case .accepted(let confirmed) = result else { throw DomainError.passkeyCopied }
            #expect(confirmed.scope == .manage)
            let last = confirmed.expires
            #expect(try await store.session(session.id, of: owner, at: last) == nil)
            try await store.deleteLeftovers(at: last)
            #expect(try await store.credential(token: SecretDigest(of: "a")) == nil)
        },
        StoreContract("a session ends with the token or the passkey that opened it, and is no token") { store, stage in
            let owner = try await stage.owner(codes: ["code"])
            let token = try await stage.token("t", of: owner)
            let passkey = try await stage.passkey(of: owner)
            let pasted = try #require(try await stage.signIn("a", by: .token(SecretDigest(of: "t"))))
            #expect(pasted.scope == .read && pasted.confirmedUntil == nil)
            _ = try await stage.signIn("b", by: .passkey(passkey, counter: 0))
            let recovered = try #require(try await stage.signIn("c", by: .recoveryCode(SecretDigest(of: "code"))))
            #expect(recovered.scope == .manage)
            await #expect(throws: DomainError.codeUnusable) {
                _ = try await stage.signIn("d", by: .recoveryCode(SecretDigest(of: "code")))
            }
            await #expect(throws: DomainError.tokenUnusable) {
                _ = try await stage.signIn("d", by: .token(SecretDigest(of: "a")))
            }
            await #expect(throws: DomainError.notFound("token")) {
                try await store.revokeToken(pasted.id, by: stage.act(of: owner))
            }
            #expect(!(try await store.tokens(of: owner, PageRequest(limit: 9)).items.map(\.id)).contains(pasted.id))
            #expect(try await store.sessions(of: owner, at: stage.now, PageRequest(limit: 9)).items.count == 3)
            try await store.revokeToken(token.id, by: stage.act(of: owner))
            #expect(try await store.credential(token: SecretDigest(of: "a")) == nil)
            try await store.removePasskey(passkey, by: stage.act(of: owner))
            #expect(try await store.credential(token: SecretDigest(of: "b")) == nil)
            try await store.revokeSession(recovered.id, isOwn: false, by: stage.act(of: owner))
            #expect(try await store.sessions(of: owner, at: stage.now, PageRequest(limit: 9)).items.isEmpty)
        },
        StoreContract("the session that was unused longest makes room; passkeys are limited, and of one owner") {
            store, stage in
            let (owner, other) = (try await stage.owner(), try await stage.owner())
            let passkey = try await stage.passkey(of: owner)
            var made: [Session] = []
            for number in 0...SessionState.most {
                stage.clock.advance(by: .seconds(1))
                if let session = try await stage.signIn("s\(number)", by: .passkey(passkey, counter: 0)) {
                    made.append(session)
                }
                try await store.noteUse(of: made[0].id, at: stage.now)
            }
            let left = try await store.sessions(of: owner, at: stage.now, PageRequest(limit: 99)).items.map(\.id)
            #expect(Set(left) == Set(made.map(\.id)).subtracting([made[1].id]))
            await #expect(throws: DomainError.notFound("passkey")) {
                try await store.removePasskey(passkey, by: stage.act(of: other))
            }
            await #expect(throws: DomainError.notFound("session")) {
                try await store.revokeSession(made[0].id, isOwn: false, by: stage.act(of: other))
            }
            await #expect(throws: DomainError.codeUnusable) {
                let theirs = try await stage.passkey(of: other)
                _ = try await store.confirmSession(
                    made[0].id, by: .passkey(theirs, counter: 0), act: stage.act(of: owner))
            }
            for _ in 1..<NewPasskey.most { _ = try await stage.passkey(of: owner) }
            await #expect(throws: DomainError.tooManyPasskeys(NewPasskey.most)) {
                _ = try await stage.passkey(of: owner)
            }
            let stored = try #require(try await store.passkeys(of: owner).first)
            await #expect(throws: DomainError.passkeyKnown) {
                _ = try await stage.passkey(of: other, credentialID: stored.credentialID)
            }
            #expect(try await store.passkeyCount(notOf: "elsewhere.example") == NewPasskey.most + 1)
            #expect(try await store.passkeyCount(notOf: "registry.example") == 0)
        },
    ]
}

extension Stage {
    func passkey(of owner: OwnerID, credentialID: [UInt8]? = nil) async throws -> PasskeyID {
        let authenticator = SoftwareAuthenticator()
        let details = Passkey(id: newID(), name: "p", relyingParty: "registry.example", created: now)
        let key = try PasskeyKey(algorithm: -7, subjectPublicKeyInfo: authenticator.publicKey)
        let passkey = NewPasskey(
            details: details, credentialID: credentialID ?? authenticator.credentialID, key: key, counter: 0)
        try await store.addPasskey(passkey, by: act(of: owner))
        return details.id
    }

    /// The new session; nil if the passkey seems to be a copy. The secret is the name.
    func signIn(_ name: String, by proof: AccountProof) async throws -> Session? {
        let session = NewSession(id: newID(), name: name, digest: SecretDigest(of: name), created: now)
        guard case .accepted(let opened) = try await store.openSession(session, by: proof, using: entropy) else {
            return nil
        }
        return opened
    }
}
