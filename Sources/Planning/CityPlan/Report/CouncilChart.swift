/// One curve of the council’s page: the share heard by the number of stations, with its interval.
struct CouncilChart {
    private let horizon: Horizon
    /// For each number of stations what is heard within the horizon.
    private let steps: [(stations: Int, heard: PlanReport.Heard)]
    /// The share at the upper edge, the same in all charts of a page.
    private let top: Double

    // The place of the curve in the picture, in units of the SVG.
    private static let left = 64.0
    private static let above = 30.0
    private static let width = 318.0
    private static let height = 160.0

    /// - Parameter top: the share at the upper edge, above 0.
    init(_ report: PlanReport, _ horizon: Horizon, top: Double) {
        self.horizon = horizon
        self.top = top
        steps = report.curve.compactMap { step in
            step.heard.first { $0.within == horizon }.map { (step.stations, $0) }
        }
    }

    /// The smallest share of 25, 50, 75 or 100 % below which all bands lie.
    static func top(of report: PlanReport) -> Double {
        let highest = report.curve.last?.heard.map(\.high).max() ?? 0
        return max(0.25, min(1, (highest * 4).rounded(.up) / 4))
    }

    private func x(_ stations: Int) -> Double {
        Self.left + Self.width * Double(stations) / Double(max(1, steps.last?.stations ?? 1))
    }

    private func y(_ share: Double) -> Double { Self.above + Self.height * (1 - max(0, min(1, share / top))) }

    /// The data of a path with straight lines through some points.
    private func path(_ points: [(Double, Double)]) -> String {
        points.enumerated().map { "\($0 == 0 ? "M" : "L")\(Self.tenth($1.0)) \(Self.tenth($1.1))" }.joined()
    }

    /// A length with one digit after the point.
    private static func tenth(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// The chart as an element `svg`.
    var svg: String {
        let upper = steps.map { (x($0.stations), y($0.heard.high)) }
        let lower = steps.reversed().map { (x($0.stations), y($0.heard.low)) }
        let middle = steps.map { (x($0.stations), y($0.heard.share)) }
        let share = steps.last?.heard.share ?? 0
        let (centre, side) = (Self.left + Self.width / 2, Self.above + Self.height / 2)
        return """
            <svg viewBox="0 0 400 240" role="img" aria-label="Share heard within \(horizon.words), by the number of new \
            stations: \(Percent.text(share)) with \(steps.last?.stations ?? 0)">
            <text class="title" x="\(Self.left)" y="17" font-size="15">Within \(horizon.words)</text>
            <path class="spread" d="\(path(upper + lower))Z"/>
            \(shares.map(line).joined())
            <path class="curve" d="\(path(middle))"/>
            \(ticks.map(tick).joined())
            <text class="value" x="\(Self.tenth(x(steps.last?.stations ?? 0) - 2))" y="\(Self.tenth(y(share) - 8))" \
            font-size="15" text-anchor="end">\(Percent.text(share))</text>
            <text x="\(centre)" y="234" font-size="13" text-anchor="middle">new stations</text>
            <text transform="translate(13 \(side)) rotate(-90)" font-size="13" text-anchor="middle">bikes heard</text>
            </svg>
            """
    }

    /// The shares that have a line.
    private var shares: [Double] { (0...4).map { top * Double($0) / 4 } }

    /// The line of a share, with its label.
    private func line(_ share: Double) -> String {
        """
        <path class="grid" d="M\(Self.left) \(Self.tenth(y(share)))h\(Self.width)"/><text x="\(Self.left - 7)" \
        y="\(Self.tenth(y(share) + 4))" font-size="13" text-anchor="end">\(Percent.text(share))</text>
        """
    }

    /// The numbers of stations that have a label: at most six, at equal distances.
    private var ticks: [Int] {
        let most = steps.last?.stations ?? 0
        let step = [1, 2, 5, 10, 20, 25, 50, 100, 200].first { most / $0 <= 5 } ?? 250
        return Array(stride(from: 0, through: most, by: step))
    }

    private func tick(_ stations: Int) -> String {
        """
        <text x="\(Self.tenth(x(stations)))" y="\(Self.tenth(Self.above + Self.height + 18))" font-size="13" \
        text-anchor="middle">\(stations)</text>
        """
    }
}
