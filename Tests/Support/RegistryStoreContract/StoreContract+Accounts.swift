import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let accounts = [
        StoreContract("the latest use of a token is stored") { store, stage in
            let owner = try await stage.owner()
            let token = try #require(try await store.tokens(of: owner, PageRequest(limit: 9)).items.first)
            let later = stage.now.advanced(by: .seconds(60))
            try await store.noteUse(of: token.id, at: later)
            try await store.noteUse(of: token.id, at: stage.now)
            let credential = try await store.credential(token: SecretDigest(of: owner.description))
            #expect(credential == Credential(.owner(owner), scope: .manage, token: token.id, lastUsed: later))
        },
        StoreContract("tokens are paged in the order in which they were made, and a revoked one is invalid") {
            store, stage in
            let owner = try await stage.owner()
            var made = try await store.tokens(of: owner, PageRequest(limit: 9)).items
            for name in ["a", "b", "c"] {
                stage.clock.advance(by: .milliseconds(1))
                made.append(try await stage.token(name, of: owner))
            }
            let first = try await store.tokens(of: owner, PageRequest(limit: 3))
            let second = try await store.tokens(of: owner, PageRequest(after: first.next, limit: 3))
            #expect(Set(first.items + second.items) == Set(made) && first.items.count == 3 && second.next == nil)
            let last = try #require(made.last)
            try await store.revokeToken(last.id, by: stage.act(of: owner))
            #expect(try await store.credential(token: SecretDigest(of: "c")) == nil)
            await #expect(throws: DomainError.notFound("token")) {
                try await store.revokeToken(last.id, by: stage.act(of: owner))
            }
        },
        StoreContract("a recovery code works once, and only for its owner") { store, stage in
            let owner = try await stage.owner(codes: ["one", "two"])
            let other = try await stage.owner(codes: ["three"])
            let token = NewToken(
                OwnerToken(id: stage.newID(), name: "new", scope: .manage, created: stage.now),
                digest: SecretDigest(of: "new")
            )
            let code = SecretDigest(of: "one")
            _ = try await store.recover(code: code, token: token, at: stage.now, using: stage.entropy)
            #expect(try await store.credential(token: SecretDigest(of: "new"))?.principal == .owner(owner))
            #expect(try await store.owner(owner)?.recoveryCodes == 1)
            await #expect(throws: DomainError.codeUnusable) {
                _ = try await store.recover(code: code, token: token, at: stage.now, using: stage.entropy)
            }
            stage.clock.advance(by: SearchWeakening.timeToKeepCodes)
            await #expect(throws: DomainError.codeUnusable) {
                try await store.replaceRecoveryCodes(with: [], by: stage.act(of: other, recoveryCode: "two"))
            }
            #expect(try await store.owner(owner)?.recoveryCodes == 1)
        },
        StoreContract("an owner, a bike and a channel change only in the version that was read") { store, stage in
            let id = try await stage.owner()
            let owner = try #require(try await store.owner(id))
            var changed = owner
            changed.tellsAppearance = false
            #expect(try await store.changeOwner(owner, to: changed, by: stage.act(of: id)) == changed)
            #expect(try await store.owner(id) == changed)
            await #expect(throws: DomainError.changedMeanwhile("owner")) {
                _ = try await store.changeOwner(owner, to: owner, by: stage.act(of: id))
            }
            let bike = try await stage.bike(of: id, Samples.identity(1))
            var painted = bike
            (painted.colours, painted.serial, painted.engineNumber) = ([.blue], "s", "e")
            #expect(try await store.changeBike(bike, to: painted, by: stage.act(of: id)) == painted)
            #expect(try await store.bike(bike.id, of: id) == painted)
            await #expect(throws: DomainError.changedMeanwhile("bike")) {
                try await store.eraseBike(bike, by: stage.act(of: id))
            }
            let channel = try await stage.channel(of: id).channel
            var moved = channel
            moved.address = "https://example.org/other"
            #expect(
                try await store.changeChannel(
                    channel, to: moved, ChannelSettings(), by: stage.act(of: id), verification: nil
                ) == moved)
            #expect(try await store.channels(of: id, PageRequest(limit: 9)).items == [moved])
            await #expect(throws: DomainError.changedMeanwhile("channel")) {
                try await store.removeChannel(channel, by: stage.act(of: id))
            }
        },
        StoreContract("a change that uses up a recovery code answers with the number of codes that are left") {
            store, stage in
            let id = try await stage.owner(codes: ["one", "two"])
            let bike = try await stage.bike(of: id, Samples.identity(1))
            _ = try await stage.openReport(on: bike.id, of: id)
            let owner = try #require(try await store.owner(id))
            var hidden = owner
            hidden.tellsAppearance = false
            let changed = try await store.changeOwner(owner, to: hidden, by: stage.act(of: id, recoveryCode: "one"))
            #expect(changed.recoveryCodes == 1 && !changed.tellsAppearance)
            // So the next change is based on this one.
            _ = try await store.changeOwner(changed, to: owner, by: stage.act(of: id))
        },
        StoreContract("a refused change has no effect and uses up no code") { store, stage in
            let owner = try await stage.owner(codes: ["one"])
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            _ = try await stage.openReport(on: bike.id, of: owner)
            let missing = try #require(try await store.bike(bike.id, of: owner))
            await #expect(throws: DomainError.recoveryCodeNeeded) {
                try await store.eraseBike(missing, by: stage.act(of: owner))
            }
            await #expect(throws: DomainError.changedMeanwhile("bike")) {
                try await store.eraseBike(bike, by: stage.act(of: owner, recoveryCode: "one"))
            }
            #expect(try await store.owner(owner)?.recoveryCodes == 1)
            try await store.eraseBike(missing, by: stage.act(of: owner, recoveryCode: "one"))
            #expect(try await store.owner(owner)?.recoveryCodes == 0)
            #expect(try await store.missingList().identities == [])
        },
    ]
}

extension Stage {
    func owner(codes: [String]) async throws -> OwnerID {
        let id: OwnerID = newID()
        let details = OwnerToken(id: newID(), name: "first", scope: .manage, created: now)
        try await store.addOwner(
            NewOwner(
                id: id, created: now, token: NewToken(details, digest: SecretDigest(of: id.description)),
                recoveryCodes: codes.map { SecretDigest(of: $0) }
            )
        )
        return id
    }

    func token(_ name: String, of owner: OwnerID) async throws -> OwnerToken {
        let details = OwnerToken(id: newID(), name: name, scope: .read, created: now)
        return try await store.addToken(
            NewToken(details, digest: SecretDigest(of: name)), by: act(of: owner), once: nil
        )
    }
}
