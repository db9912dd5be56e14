import Languages
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
        let words = ChannelWords(language)
        switch purpose {
        case .verification:
            title = words.verificationTitle
            question = words.verificationQuestion(address)
            button = words.verificationButton
            done = words.verificationDone(address)
            unusable = words.verificationUnusable
        case .unsubscription:
            title = words.unsubscriptionTitle
            question = words.unsubscriptionQuestion(address)
            button = words.unsubscriptionButton
            done = words.unsubscriptionDone(address)
            unusable = words.unsubscriptionUnusable
        }
    }
}
