import RegistryRules
import Syntax

/// Entity tags of resources that are changed with `If-Match`: the number of their state.
enum StateTag {
    /// The tag of a state, as in `ETag`.
    static func text(of version: Int64) -> String { "\"\(version)\"" }

    /// The state that a change is meant for (RFC 9110, section 13.1.1); nil for `*`, any state.
    ///
    /// - Throws: `preconditionRequired` without the field, `changedMeanwhile` if it names no state of the resource.
    static func version(of resource: String, namedBy field: String?) throws -> Int64? {
        guard let field else { throw RequestError.preconditionRequired }
        let tags = field.split(at: ",").map { $0.trimming(scalars: \.isBlank) }
        if tags == ["*"] { return nil }
        guard tags.count == 1,
            let version = tags[0].dropping(prefix: "\"")?.dropping(suffix: "\"").flatMap({ Int64(digits: $0) })
        else { throw DomainError.changedMeanwhile(resource) }
        return version
    }
}
