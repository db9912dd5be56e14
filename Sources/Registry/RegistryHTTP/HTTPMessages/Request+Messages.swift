import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules

extension Request {
    /// The whole body of a call that accepts JSON.
    private func jsonBody(or other: String? = nil) async throws -> [UInt8] {
        // The usual spelling, compared first; other spellings are parsed below.
        guard headers[.contentType] != MediaType.json else { return try await bytes() }
        guard let mediaType = headers.mediaType, [MediaType.json, other].contains(mediaType) else {
            throw RequestError.wrongMediaType
        }
        return try await bytes()
    }

    /// The body's value by a rule that accepts an empty object; an empty body counts as one.
    func optionalValue<Value>(_ rule: FieldRule<Value>) async throws -> Value {
        let bytes = try await bytes()
        return try parse(bytes.isEmpty ? Array("{}".utf8) : bytes, as: rule, unknownFields: .refused)
    }

    /// The body as a merge patch, by a rule.
    func patch<Value>(_ rule: FieldRule<Value>) async throws -> Value {
        try parse(try await jsonBody(or: MediaType.mergePatch), as: rule, unknownFields: .refused)
    }

    /// The body's value by a rule; throws an error with all fields that break it.
    func value<Value>(_ rule: FieldRule<Value>, unknownFields: UnknownFields = .refused) async throws -> Value {
        try parse(try await jsonBody(), as: rule, unknownFields: unknownFields)
    }

    private func parse<Value>(_ body: [UInt8], as rule: FieldRule<Value>, unknownFields: UnknownFields) throws -> Value
    {
        try Self.translatingRefusals { () throws(RequestRefusal) in
            try BodyParser.parse(body, as: rule, unknownFields: unknownFields)
        }
    }

    /// The body as a batch of visits, each judged separately.
    func visitBatch() async throws -> VisitBatchReading {
        let body = try await jsonBody()
        return try Self.translatingRefusals { () throws(RequestRefusal) in try VisitBatchReading(body) }
    }

    private static func translatingRefusals<Value>(_ read: () throws(RequestRefusal) -> Value) throws -> Value {
        do {
            return try read()
        } catch .malformed(let error) {
            throw RequestError.malformedBody(error)
        } catch .fields(let errors) {
            throw DomainError.invalidFields(errors)
        } catch .tooManyVisits(let count) {
            throw RequestError.tooManyVisits(count)
        }
    }

    /// The body of a call that takes a page's form.
    func form() async throws -> FormFields {
        guard headers.mediaType == FormFields.mediaType else { throw RequestError.notForm }
        return FormFields(try await bytes())
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
}

extension HTTPFields {
    /// The media type of the body in lower case, without parameters; nil if there is none.
    var mediaType: String? { self[.contentType]?.prefix { $0 != ";" && !$0.isWhitespace }.lowercased() }
}
