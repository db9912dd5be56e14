import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var owners: [Operation] {
        [
            Operation(.get, "/v1/owner", "Show my account").showing(Example.owner, "The owner whose token it is."),
            Operation(
                .patch, "/v1/owner", "Change my account",
                """
                A change of zone or quiet hours and hiding the bikes’ looks are told on all channels, and need a recovery \
                code while a bike is missing. Another language is told. The zone must be one of the IANA database.
                """
            )
            .patching(
                { _ in OwnerPatch.rule },
                OwnerPatch(["tellsAppearance": .bool(false), "language": "de", "zone": "Europe/Berlin"])
            )
            .conditional("owner").guarded
            .giving(.ok, Example.owner, "The owner as it is now.", [.eTag]),
            Operation(
                .delete, "/v1/owner", "Erase my account",
                "With all bikes, reports and sightings. The beacons’ identities are never issued again."
            )
            .conditional("owner").guarded
            .giving(.noContent, "All is erased."),
            Operation(.get, "/v1/owner/export", "Export all my data")
                .giving(.ok, Example.export, "Everything that the registry keeps about the owner."),
            Operation(
                .post, "/v1/owner/recovery-codes", "Replace my recovery codes",
                "All earlier ones end. It is told on all channels."
            )
            .takingNothing.guarded
            .giving(
                .created, RecoveryCodes(recoveryCodes: [Example.code]), "The codes, which are shown this once."),
            Operation(.get, "/v1/owner/tokens", "List my tokens").listing(Example.ownerToken, "A page of tokens."),
            Operation(.post, "/v1/owner/tokens", "Make a token", "It is told on all channels.")
                .taking({ _ in TokenDraft.rule }, TokenDraft(name: "Phone", scope: .report)).once
                .giving(.created, Example.tokenCreated, "The token, which is shown this once.", [.location])
                .refusing(DomainError.tokenInUse(Example.ownerToken.id), DomainError.quotaReached(.tokens, most: 20)),
            Operation(
                .delete, "/v1/owner/tokens/:id", "Revoke a token",
                "A token may revoke itself. It is told on all channels."
            )
            .giving(.noContent, "It works no longer."),
        ]
    }
}
