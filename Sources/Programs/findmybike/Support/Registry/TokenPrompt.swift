import CommandSupport
import Foundation
import Terminal

/// Prompts for a token, without echoing it.
enum TokenPrompt {
    /// - Returns: the token; nil if the person has none.
    static func read() throws(CommandFailure) -> String? {
        guard StandardInput.isTerminal else {
            guard let token = line() else {
                throw CommandFailure(.usage, "there is no token on standard input: send it there, or add --new")
            }
            return token
        }
        var terminal = termios()
        tcgetattr(STDIN_FILENO, &terminal)
        var silent = terminal
        silent.c_lflag &= ~tcflag_t(ECHO)
        // This discards earlier input, so the prompt must come after it; otherwise a fast answer would be lost.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        Console.error.prompt("Your token, or press Enter to create an account:")
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal)
            Console.error.line()
        }
        return line()
    }

    private static func line() -> String? {
        guard let line = StandardInput.line()?.trimmingCharacters(in: .whitespacesAndNewlines) else { return nil }
        return line.isEmpty ? nil : line
    }
}
