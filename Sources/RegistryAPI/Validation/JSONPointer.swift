/// A place in a JSON text (RFC 6901).
struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    private(set) var description = ""

    /// The pointer to a field of the object that this one points at.
    func appending(_ name: String) -> JSONPointer {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return JSONPointer(description: description + "/" + escaped)
    }

    /// The pointer to an element of the array that this one points at.
    func appending(_ index: Int) -> JSONPointer { JSONPointer(description: "\(description)/\(index)") }
}
