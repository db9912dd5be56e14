import HTTPTypes
import Registry

/// Entity tags of resources that are changed with `If-Match`: the number of their state.
enum StateTag {
    static func text(of version: Int64) -> String { "\"\(version)\"" }

    /// The state that a change is meant for (RFC 9110, section 13.1.1); nil for `*`, any state.
    ///
    /// - Throws: `preconditionRequired` without the field, `changedMeanwhile` if it names no state of the resource.
    static func version(of resource: String, namedBy field: String?) throws -> Int64? {
        guard let field else { throw RequestError.preconditionRequired }
        let tags = field.split(separator: ",").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
        if tags == ["*"] { return nil }
        guard tags.count == 1, let tag = tags.first, tag.count > 2, tag.first == "\"", tag.last == "\"",
            let version = Int64(tag.dropFirst().dropLast())
        else { throw DomainError.changedMeanwhile(resource) }
        return version
    }
}
