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
            question = "Are alerts about your bike to be sent to \(address)?"
            button = "Yes, send them"
            done = "Alerts come to \(address) from now on."
            unusable = "This link does not work any more. Ask for another one: findmybike channel verify."
        case (.verification, .de):
            title = "Meldungen per E-Mail"
            question = "Sollen Meldungen über Ihr Rad an \(address) gehen?"
            button = "Ja, dorthin"
            done = "Meldungen kommen von jetzt an an \(address)."
            unusable = "Dieser Link gilt nicht mehr. Fordern Sie einen neuen an: findmybike channel verify."
        case (.unsubscription, .en):
            title = "No more alerts"
            question = "Are no more alerts to be sent to \(address)?"
            button = "Send no more"
            done = "No more alerts come to \(address)."
            unusable = "This link does not work any more, or no alerts come to this address."
        case (.unsubscription, .de):
            title = "Keine Meldungen mehr"
            question = "Sollen keine Meldungen mehr an \(address) gehen?"
            button = "Keine mehr senden"
            done = "An \(address) gehen keine Meldungen mehr."
            unusable = "Dieser Link gilt nicht mehr, oder an diese Adresse gehen keine Meldungen."
        }
    }
}
