/// One curve of the council’s page: the share heard by the number of stations, with its interval.
struct CouncilChart {
    private let horizon: Horizon
    private let steps: [(stations: Int, heard: PlanReport.Heard)]

    private static let (left, top, width, height) = (46.0, 26.0, 330.0, 170.0)

    init(_ report: PlanReport, _ horizon: Horizon) {
        self.horizon = horizon
        steps = report.curve.compactMap { step in
            step.heard.first { $0.within == horizon }.map { (step.stations, $0) }
        }
    }

    private func x(_ stations: Int) -> Double {
        Self.left + Self.width * Double(stations) / Double(max(1, steps.last?.stations ?? 1))
    }

    private func y(_ share: Double) -> Double { Self.top + Self.height * (1 - max(0, min(1, share))) }

    private func path(_ points: [(Double, Double)]) -> String {
        points.enumerated().map { "\($0 == 0 ? "M" : "L")\(Self.tenth($1.0)) \(Self.tenth($1.1))" }.joined()
    }

    private static func tenth(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    var svg: String {
        let upper = steps.map { (x($0.stations), y($0.heard.high)) }
        let lower = steps.reversed().map { (x($0.stations), y($0.heard.low)) }
        let middle = steps.map { (x($0.stations), y($0.heard.share)) }
        let last = steps.last
        return """
            <svg viewBox="0 0 400 230" role="img" aria-label="Share heard within \(horizon.words), by stations">
            <text x="\(Self.left)" y="15" font-size="14" font-weight="600" fill="#1c2430">Within \(horizon.words)</text>
            \([0, 0.25, 0.5, 0.75, 1].map(line).joined())
            <path d="\(path(upper + lower))Z" fill="#c9dcf1"/>
            <path d="\(path(middle))" fill="none" stroke="#1d5fa8" stroke-width="2.5" stroke-linejoin="round"/>
            \(ticks.map(tick).joined())
            <text x="\(Self.tenth(x(last?.stations ?? 0) - 4))" y="\(Self.tenth(y(last?.heard.share ?? 0) - 7))" \
            font-size="13" font-weight="700" text-anchor="end" fill="#1d5fa8">\(Percent.text(last?.heard.share ?? 0))</text>
            </svg>
            """
    }

    private func line(_ share: Double) -> String {
        """
        <path d="M\(Self.left) \(Self.tenth(y(share)))h\(Self.width)" stroke="#d9dee4"/><text x="\(Self.left - 6)" \
        y="\(Self.tenth(y(share) + 4))" font-size="11" text-anchor="end" fill="#5c6773">\(Int(share * 100)) %</text>
        """
    }

    private var ticks: [Int] {
        let most = steps.last?.stations ?? 0
        let step = [1, 2, 5, 10, 20, 25, 50, 100, 200].first { most / $0 <= 5 } ?? 250
        return Array(stride(from: 0, through: most, by: step))
    }

    private func tick(_ stations: Int) -> String {
        """
        <text x="\(Self.tenth(x(stations)))" y="\(Self.tenth(Self.top + Self.height + 16))" font-size="11" \
        text-anchor="middle" fill="#5c6773">\(stations)</text>
        """
    }
}
