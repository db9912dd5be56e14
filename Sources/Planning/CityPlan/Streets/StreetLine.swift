/// A street as a file gives it: a line, and how much happens along it.
public struct StreetLine: Sendable {
    public let points: [Coordinates]
    /// How many homes, thefts and destinations a metre has in relation to other streets, 0 to 1,000.
    public let weight: Double

    public init(points: [Coordinates], weight: Double) {
        self.points = points
        self.weight = weight
    }
}
