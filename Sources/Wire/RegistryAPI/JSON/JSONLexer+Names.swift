extension JSONLexer {
    /// Refuses an object with a duplicate name, in less than quadratic time.
    func refuseDuplicates(in object: Int) throws(JSONSyntaxError) {
        let end = Int(tokens[object].next)
        // One bit for each of 64 sums of names: only a name whose bit is set can be a duplicate.
        var sums: UInt64 = 0
        var count = 0
        var name = object + 1
        while name < end {
            let token = tokens[name]
            count += 1
            guard count <= 64, token.kind == .string else { return try refuseDuplicatesAmongMany(in: object) }
            let bit = UInt64(1) << UInt64(sum(of: token) & 63)
            if sums & bit != 0 { try refuseDuplicate(name, in: object) }
            sums |= bit
            name = Int(tokens[name + 1].next)
        }
    }

    /// A number that is equal for equal names, and rarely for others.
    private func sum(of name: JSONText.Token) -> UInt32 {
        var sum = name.end &- name.start
        for index in Int(name.start)..<Int(name.end) { sum = sum &* 31 &+ UInt32(bytes[index]) }
        return sum
    }

    /// Compares a name with all before it.
    private func refuseDuplicate(_ name: Int, in object: Int) throws(JSONSyntaxError) {
        var earlier = object + 1
        while earlier < name {
            guard characters(earlier) != characters(name) else { throw duplicate(name) }
            earlier = Int(tokens[earlier + 1].next)
        }
    }

    /// The same for names with escape sequences, and for more than 64.
    private func refuseDuplicatesAmongMany(in object: Int) throws(JSONSyntaxError) {
        var names: Set<[UInt8]> = []
        var name = object + 1
        while name < Int(tokens[object].next) {
            var lexer = JSONLexer(bytes, at: Int(tokens[name].start))
            let content = try lexer.unescaped(to: Int(tokens[name].end))
            guard names.insert(content).inserted else { throw duplicate(name) }
            name = Int(tokens[name + 1].next)
        }
    }

    /// The bytes of a name as they are in the text.
    private func characters(_ name: Int) -> ArraySlice<UInt8> {
        bytes[Int(tokens[name].start)..<Int(tokens[name].end)]
    }

    private func duplicate(_ name: Int) -> JSONSyntaxError {
        error("the field's name occurs twice in one object", at: Int(tokens[name].start) - 1)
    }
}
