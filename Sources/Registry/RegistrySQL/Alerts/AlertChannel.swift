import RegistryAPI

/// A verified channel of a bike's owner or of a member, with that person's choices.
struct AlertChannel {
    let key: Int64
    let kind: String
    /// The minutes that a sighting waits for an acknowledgement before it is sent here.
    let after: Int?
    let zone: String?
    let quietHours: QuietHours?

    /// The channels for alerts about these bikes, by the keys of the bikes.
    static func all(_ db: any Transaction, ofBikes bikes: Set<Int64>) throws -> [Int64: [AlertChannel]] {
        var channels: [Int64: [AlertChannel]] = [:]
        try db.eachColumns(query, Parameters(bikes)) { columns in
            let bike = columns.integer()
            let channel = AlertChannel(
                key: columns.integer(), kind: columns.text(), after: columns.optionalInteger().map(Int.init),
                zone: columns.optionalText(),
                quietHours: QuietHours(from: columns.optionalInteger(), to: columns.optionalInteger()))
            channels[bike, default: []].append(channel)
        }
        return channels
    }

    static let query = SetStatement(
        given: [("bike", .integer)],
        """
        SELECT given.bike, \(columns)
        FROM given CROSS JOIN bike CROSS JOIN owner CROSS JOIN channel
        WHERE bike.key = given.bike AND owner.key = bike.owner AND channel.owner = owner.key
            AND removed IS NULL AND verified IS NOT NULL
        UNION ALL
        SELECT given.bike, \(columns)
        FROM given CROSS JOIN bike_member CROSS JOIN owner CROSS JOIN channel
        WHERE bike_member.bike = given.bike AND owner.key = bike_member.owner AND channel.owner = owner.key
            AND removed IS NULL AND verified IS NOT NULL
        """)

    private static let columns = "channel.key, channel.kind, after, zone, quiet_from, quiet_to"
}
