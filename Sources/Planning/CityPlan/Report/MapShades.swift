/// The classes of the map: which parts of a city hear which share of the bikes that are stolen there.
struct MapShades {
    /// The shares that separate the classes, ascending: one to four.
    let bounds: [Double]

    /// Classes of equal width that contain nearly all thefts.
    init(_ areas: [PlanReport.Area]) {
        let sorted = areas.sorted { $0.heard < $1.heard }
        let total = sorted.reduce(0) { $0 + $1.stolen }
        func heard(at share: Double) -> Double {
            var sum = 0.0
            return sorted.first {
                sum += $0.stolen
                return sum >= share * total
            }?.heard ?? 0
        }
        let (low, high) = (heard(at: 0.05), heard(at: 0.95))
        func classes(_ step: Double) -> Range<Int> {
            let first = min(Int((low / step).rounded(.down)), Int(1 / step) - 2)
            return first..<max(first + 2, Int((high / step).rounded(.up)))
        }
        let step = [0.05, 0.1].first { classes($0).count <= 5 } ?? 0.2
        bounds = classes(step).dropFirst().map { Double($0) * step }
    }

    /// The class of a share, from 0.
    func index(of share: Double) -> Int { bounds.count { $0 <= share + 1e-9 } }

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

    /// The colours are used from pale to dark, whatever the number of classes.
    func colour(of index: Int) -> Int { index * 4 / bounds.count }
}
