public import RegistryAPI

/// The texts of the pages behind the links of an e-mail.
public struct ChannelPageTexts: Sendable {
    public let title: String
    public let question: String
    public let button: String
    public let done: String
    /// The text for a link whose code is wrong or too old, or whose channel is gone.
    public let unusable: String

    /// - Parameter address: the address that messages are sent to.
    public init(_ purpose: ChannelCode.Purpose, _ language: AlertLanguage, address: String) {
        switch (purpose, language) {
        case (.verification, .en):
            title = "Alerts by e-mail"
            question = "Send alerts about your bike to \(address)?"
            button = "Yes, send them"
            done = "From now on, alerts go to \(address)."
            unusable = "This link no longer works. Ask for a new one: findmybike channel verify."
        case (.verification, .de):
            title = "Meldungen per E-Mail"
            question = "Sollen Meldungen über dein Rad an \(address) gehen?"
            button = "Ja, dorthin"
            done = "Meldungen kommen von jetzt an an \(address)."
            unusable = "Dieser Link gilt nicht mehr. Fordere einen neuen an: findmybike channel verify."
        case (.unsubscription, .en):
            title = "No more alerts"
            question = "Stop sending alerts to \(address)?"
            button = "Stop alerts"
            done = "No more alerts go to \(address)."
            unusable = "This link no longer works, or no alerts go to this address."
        case (.unsubscription, .de):
            title = "Keine Meldungen mehr"
            question = "Sollen keine Meldungen mehr an \(address) gehen?"
            button = "Keine mehr senden"
            done = "An \(address) gehen keine Meldungen mehr."
            unusable = "Dieser Link gilt nicht mehr, oder an diese Adresse gehen keine Meldungen."
        }
    }
}
