import RegistryAPI
import Syntax

/// The words of the status page in a language. What the monitor says about itself stays in English, as in its log.
struct StatusWords: Hashable, Sendable {
    let language: String
    let title: String
    let details: String
    let display: String
    /// Where the display is when there is no link to it.
    let noDisplay: String
    /// It listens, but a part of it does not work.
    let impaired: String
    private let states: [StationHealth.State: String]

    /// - Parameter accepted: `Accept-Language`, of which only the first language counts.
    init(_ accepted: String?) { self = (accepted ?? "").lowercased().begins(with: "de") ? .german : .english }

    func sentence(_ state: StationHealth.State) -> String { states[state] ?? "" }

    private init(
        language: String, title: String, details: String, display: String, noDisplay: String,
        impaired: String, states: [StationHealth.State: String]
    ) {
        (self.language, self.title, self.details, self.states) = (language, title, details, states)
        (self.display, self.noDisplay, self.impaired) = (display, noDisplay, impaired)
    }

    private static let english = StatusWords(
        language: "en", title: "Status", details: "Details", display: "Display",
        noDisplay: "The registry’s operator has not allowed the display for staff.",
        impaired: "The station is listening, but something is wrong.",
        states: [
            .listening: "The station is listening.", .starting: "The station is not listening yet.",
            .deaf: "The station’s receivers do not work.", .outdated: "The station’s list of missing bikes is old.",
            .silent: "The station has no connection. What it hears is reported later.",
        ])
    private static let german = StatusWords(
        language: "de", title: "Zustand", details: "Einzelheiten auf Englisch", display: "Anzeige",
        noDisplay: "Die Betreiber des Registers haben die Anzeige fürs Personal nicht erlaubt.",
        impaired: "Die Station empfängt, aber etwas stimmt nicht.",
        states: [
            .listening: "Die Station empfängt.", .starting: "Die Station empfängt noch nicht.",
            .deaf: "Die Empfänger der Station funktionieren nicht.",
            .outdated: "Die Liste der vermissten Räder ist veraltet.",
            .silent: "Die Station hat keine Verbindung. Was sie hört, meldet sie später.",
        ])
}
