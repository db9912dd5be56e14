import Syntax

/// Guesses the intended word from a misspelt one.
public enum Spelling {
    /// The maximum length of a word. A longer word is not a misspelling, and the limit bounds the work.
    private static let longest = 64

    /// The candidate with the fewest mistakes, or else the first one that begins with the word; nil if more than a third
    /// of the letters would be wrong and none begins so. Case does not matter.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased().prefix(longest)
        let rated = candidates.map { (name: $0, mistakes: mistakes(word, $0.lowercased().prefix(longest))) }
        guard let best = rated.min(by: { $0.mistakes < $1.mistakes }) else { return nil }
        if best.mistakes <= max(1, min(word.count, best.name.count) / 3), word.count > 1 { return best.name }
        return word.count < 3 ? nil : candidates.first { $0.lowercased().begins(with: word) }
    }

    /// The number of letters left out, added, changed, or swapped with their neighbour (the optimal string alignment
    /// distance).
    private static func mistakes(_ left: Substring, _ right: Substring) -> Int {
        let (left, right) = (Array(left), Array(right))
        // Each line of the table has the mistakes between a beginning of `left` and every beginning of `right`. Only the
        // last two lines are needed.
        var lineBeforeLast: [Int] = []
        var lastLine = Array(0...right.count)
        for row in left.indices {
            var line = [row + 1]
            for column in right.indices {
                let changed = lastLine[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(changed, lastLine[column + 1] + 1, line[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, lineBeforeLast[column - 1] + 1)
                }
                line.append(least)
            }
            (lineBeforeLast, lastLine) = (lastLine, line)
        }
        return lastLine[right.count]
    }
}
