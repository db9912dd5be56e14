/// The classes of the map: which parts of a city hear which share of the bikes that are stolen there.
///
/// For example, three parts with equally many thefts hear 31, 44 and 58 %. Classes of 5 % would be six, from 30 to 60 %,
/// which are too many. So the map has three classes of 10 %: “under 40 %”, “40–50 %” and “50 % or more”.
struct MapShades {
    /// The shares that separate the classes, ascending: one to four.
    let bounds: [Double]

    /// More than the errors of rounding: 0.3 / 0.1 is a little less than 3.
    private static let tolerance = 1e-9

    /// Classes of equal width that contain nearly all thefts: two to five, of 5, 10 or 20 % each.
    init(_ areas: [PlanReport.Area]) {
        let sorted = areas.sorted { $0.heard < $1.heard }
        // The few parts at both ends do not widen the scale.
        let low = Self.heard(atShareOfThefts: 0.05, in: sorted)
        let high = Self.heard(atShareOfThefts: 0.95, in: sorted)
        let width = [0.05, 0.1].first { Self.classes(of: $0, from: low, to: high).count <= 5 } ?? 0.2
        bounds = Self.classes(of: width, from: low, to: high).dropFirst().map { Double($0) * width }
    }

    /// What is heard in the part of the city that completes a share of all thefts, if the parts that hear least are
    /// counted first; 0 without parts.
    ///
    /// - Parameters:
    ///   - share: of all thefts, 0 to 1.
    ///   - sorted: the parts, those that hear least first.
    private static func heard(atShareOfThefts share: Double, in sorted: [PlanReport.Area]) -> Double {
        let total = sorted.reduce(0) { $0 + $1.stolen }
        var sum = 0.0
        for area in sorted {
            sum += area.stolen
            if sum >= share * total { return area.heard }
        }
        return 0
    }

    /// The classes of a width that contain the shares from `low` to `high`, each as the multiple of the width at which
    /// it begins: at least two, so that the legend has a first and a last.
    ///
    /// - Parameter width: a part of 1 that divides it, such as 0.1.
    private static func classes(of width: Double, from low: Double, to high: Double) -> Range<Int> {
        let first = Int((low / width + tolerance).rounded(.down))
        let end = Int((high / width - tolerance).rounded(.up))
        // Two classes also fit below 100 %.
        let start = min(first, Int(1 / width) - 2)
        return start..<max(start + 2, end)
    }

    /// The class of a share, from 0. A share on a bound is in the upper class, in spite of rounding.
    func index(of share: Double) -> Int { bounds.count { $0 <= share + Self.tolerance } }

    /// For each class its number among the five colours, and its name.
    var legend: [(colour: Int, name: String)] {
        let numbers = bounds.map(Percent.number)
        return (0...bounds.count).map { index in
            let name =
                switch index {
                case 0: "under \(numbers[0]) %"
                case bounds.count: "\(numbers[index - 1]) % or more"
                default: "\(numbers[index - 1])–\(numbers[index]) %"
                }
            return (colour(of: index), name)
        }
    }

    /// The colour of a class, from 0 (pale) to 4 (dark). The first and last are used whatever the number of classes.
    func colour(of index: Int) -> Int { index * 4 / bounds.count }
}
