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
            photo: safePhoto)
    }

    /// The address of the photo if it can be passed on; otherwise nil.
    private var safePhoto: String? {
        guard let photo, Self.isAddress(photo) else { return nil }
        return photo
    }

    /// Whether a text is a web address that can be passed to a program and a browser.
    private static func isAddress(_ text: String) -> Bool {
        guard text.begins(with: "https://") || text.begins(with: "http://") else { return false }
        guard text.utf8.count <= 300 else { return false }
        return text.utf8.allSatisfy { visible.contains($0) && !quotesAndBrackets.contains($0) }
    }

    /// Visible characters of ASCII.
    private static let visible: ClosedRange<UInt8> = 0x21...0x7E
    /// Characters that would let a text leave an attribute or an argument.
    private static let quotesAndBrackets = Array(#""'<>\"#.utf8)
}

extension VisitBatchResult {
    /// The same with texts that are safe to log, and only the first of many refused fields.
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

extension StationCoverage {
    /// The same with as many quarters as a day has: programs add their numbers.
    var bounded: StationCoverage { StationCoverage(day: day, quarters: Array(quarters.prefix(CoverageQuarter.perDay))) }
}

extension DisplayTerms {
    /// The same with texts of a display's length.
    var bounded: DisplayTerms {
        DisplayTerms(station: station.line(atMost: 64), contact: contact.map { $0.line(atMost: 200) })
    }
}
