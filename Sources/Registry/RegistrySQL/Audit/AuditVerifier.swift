package import Evidence
package import RegistryAPI
package import RegistryRules

/// Verifies the audit, and keeps its checkpoints.
package struct AuditVerifier {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Stores a checkpoint of the chain when it had this many entries; one that is stored already stays.
    package func keep(_ checkpoint: SignedCheckpoint, length: Int64) throws {
        try db.run(
            "INSERT INTO audit_checkpoint (length, text, signature) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [length, checkpoint.checkpoint, checkpoint.signature]
        )
    }

    /// The stored checkpoints, the latest first.
    package func checkpoints(_ page: PageRequest<Int64>) throws -> StoredPage<SignedCheckpoint, Int64> {
        let sql = "SELECT * FROM audit_checkpoint WHERE length < ? ORDER BY length DESC LIMIT ?"
        let rows = try db.rows(sql, [page.after ?? .max, page.limit + 1])
            .page(limit: page.limit) { try $0["length"] as Int64 }
        return StoredPage(items: try rows.items.map(SignedCheckpoint.init), next: rows.next)
    }

    /// Follows the chain through a range, and compares every entry with its commitment. For the whole chain, also
    /// compares what the entries commit to.
    ///
    /// - Parameters:
    ///   - range: the indices of the entries, trusting the hash before them; nil for the whole chain.
    ///   - checkpoints: checkpoints that the chain must agree with, in addition to the stored ones.
    ///   - keys: the keys that may have signed the stored checkpoints; nil to trust their signatures.
    /// - Throws: ``ChainWalk/Fault``.
    package func verify(
        _ range: ClosedRange<Int64>?, against checkpoints: [Checkpoint], keys: [PublicKey]? = nil
    ) throws -> AuditVerification {
        let length = try AuditTrail(db).length()
        let range = (range ?? 1...max(1, length)).clamped(to: 1...max(1, length))
        var walk = ChainWalk(after: range.lowerBound - 1, try AuditTrail(db).chainHash(range.lowerBound - 1))
        var contents = ContentVerification(db: db)
        try db.eachRow(
            "SELECT * FROM audit WHERE key BETWEEN ? AND ? ORDER BY key", [range.lowerBound, range.upperBound]
        ) { row in
            let entry = try AuditEntry(row)
            try walk.follow(entry, hashes: AuditTrail(db).chainHash)
            try contents.follow(entry)
        }
        guard walk.index >= min(range.upperBound, length) else {
            throw ChainWalk.Fault.truncated(after: walk.index, length: length)
        }
        for checkpoint in checkpoints { try check(checkpoint, length: length) }
        return AuditVerification(
            entries: walk.index - range.lowerBound + 1, erased: Int64(walk.erased), length: length, end: walk.hash,
            checkpoints: try checkKept(keys: keys, length: length),
            contents: range == 1...max(1, length) ? try contents.finish() : nil
        )
    }

    /// Checks that the chain had this end when it was this long.
    private func check(_ checkpoint: Checkpoint, length: Int64) throws {
        guard checkpoint.length <= length else {
            throw ChainWalk.Fault.truncated(after: length, length: checkpoint.length)
        }
        guard try AuditTrail(db).chainHash(checkpoint.length) == checkpoint.chain else {
            throw ChainWalk.Fault.contradictsCheckpoint(length: checkpoint.length)
        }
    }

    /// Checks all stored checkpoints, and returns their number.
    private func checkKept(keys: [PublicKey]?, length: Int64) throws -> Int64 {
        var count: Int64 = 0
        try db.eachRow("SELECT * FROM audit_checkpoint ORDER BY length", []) { row in
            let (signed, index) = (try SignedCheckpoint(row), try row["length"] as Int64)
            let checkpoint: Checkpoint?
            if let keys {
                checkpoint = keys.lazy.compactMap(signed.verified).first
            } else {
                checkpoint = Checkpoint(signed.checkpoint)
            }
            guard let checkpoint, checkpoint.length == index else {
                throw ChainWalk.Fault.forgedCheckpoint(length: index)
            }
            try check(checkpoint, length: length)
            count += 1
        }
        return count
    }
}

extension SignedCheckpoint {
    fileprivate init(_ row: StoredRow) throws {
        self.init(checkpoint: try row["text"], signature: try row["signature"])
    }
}
