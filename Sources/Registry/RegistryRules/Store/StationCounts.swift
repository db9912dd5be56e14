/// The numbers of stations by their state (``Station/State``). The metrics and the operators' overview share them.
public struct StationCounts: Hashable, Sendable {
    public var listening: Int
    public var deaf: Int
    public var silent: Int
    public var new: Int
    public var revoked: Int

    public init(listening: Int = 0, deaf: Int = 0, silent: Int = 0, new: Int = 0, revoked: Int = 0) {
        self.listening = listening
        self.deaf = deaf
        self.silent = silent
        self.new = new
        self.revoked = revoked
    }

    /// The stations that are not revoked.
    public var inUse: Int { listening + deaf + silent + new }
}
