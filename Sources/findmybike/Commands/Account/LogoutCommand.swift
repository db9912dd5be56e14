import ArgumentParser
import CommandLines

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Remove the token from this machine, and one that it replaced.",
        discussion: """
            The token stays valid wherever it was copied to, and so does a former one that --replace kept in token.bak;
            ‘findmybike owner token revoke’ ends one everywhere. Without a
            copy of the token and without a recovery code there is no way back into the account.
              findmybike logout
            """
    )

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        let file = TokenFile(try options.settings())
        _ = try file.read()
        try confirmation.confirm(
            "Remove the token in \(file.path)\(file.earlier.map { " and the earlier one in \($0)" } ?? "")? Only a copy of "
                + "it or a recovery code opens the account again.")
        let removed = [file.path, file.earlier].compactMap(\.self)
        try file.remove()
        try options.show(
            ["removed": file.path],
            "Removed \(removed.joined(separator: " and ")). ‘findmybike login URL’ takes another token.")
    }
}
