import HTTPTypes
import Hummingbird
import Languages
import RegistryAPI
import RegistryRules

extension Request {
    /// The language that a link at the foot of a page leads to, such as `?language=de`; nil without one.
    var linkedLanguage: AlertLanguage? {
        uri.queryParameters["language"].flatMap { AlertLanguage(rawValue: String($0)) }
    }

    /// The language for a browser: the one that its user has chosen on a page, or the first one it names that there are
    /// texts in.
    var pageLanguage: AlertLanguage {
        if let linkedLanguage { return linkedLanguage }
        let chosen = CookieField.value(of: "language", in: headers).flatMap(AlertLanguage.init(rawValue:))
        if let chosen { return chosen }
        return AlertLanguage(accepted: headers[.acceptLanguage])
    }
}
