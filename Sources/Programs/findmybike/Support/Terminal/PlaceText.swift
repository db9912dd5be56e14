import Foundation
import RegistryAPI

extension Place {
    /// The coordinates to about a metre, in the form that maps accept.
    var text: String { "\(Self.degrees(latitude)), \(Self.degrees(longitude))" }

    static func degrees(_ value: Double) -> String { String(format: "%.5f", value) }
}
