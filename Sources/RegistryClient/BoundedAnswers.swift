public import RegistryAPI
import Syntax

// What a registry sends reaches logs, terminals, the environment of an alarm's program, and a station's disk. A hostile
// or broken one must not fill or control these, so texts are cut and cleaned where they are decoded.

extension ProblemDetails {
    /// The same with texts that are fit for a log; the first of many fields.
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
            kind: kind, make: make.line(atMost: 64), model: model.line(atMost: 64), colours: Array(colours.prefix(3)))
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
