/// A value for a placeholder (`$1`, `$2` …). The server infers the type of each placeholder from the statement, and the
/// value is converted to it: an integer to any number, boolean or text, a text to anything but bytes.
package enum Parameter: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    case integers([Int64?])
    case doubles([Double?])
    case texts([String?])
    case blobs([[UInt8]?])
}

/// A statement with its parameters, for a pipeline.
package struct Statement: Sendable {
    package let sql: String
    package let parameters: [Parameter]

    package init(_ sql: String, _ parameters: [Parameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}
