import CommandSupport
import RegistryAPI

/// The passkeys of an owner or an operator, for the commands that list and remove them.
struct PasskeyChoice {
    let passkeys: [Passkey]
    /// The command that lists them.
    let list: String

    /// Lists them.
    func show(_ options: CallOptions) throws {
        let short = ShortIdentifiers(passkeys.map { "\($0.id)" })
        try options.output.list(passkeys, ["ID", "NAME", "HOST", "CREATED", "LAST USED"]) {
            [short.text("\($0.id)"), $0.name, $0.relyingParty, $0.created.local, $0.lastUsed?.local ?? "never"]
        }
    }

    /// Removes one by its name or the beginning of its identifier, if the user confirms.
    ///
    /// - Parameter remove: the registry's call.
    func remove(
        _ text: String, _ confirmation: ConfirmationOptions, _ options: CallOptions,
        by remove: (PasskeyID) async throws -> Void
    ) async throws {
        let passkey = try Choice(noun: "passkey", list: list, id: { "\($0.id)" }) { [$0.name] }
            .pick(text, among: passkeys)
        try confirmation.confirm("Remove the passkey ‘\(passkey.name)’ (\(passkey.id))?")
        try await remove(passkey.id)
        try options.show(["removed": "\(passkey.id)"], "The passkey ‘\(passkey.name)’ is removed.")
    }
}
