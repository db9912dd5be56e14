import ArgumentParser

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Remove the token from this machine.",
        discussion: """
            The token stays valid wherever it was copied to, and so does a former one that --replace kept in token.bak;
            ‘findmybike owner token revoke’ ends one everywhere. Without a
            copy of the token and without a recovery code there is no way back into the account.
              findmybike logout
            """
    )

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let file = TokenFile(try options.settings())
        _ = try file.read()
        try confirmation.confirm(
            "Remove the token in \(file.path)? Only a copy of it or a recovery code opens the account again.")
        try file.remove()
        try Output.done(
            "The token in \(file.path) is removed. ‘findmybike login URL’ takes another.", ["removed": file.path],
            output)
    }
}
