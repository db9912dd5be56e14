import Hummingbird
import NIOCore
import OperatingSystem
import RegistryAPI
import RegistryRules
import RegistrySQL

/// Writes one ``OwnerExport`` as JSON, page by page: it holds one page at a time, however much data the account has.
/// Each page is read when the client has received the previous one.
struct OwnerExportText {
    let store: any RegistryStore
    let owner: OwnerID
    /// The time of the export.
    let time: Timestamp
    let longWork: LongWork
    /// Called before each page, so that a token that was revoked in the meantime reads no further.
    let requireAccess: @Sendable () async throws -> Void
    /// The connection or stream of the response.
    let connection: any NIOCore.Channel
    /// What was not written yet.
    private var text = ByteBuffer()

    init(
        of owner: OwnerID, at time: Timestamp, from store: any RegistryStore, longWork: LongWork,
        over connection: any NIOCore.Channel, requireAccess: @escaping @Sendable () async throws -> Void
    ) {
        self.store = store
        self.owner = owner
        self.time = time
        self.longWork = longWork
        self.connection = connection
        self.requireAccess = requireAccess
    }

    /// The number of small items that are read together.
    private static let pageOfItems = 200
    /// The number of bikes or reports that are read together; a bike has photos, members and invitations.
    private static let pageOfLargeItems = 20
    /// The number of conversations that are read together; each has all its messages.
    private static let pageOfConversations = 5

    /// - Throws: `notFound` if the account is erased. The text written so far is then incomplete JSON.
    mutating func write(to writer: inout any ResponseBodyWriter) async throws {
        let (store, owner, time) = (store, owner, time)
        guard let account = try await store.owner(owner) else { throw DomainError.notFound("owner") }
        text.writeString("{\"exported\":")
        text.writeImmutableBuffer(try JSONBody.encode(time))
        text.writeString(",\"owner\":")
        text.writeImmutableBuffer(try JSONBody.encode(account))
        try await list("tokens", &writer) { try await store.tokens(of: owner, $0) }
        try await list("sessions", &writer) { try await store.sessions(of: owner, at: time, $0) }
        try await list("passkeys", &writer) { (_: PageRequest<Int64>) in
            StoredPage(items: try await store.passkeys(of: owner).map(\.details), next: nil)
        }
        try await list("channels", &writer) { try await store.channels(of: owner, $0) }
        try await list("memberships", &writer) { (_: PageRequest<Int64>) in
            StoredPage(items: try await store.memberships(of: owner), next: nil)
        }
        try await bikes(&writer)
        try await formerReports(&writer)
        try await list("activity", &writer) { try await store.activity(of: owner, $0) }
        text.writeString("}")
        try await flush(&writer)
    }

    /// Writes the member with the bikes, each with all that belongs to it.
    private mutating func bikes(_ writer: inout any ResponseBodyWriter) async throws {
        let (store, owner, time) = (store, owner, time)
        text.writeString(",\"bikes\":[")
        var after: BikeID?
        repeat {
            try await requireAccess()
            let page = try await store.exportedBikes(
                of: owner, at: time, PageRequest(after: after, limit: Self.pageOfLargeItems))
            for (index, bike) in page.items.enumerated() {
                if after != nil || index > 0 { text.writeString(",") }
                try await begin(BikeHead(bike))
                let id = bike.bike.id
                try await list("history", &writer) { try await store.exportedHistory(of: id, owner: owner, $0) }
                text.writeString(",\"reports\":[")
                _ = try await reports(on: id, isFirst: true, &writer)
                text.writeString("]")
                try await list("conversations", limit: Self.pageOfConversations, &writer) {
                    try await store.exportedConversations(of: id, owner: owner, $0)
                }
                text.writeString("}")
            }
            after = page.next
        } while after != nil
        text.writeString("]")
    }

    /// Writes the member with the reports of bikes that the owner no longer has.
    private mutating func formerReports(_ writer: inout any ResponseBodyWriter) async throws {
        text.writeString(",\"formerReports\":[")
        var isFirst = true
        var after: BikeID?
        repeat {
            try await requireAccess()
            let page = try await store.formerBikes(of: owner, PageRequest(after: after, limit: Self.pageOfItems))
            for bike in page.items { isFirst = try await reports(on: bike, isFirst: isFirst, &writer) }
            after = page.next
        } while after != nil
        text.writeString("]")
    }

    /// Writes the reports of a bike as elements of a list.
    ///
    /// - Parameter isFirst: whether the list is empty.
    /// - Returns: whether it is still empty.
    private mutating func reports(
        on bike: BikeID, isFirst: Bool, _ writer: inout any ResponseBodyWriter
    ) async throws -> Bool {
        let (store, owner) = (store, owner)
        var isFirst = isFirst
        var after: ReportID?
        repeat {
            try await requireAccess()
            let page = try await store.exportedReports(
                on: bike, owner: owner, PageRequest(after: after, limit: Self.pageOfLargeItems))
            for report in page.items {
                if !isFirst { text.writeString(",") }
                isFirst = false
                try await begin(ReportHead(report))
                let id = report.report.id
                try await list("sightings", &writer) { try await store.exportedSightings(of: id, owner: owner, $0) }
                text.writeString("}")
            }
            after = page.next
        } while after != nil
        return isFirst
    }

    /// Writes a member that is a list, page by page.
    private mutating func list<Item: Encodable & Sendable, Cursor: Sendable>(
        _ name: String, limit: Int = Self.pageOfItems, _ writer: inout any ResponseBodyWriter,
        _ page: (PageRequest<Cursor>) async throws -> StoredPage<Item, Cursor>
    ) async throws {
        text.writeString(",\"\(name)\":[")
        var after: Cursor?
        repeat {
            try await requireAccess()
            let found = try await page(PageRequest(after: after, limit: limit))
            if after != nil, !found.items.isEmpty { text.writeString(",") }
            text.writeImmutableBuffer(try await inner(of: found.items))
            try await flush(&writer)
            after = found.next
        } while after != nil
        text.writeString("]")
    }

    /// Begins an object, to which lists are added.
    private mutating func begin(_ head: some Encodable & Sendable) async throws {
        text.writeString("{")
        text.writeImmutableBuffer(try await inner(of: head))
    }

    /// The JSON of a list or object without its brackets.
    private func inner(of value: some Encodable & Sendable) async throws -> ByteBuffer {
        let json = try await longWork.run { try JSONBody.encode(value) }
        return json.getSlice(at: json.readerIndex + 1, length: json.readableBytes - 2) ?? ByteBuffer()
    }

    /// Writes the text so far.
    private mutating func flush(_ writer: inout any ResponseBodyWriter) async throws {
        guard text.readableBytes > 0 else { return }
        try await writer.write(text, over: connection)
        text = ByteBuffer()
    }
}

/// A bike of an export without the lists that are read in pages.
private struct BikeHead: Encodable, Sendable {
    let bike: Bike
    let photos: [Photo]
    let members: [Member]
    let invitations: [MemberInvitation]
    let sticker: Sticker?

    init(_ exported: OwnerExport.ExportedBike) {
        bike = exported.bike
        photos = exported.photos
        members = exported.members
        invitations = exported.invitations
        sticker = exported.sticker
    }
}

/// A report of an export without its sightings.
private struct ReportHead: Encodable, Sendable {
    let report: MissingReport
    let shares: [Share]

    init(_ exported: OwnerExport.ExportedReport) {
        report = exported.report
        shares = exported.shares
    }
}
