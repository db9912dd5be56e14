public import RegistryAPI
import Syntax

// What a registry sends reaches logs, terminals, the environment of an alarm's program, and a station's disk. A hostile
// or broken registry must not fill or control these, so texts are cut and cleaned when they are decoded.

extension ProblemDetails {
    /// The same with texts that are safe to log, and only the first of many fields.
    var bounded: ProblemDetails {
        ProblemDetails(
            type: type.line(atMost: 200), title: title.line(atMost: 200), status: status,
            detail: detail.line(atMost: 1000), errors: errors.map { $0.prefix(16).map(\.bounded) })
    }
}

extension FieldError {
    fileprivate var bounded: FieldError {
        FieldError(pointer: pointer.line(atMost: 100), detail: detail.line(atMost: 300))
    }
}

extension BikeAppearance {
    /// The same within the limits of ``BikeDraft``.
    public var bounded: BikeAppearance {
        BikeAppearance(
            kind: kind, make: make.line(atMost: 64), model: model.line(atMost: 64), colours: Array(colours.prefix(3)),
            photo: photo.flatMap { Self.isAddress($0) ? $0 : nil })
    }

    /// Whether a text is a web address that can be passed to a program and a browser.
    private static func isAddress(_ text: String) -> Bool {
        (text.begins(with: "https://") || text.begins(with: "http://")) && text.utf8.count <= 300
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && ![0x22, 0x27, 0x3C, 0x3E, 0x5C].contains($0) }
    }
}

extension VisitBatchResult {
    var bounded: VisitBatchResult {
        VisitBatchResult(
            results: results.map { result in
                var result = result
                result.lookFor = result.lookFor?.bounded
                result.errors = result.errors.map { $0.prefix(16).map(\.bounded) }
                return result
            })
    }
}

extension DisplayTerms {
    var bounded: DisplayTerms {
        DisplayTerms(station: station.line(atMost: 64), contact: contact.map { $0.line(atMost: 200) })
    }
}
