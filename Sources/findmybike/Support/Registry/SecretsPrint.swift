import CommandLines

/// Prints secrets that are shown only once.
enum SecretsPrint {
    static func recoveryCodes(_ codes: [String]) {
        Output.line(
            "Recovery codes, shown only now. Each works once, and opens your account if the token is lost or stolen.")
        Output.line("Write them on paper, not onto this machine:")
        codes.forEach { Output.line("  \($0)") }
    }
}
