import Glibc

/// The reason why no photo can be converted at the moment, whatever the photo.
struct ConversionFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(_ operation: String, code: Int32) { description = "\(operation): \(String(cString: strerror(code)))" }
}
