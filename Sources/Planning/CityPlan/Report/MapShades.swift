/// The classes of the map: which parts of a city hear which share of the bikes that are stolen there.
struct MapShades {
    /// The shares that separate the classes, ascending: one to four.
    let bounds: [Double]

    /// Classes of equal width that contain nearly all thefts: two to five, of 5, 10 or 20 % each.
    init(_ areas: [PlanReport.Area]) {
        let sorted = areas.sorted { $0.heard < $1.heard }
        let total = sorted.reduce(0) { $0 + $1.stolen }
        // The share that is heard in the area that completes this share of all thefts.
        func heard(atShareOfThefts share: Double) -> Double {
            var sum = 0.0
            for area in sorted {
                sum += area.stolen
                if sum >= share * total { return area.heard }
            }
            return 0
        }
        let low = heard(atShareOfThefts: 0.05)
        let high = heard(atShareOfThefts: 0.95)
        // The classes of a width, as multiples of it.
        func classes(_ width: Double) -> Range<Int> {
            let first = min(Int((low / width).rounded(.down)), Int(1 / width) - 2)
            return first..<max(first + 2, Int((high / width).rounded(.up)))
        }
        let width = [0.05, 0.1].first { classes($0).count <= 5 } ?? 0.2
        bounds = classes(width).dropFirst().map { Double($0) * width }
    }

    /// The class of a share, from 0. A share on a bound is in the upper class, in spite of rounding.
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

    /// The colour of a class, from 0 (pale) to 4 (dark). The first and last are used whatever the number of classes.
    func colour(of index: Int) -> Int { index * 4 / bounds.count }
}
