import HTTPTypes

/// Cookies in a request's header.
enum CookieField {
    /// The value of a cookie; nil if there is none, or several with this name.
    static func value(of name: String, in headers: HTTPFields) -> String? {
        let values = headers[values: .cookie].flatMap { field in
            field.split(separator: ";").compactMap { pair -> Substring? in
                let pair = pair.drop { $0 == " " || $0 == "\t" }
                guard pair.hasPrefix(name + "=") else { return nil }
                return pair.dropFirst(name.count + 1)
            }
        }
        return values.count == 1 ? values.first.map(String.init) : nil
    }
}
