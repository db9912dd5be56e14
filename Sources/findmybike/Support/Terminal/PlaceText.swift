import Foundation
import RegistryAPI

extension Place {
    /// To about a metre, as maps take it.
    var text: String { "\(Self.degrees(latitude)), \(Self.degrees(longitude))" }

    static func degrees(_ value: Double) -> String { String(format: "%.5f", value) }
}
