import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI

extension Request {
    /// The whole body of a call that accepts JSON.
    ///
    /// - Parameter other: another media type that the call accepts.
    /// - Throws: `wrongMediaType`, `unreadableBody`.
    func jsonBody(or other: String? = nil) async throws -> [UInt8] {
        try requireJSON(or: other)
        return try await bytes()
    }

    private func requireJSON(or other: String? = nil) throws(RequestError) {
        // The usual spelling, compared first; other spellings are parsed below.
        guard headers.text(of: .contentType) != MediaType.json else { return }
        guard let mediaType = headers.mediaType, [MediaType.json, other].contains(mediaType) else {
            throw .wrongMediaType
        }
    }

    /// The whole body, whose length the middleware has limited.
    func bytes() async throws -> [UInt8] {
        do {
            // ``BodyMiddleware`` has already read it, within its limits.
            return Array((try await body.collect(upTo: .max)).readableBytesView)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw RequestError.unreadableBody
        }
    }

    /// The body's value by a rule; throws an error with all fields that break it (``RequestRefusal``).
    func value<Value>(_ rule: FieldRule<Value>, unknownFields: UnknownFields = .refused) async throws -> Value {
        try BodyParser.parse(try await jsonBody(), as: rule, unknownFields: unknownFields)
    }

    /// The body's value by a rule that accepts an empty object; an empty body counts as one.
    func optionalValue<Value>(_ rule: FieldRule<Value>) async throws -> Value {
        let bytes = try await bytes()
        if !bytes.isEmpty { try requireJSON() }
        return try BodyParser.parse(bytes.isEmpty ? Array("{}".utf8) : bytes, as: rule, unknownFields: .refused)
    }

    /// The body as a merge patch, by a rule.
    func patch<Value>(_ rule: FieldRule<Value>) async throws -> Value {
        try BodyParser.parse(try await jsonBody(or: MediaType.mergePatch), as: rule, unknownFields: .refused)
    }

    /// The body of a call that takes a page's form.
    func form() async throws -> FormFields {
        guard headers.mediaType == FormFields.mediaType else { throw RequestError.notForm }
        return FormFields(try await bytes())
    }
}

extension HTTPFields {
    /// The media type of the body in lower case, without parameters; nil if there is none.
    var mediaType: String? { self[.contentType]?.prefix { $0 != ";" && !$0.isWhitespace }.lowercased() }
}
