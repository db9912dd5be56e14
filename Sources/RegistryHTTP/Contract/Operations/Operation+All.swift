extension Operation {
    /// All calls; a test compares them with the routes.
    static var all: [Operation] {
        anyone + owners + bikes + reports + trail + channels + channelLinks + stations + operators + review + app
    }
}
