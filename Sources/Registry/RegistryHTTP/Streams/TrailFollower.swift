import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules

/// A follower of a report: the changes that it gets, and how long it has access.
struct TrailFollower: Sendable {
    let report: ReportID
    /// The owner of the bike, with whose streams this one is counted.
    let owner: OwnerID
    /// The last change that was sent to the follower; 0 if none was.
    let revision: Int64
    /// Whether the follower may still read; checked repeatedly while the stream is open.
    let hasAccess: @Sendable () async throws -> Bool
    /// The changes after a revision, at most as many as the limit.
    let changes: @Sendable (_ revision: Int64, _ limit: Int) async throws -> [TrailEvent]

    /// The last change that the sender of a request got, by `Last-Event-ID`; 0 if it does not say.
    static func revision(in request: Request) -> Int64 {
        request.headers[.lastEventID].flatMap { Int64($0) } ?? 0
    }
}

/// A change of a sighting as a follower gets it.
struct TrailEvent: Sendable {
    let revision: Int64
    /// The sighting as JSON.
    let data: ByteBuffer

    /// The event as it is sent (WHATWG HTML, section 9.2). JSON has no line breaks here.
    var text: ByteBuffer {
        var text = ByteBuffer(string: "id: \(revision)\nevent: sighting\ndata: ")
        text.writeImmutableBuffer(data)
        text.writeString("\n\n")
        return text
    }
}
