/// Parses command lines as people write them in documentation.
enum ShellWords {
    /// The words of a line as a shell splits it, up to the first redirection.
    static func split(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in line {
            if character == "\"" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == " ", !isQuoted {
                if let word { words.append(word) }
                word = nil
            } else if "<>|&#".contains(character), !isQuoted, word.map({ Int($0) != nil }) ?? true {
                // A number here is a descriptor, as in 2>.
                return words
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }
}
