public import RegistryAPI
import Syntax

extension AlertLanguage {
    /// The first language of a browser that there are texts in, otherwise English.
    ///
    /// - Parameter accepted: `Accept-Language` (RFC 9110, section 12.5.4), whose order counts and not its weights, which
    ///   browsers write in the same order.
    public init(accepted: String?) {
        let wanted = (accepted ?? "").split(at: ",", maxSplits: 16).lazy.map {
            $0.drop { $0 == " " }.prefix(2).lowercased()
        }
        self = wanted.compactMap(AlertLanguage.init(rawValue:)).first ?? .en
    }
}
