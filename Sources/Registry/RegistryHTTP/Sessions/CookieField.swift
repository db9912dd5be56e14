import HTTPTypes
import Syntax

/// Cookies in a request's header.
enum CookieField {
    /// The value of a cookie; nil if there is none, or several with this name.
    static func value(of name: String, in headers: HTTPFields) -> String? {
        let values = headers[values: .cookie].flatMap { field in
            field.split(at: ";").compactMap { $0.trimming(scalars: \.isBlank).dropping(prefix: name + "=") }
        }
        return values.count == 1 ? values.first.map(String.init) : nil
    }
}
