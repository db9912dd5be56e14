/// What becomes of the bikes of a simulation.
protocol HearingSink {
    /// - Parameter area: the cell in which it is stolen.
    mutating func begin(model: Int, area: Int)
    /// A station has heard the bike for the first time.
    ///
    /// - Parameters:
    ///   - station: the index of a station, or of a vehicle after all stations.
    ///   - seconds: since the report.
    mutating func heard(_ station: Int32, after seconds: Double)
    mutating func end()
}
