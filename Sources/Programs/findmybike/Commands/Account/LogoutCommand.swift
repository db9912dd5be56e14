import ArgumentParser
import CommandLines

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Remove the token from this machine, and the one that it replaced.",
        discussion: """
            Copies of the token stay valid, and so does a previous token that --replace kept in token.bak: \
            ‘findmybike owner token revoke’ revokes a token everywhere. Without a copy of the token or a recovery code, \
            you cannot get back into the account.
              findmybike logout
            """
    )

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        let file = TokenFile(try options.settings())
        _ = try file.read()
        try confirmation.confirm(
            "Remove the token in \(file.path)\(file.earlier.map { " and the earlier one in \($0)" } ?? "")? You then "
                + "need a copy of it or a recovery code to use the account.")
        let removed = [file.path, file.earlier].compactMap(\.self)
        try file.remove()
        try options.show(
            ["removed": file.path],
            "Removed \(removed.joined(separator: " and ")). ‘findmybike login URL’ logs in again.")
    }
}
