import CommandLines

/// Prints secrets that are shown only once.
enum SecretsPrint {
    static func recoveryCodes(_ codes: [String]) {
        Output.line(
            "Recovery codes, shown only now. Each works once, and replaces a token that is lost or stolen.")
        Output.line("Write them on paper, and do not store them on this machine:")
        codes.forEach { Output.line("  \($0)") }
    }
}
