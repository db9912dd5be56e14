import Hummingbird
import RegistryAPI
import RegistryRules

extension CallDeclaration {
    /// Describes `?quarantineSince=`, which the handler reads.
    var quarantining: CallDeclaration {
        with(.quarantineSince).refusing(request: .invalidTime(parameter: "quarantineSince"))
            .refusing(.quarantineInFuture)
    }
}

extension Request {
    /// The time in `?quarantineSince=`; nil if there is none. An operator's clock may be as far ahead as a station's.
    ///
    /// - Throws: `invalidTime`; `invalidFields` for a time in the future, which would dispute nothing.
    func quarantineSince(at now: Timestamp) throws -> Timestamp? {
        guard let text = uri.queryParameters["quarantineSince"] else { return nil }
        guard let time = Timestamp(text) else { throw RequestError.invalidTime(parameter: "quarantineSince") }
        guard time <= now.advanced(by: SightingRules.clockTolerance) else { throw DomainError.quarantineInFuture }
        return time
    }
}

extension DomainError {
    fileprivate static let quarantineInFuture = DomainError.invalidField(
        "/quarantineSince", "must not be in the future")
}
