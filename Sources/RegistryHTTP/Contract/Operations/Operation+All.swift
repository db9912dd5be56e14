extension Operation {
    /// All calls; a test compares them with the routes.
    static var all: [Operation] {
        anyone + owners + sessions + bikes + members + photos + shares + reports + trail + channels + channelLinks
            + conversations + finders + checks + stations + operators + desk + review + app + map + displays
    }
}
