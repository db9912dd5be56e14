import Foundation

/// A question before what cannot be undone.
public enum Confirmation: Sendable {
    case given, refused
    /// Nobody is at standard input who could answer.
    case unasked

    /// Asks at the terminal. Questions go to standard error, so that standard output holds the result alone.
    public static func ask(_ question: String) -> Confirmation {
        guard isatty(STDIN_FILENO) == 1 else { return .unasked }
        Console.error.prompt("\(question) [y/N]")
        return readLine()?.lowercased().hasPrefix("y") == true ? .given : .refused
    }
}
