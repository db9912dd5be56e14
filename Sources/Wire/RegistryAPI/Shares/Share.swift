/// Body of `POST /v1/bikes/{bike}/shares`.
public struct ShareDraft: Codable, Hashable, Sendable {
    /// For whom the link is, in the owner's words; only the owner sees it.
    public var label: String?
    /// The end, 1 hour to 30 days from now; absent means in 7 days.
    public var ends: Timestamp?

    public init(label: String? = nil, ends: Timestamp? = nil) {
        self.label = label
        self.ends = ends
    }
}

/// A link that lets anyone who has it follow one search; without its secret.
public struct Share: Codable, Hashable, Sendable {
    public var id: ShareID
    /// The report of the search.
    public var report: ReportID
    public var label: String?
    public var created: Timestamp
    /// When the link stops working; it stops earlier if it is revoked.
    public var ends: Timestamp
    /// How often it was opened.
    public var views: Int
    /// When it was last opened; absent if it never was.
    public var lastViewed: Timestamp?

    public init(
        id: ShareID, report: ReportID, label: String? = nil, created: Timestamp, ends: Timestamp, views: Int = 0,
        lastViewed: Timestamp? = nil
    ) {
        self.id = id
        self.report = report
        self.label = label
        self.created = created
        self.ends = ends
        self.views = views
        self.lastViewed = lastViewed
    }
}

/// Response to `POST /v1/bikes/{bike}/shares`. The link is shown only once.
public struct ShareCreated: Codable, Hashable, Sendable {
    public var details: Share
    /// The page of the search; its fragment, after `#`, is the secret.
    public var link: String
    /// The secret that programs send as `Authorization: Bearer …`.
    public var secret: String

    public init(details: Share, link: String, secret: String) {
        self.details = details
        self.link = link
        self.secret = secret
    }
}

/// The limits of shares.
public enum ShareRules {
    /// The maximum number of links to a bike's search that work at a time.
    public static let most = 10
    /// The shortest and the longest time for which a link can work.
    public static let shortest = Duration.seconds(3600)
    public static let longest = Duration.days(30)
    /// The time for which a link works unless its owner says otherwise.
    public static let usual = Duration.days(7)
    /// The time for which the owner still sees a link that has ended, and for which its page can say so.
    public static let kept = Duration.days(7)

    /// The end of a share that is made at a time. The caller's clock may differ a little from the registry's.
    ///
    /// - Parameter wish: the end that the caller asks for; nil for ``usual``.
    public static func end(_ wish: Timestamp?, at time: Timestamp) -> Timestamp {
        guard let wish else { return time.advanced(by: usual) }
        return min(max(wish, time.advanced(by: shortest)), time.advanced(by: longest))
    }
}

extension ShareDraft: WireObject {
    public static let blank = ShareDraft()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("label", &label, .text(1...64))
        fields.optional("ends", &ends, .timestamp)
        let tolerance = MissingReportDraft.clockTolerance
        let earliest = fields.now.advanced(by: ShareRules.shortest - tolerance)
        let latest = fields.now.advanced(by: ShareRules.longest + tolerance)
        if let ends, !(earliest...latest).contains(ends) {
            fields.refuse("ends", "must be 1 hour to 30 days from now; leave it out for 7 days")
        }
    }
}
