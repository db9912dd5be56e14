import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var owners: [Operation] {
        [
            Operation(.get, "/v1/owner", "Show my account").showing(Example.owner, "The owner of the token."),
            Operation(
                .patch, "/v1/owner", "Change my account",
                """
                Changing the zone or quiet hours, and hiding the bikes’ appearance, need a recovery code while a bike \
                is missing. All channels get a message about these changes and about another language. The zone is a \
                name from the IANA database.
                """
            )
            .patching(
                OwnerPatch.rule(now:),
                OwnerPatch(["tellsAppearance": .bool(false), "language": "de", "zone": "Europe/Berlin"])
            )
            .conditional("owner").guarded
            .giving(.ok, Example.owner, "The owner as it is now.", [.eTag])
            .refusing(DomainError.tooManyToday(.accountChanges, retryAfter: .seconds(3600))),
            Operation(
                .delete, "/v1/owner", "Erase my account",
                "With all bikes, reports and sightings. The beacons’ identities are never issued again."
            )
            .conditional("owner").guarded
            .giving(.noContent, "Everything was erased."),
            Operation(
                .get, "/v1/owner/export", "Export all my data",
                """
                The answer is sent while it is read, without `Content-Length`: if the connection ends early, it is not \
                complete JSON. An owner can read one export at a time. What is changed meanwhile may be in it or not.
                """
            )
            .giving(.ok, Example.export, "Everything that the registry keeps about the owner.")
            .refusing(DomainError.exportRunning),
            Operation(
                .post, "/v1/owner/recovery-codes", "Replace my recovery codes",
                "All earlier ones stop working. All channels get a message."
            )
            .takingNothing.guarded
            .giving(
                .created, RecoveryCodes(recoveryCodes: [Example.code]), "The codes, which are shown only once."
            )
            .refusing(DomainError.tooManyToday(.recoveryCodes, retryAfter: .seconds(3600))),
            Operation(.get, "/v1/owner/tokens", "List my tokens").listing(Example.ownerToken, "A page of tokens."),
            Operation(.post, "/v1/owner/tokens", "Make a token", "All channels get a message.")
                .taking(TokenDraft.rule(now:), TokenDraft(name: "Phone", scope: .report)).once
                .giving(.created, Example.tokenCreated, "The token, which is shown only once.", [.location])
                .refusing(DomainError.tokenInUse(Example.ownerToken.id), DomainError.quotaReached(.tokens, most: 20))
                .refusing(DomainError.tooManyToday(.tokens, retryAfter: .seconds(3600))),
            Operation(
                .delete, "/v1/owner/tokens/:id", "Revoke a token",
                "A token may revoke itself. All channels get a message."
            )
            .giving(.noContent, "The token no longer works."),
        ]
    }
}
