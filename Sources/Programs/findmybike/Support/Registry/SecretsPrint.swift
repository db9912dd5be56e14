import CommandSupport
import RegistryAPI

/// Prints secrets that are shown only once.
enum SecretsPrint {
    /// Announces the recovery codes of a new owner.
    ///
    /// - Parameter path: the file that has the owner's token.
    static func recoveryCodesFollow(of owner: OwnerID, tokenIn path: String) {
        Output.secretFollows(
            ifLost: "Owner \(owner) was created, but the recovery codes were not printed, and they cannot be shown "
                + "again. Erase the owner with ‘findmybike owner erase --token-file \(path)’, remove \(path), and "
                + "create another.")
    }

    static func recoveryCodes(_ codes: [String]) {
        Output.line(
            "Recovery codes, shown only now. Each works once, and replaces a token that is lost or stolen.")
        Output.line("Write them on paper, and do not store them on this machine:")
        codes.forEach { Output.line("  \($0)") }
    }
}
