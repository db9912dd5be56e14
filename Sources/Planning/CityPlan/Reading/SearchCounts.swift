public import Simulation
import Syntax

/// The closed searches of a registry, as `findmybike operator searches --json` prints them: how many were heard within which
/// span of time, and how long they lasted.
public enum SearchCounts {
    /// Reads the searches from the contents of a file.
    ///
    /// - Parameter source: the name of the file in errors.
    /// - Throws: ``ScenarioError`` with the line of what is wrong, or if there are no searches.
    public static func read(_ bytes: [UInt8], source: String) throws(ScenarioError) -> Experience {
        var scanner = GeoJSONScanner(bytes, source: source)
        var searches: [Experience.Search] = []
        var hasCounts = false
        try scanner.object { (scanner, key) throws(ScenarioError) in
            guard key == "counts" else { return try scanner.skip(depth: 1) }
            hasCounts = true
            try scanner.array { scanner throws(ScenarioError) in
                let (search, count) = try Self.count(&scanner)
                guard searches.count + count <= Experience.maximum else {
                    throw scanner.error("more than \(Experience.maximum) searches")
                }
                searches += [Experience.Search](repeating: search, count: count)
            }
        }
        guard hasCounts, scanner.next == 0 else {
            throw scanner.error("not what ‘findmybike operator searches --json’ prints: it has no ‘counts’ of searches")
        }
        guard !searches.isEmpty else {
            throw ScenarioError(source: source, problem: "has no closed search yet: leave out --experience")
        }
        return Experience(searches)
    }

    /// One object, such as `{ "heardWithin": "day", "lasted": "week", "searches": 12 }`.
    private static func count(
        _ scanner: inout GeoJSONScanner
    ) throws(ScenarioError) -> (search: Experience.Search, count: Int) {
        var heard: Double?
        var lasted: Double?
        var count = 0.0
        try scanner.object { (scanner, key) throws(ScenarioError) in
            switch key {
            case "heardWithin": heard = try span(&scanner).map { $0.seconds / 3600 }
            case "lasted": lasted = try span(&scanner).map { Self.middle(of: $0) / 3600 }
            case "searches": count = try scanner.number().rounded()
            default: try scanner.skip(depth: 2)
            }
        }
        guard (0...Double(Experience.maximum)).contains(count) else {
            throw scanner.error("‘searches’ must be a number from 0 to \(Experience.maximum)")
        }
        return (Experience.Search(heardAfter: heard, lasted: lasted), Int(count))
    }

    /// A span of time; nil for more than a month.
    private static func span(_ scanner: inout GeoJSONScanner) throws(ScenarioError) -> Horizon? {
        let name = try scanner.string()
        guard let span = Horizon(rawValue: name) else {
            guard name == "longer" else {
                throw scanner.error("‘\(name.line(atMost: 20))’ is invalid: hour, day, week, month or longer")
            }
            return nil
        }
        return span
    }

    /// A length for searches of which only the span is known: its middle, by the logarithm; for the first, half an hour.
    private static func middle(of horizon: Horizon) -> Double {
        guard let index = Horizon.allCases.firstIndex(of: horizon), index > 0 else { return horizon.seconds / 2 }
        return (Horizon.allCases[index - 1].seconds * horizon.seconds).squareRoot()
    }
}
