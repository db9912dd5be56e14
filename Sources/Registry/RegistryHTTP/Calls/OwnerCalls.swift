import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for an owner's account and its tokens.
struct OwnerCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    let exports: OwnerExportStreams

    func add(to calls: Calls<OwnerContext>) {
        addAccount(to: calls)
        addTokens(to: calls)
    }

    private func addAccount(to calls: Calls<OwnerContext>) {
        calls.get("/v1/owner", .read, "Show my account")
            .showing(Example.owner, "The owner of the token.") { complete(try await operations.owner($0.owner)) }

        calls.patch(
            "/v1/owner", .manage, "Change my account",
            """
            Changing the zone or quiet hours, and hiding the bikes’ appearance, need a recovery code while a bike \
            is missing. All channels get a message about these changes and about another language. The zone is a \
            name from the IANA database.
            """
        )
        .patching(OwnerPatch(["tellsAppearance": .bool(false), "language": "de", "zone": "Europe/Berlin"]))
        .conditional("owner").guarded.daily(.accountChanges)
        .showing(Example.owner, "The owner as it is now.") { request in
            let owner = try await operations.owner(request.owner)
            _ = try request.unchanged(complete(owner))
            return complete(try await operations.changeOwner(owner, request.body, by: request.act(operations)))
        }

        calls.delete(
            "/v1/owner", .manage, "Erase my account",
            "With all bikes, reports and sightings. The beacons’ identities are never issued again."
        )
        .conditional("owner").guarded
        .done("Everything was erased.") { request in
            let owner = try await operations.owner(request.owner)
            _ = try request.unchanged(complete(owner))
            try await operations.eraseOwner(owner, by: request.act(operations))
        }

        calls.get(
            "/v1/owner/export", .read, "Export all my data",
            """
            The answer is sent while it is read, without `Content-Length`: if the connection ends early, it is not \
            complete JSON. An owner can read one export at a time. What is changed meanwhile may be in it or not.
            """
        )
        .refusing(.exportRunning)
        .giving(.ok, json: Example.export, "Everything that the registry keeps about the owner.")
        .responding { request in
            let (owner, token) = (request.owner, Authentication.secret(in: request.http)?.text)
            return try exports.open(for: owner, over: request.context.connection) {
                guard let token, try await operations.credential(token: token)?.principal == .owner(owner) else {
                    throw DomainError.unauthenticated
                }
            }
        }

        // Not repeatable, since the recovery code that confirms it is used up. The response that arrived is the valid
        // one.
        calls.post(
            "/v1/owner/recovery-codes", .manage, "Replace my recovery codes",
            """
            All earlier ones stop working. All channels get a message. An account in its first hour needs no old code, as \
            long as it has no bike.
            """
        )
        .takingNothing.guarded.daily(.recoveryCodes)
        .answering(
            RecoveryCodes(recoveryCodes: [Example.code]), "The codes, which are shown only once.", status: .created
        ) { try await operations.replaceRecoveryCodes(by: $0.act(operations)) }
    }

    /// The owner, with the kinds of channels that the registry offers.
    private func complete(_ owner: Owner) -> Owner {
        var owner = owner
        owner.channelKinds = operations.channelKinds
        return owner
    }

    private func addTokens(to calls: Calls<OwnerContext>) {
        calls.get("/v1/owner/tokens", .read, "List my tokens")
            .listing(Example.ownerToken, "A page of tokens.") { try await store.tokens(of: $0.owner, $1) }

        calls.post("/v1/owner/tokens", .manage, "Make a token", "All channels get a message.")
            .taking(TokenDraft(name: "Phone", scope: .report)).once
            .refusing(.tokenInUse(Example.ownerToken.id), .quotaReached(.tokens, most: 20)).daily(.tokens)
            .creating(Example.tokenCreated, "The token, which is shown only once.", id: \.details.id) { request in
                try await operations.createToken(request.body, by: request.act(operations), once: request.once)
            }

        calls.delete(
            "/v1/owner/tokens/:id", .manage, "Revoke a token",
            "A token may revoke itself. All channels get a message."
        )
        .done("The token no longer works.") { request in
            try await operations.store.revokeToken(try request.id("id", of: "token"), by: request.act(operations))
        }
    }
}
