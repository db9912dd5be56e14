package import RegistryRules

// Whether the sealed keys can be opened.
extension RotatingBeacons {
    /// A page of the rotating beacons, in the order of their keys.
    ///
    /// - Parameters:
    ///   - key: the last beacon of the page before; 0 for the first page.
    ///   - unreadable: whether to read only those that are marked as unreadable.
    package func page(after key: Int64, unreadable: Bool, limit: Int) throws -> [SealedBeacon] {
        var found: [SealedBeacon] = []
        let sql = unreadable ? Self.unreadablePage : Self.wholePage
        try db.eachColumns(sql, [key, limit]) { found.append(try SealedBeacon(&$0)) }
        return found
    }

    /// Marks beacons, by their keys, whose sealed keys cannot be opened, or removes their marks.
    package func mark(_ beacons: [Int64], unreadable: Bool) throws {
        let mark: Int64 = unreadable ? 1 : 0
        for key in beacons { try db.run("UPDATE rotating_beacon SET unreadable = ? WHERE key = ?", [mark, key]) }
    }

    /// The number of beacons that are marked as unreadable.
    func unreadable() throws -> Int64 { try db.integer(Self.unreadableCount, []) ?? 0 }

    static let unreadableCount = "SELECT count(*) FROM rotating_beacon WHERE unreadable <> 0"
    private static let wholePage = "SELECT \(columns) FROM rotating_beacon WHERE key > ? ORDER BY key LIMIT ?"
    private static let unreadablePage = """
        SELECT \(columns) FROM rotating_beacon WHERE unreadable <> 0 AND key > ? ORDER BY key LIMIT ?
        """
}
