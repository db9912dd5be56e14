import CPostgreSQL

extension Connection {
    /// Sends all statements together, so that they need one round trip.
    ///
    /// An error makes the server skip the rest. Outside a transaction the statements are one implicit transaction.
    ///
    /// - Parameter within: the time for all of them; ``Deadlines/roundTrip`` by default.
    /// - Throws: ``PostgreSQLError``, with the index of the statement that failed.
    package func pipeline(_ statements: [Statement], within: Duration? = nil) throws -> [Results] {
        guard !statements.isEmpty else { return [] }
        let end = deadline(within)
        let prepared = try prepare(statements.map(\.sql), until: end)
        let encoded = try zip(statements, prepared).enumerated().map { index, pair in
            do {
                return try EncodedParameters(pair.0.parameters, types: pair.1.types)
            } catch var error as PostgreSQLError {
                error.statement = index
                throw error
            }
        }
        let mayCommit = pipelineMayCommit(statements)
        link.notices.clear()
        let results = try roundTrip(mayCommit: mayCommit) {
            try pipelined(statements.count, until: end) { index, pointer in
                encoded[index].withPointers { count, values, lengths, formats in
                    PQsendQueryPrepared(pointer, prepared[index].name, count, values, lengths, formats, 1)
                }
            }
        }
        for (index, result) in results.enumerated() {
            do {
                try forgettingStale(statements[index].sql) { try check(result, mayCommit: mayCommit) }
            } catch var error as PostgreSQLError {
                error.statement = index
                throw error
            }
        }
        try checkWarnings(mayCommit: mayCommit)
        return results
    }

    /// Whether the server may have committed if its replies are lost. After BEGIN only COMMIT commits.
    private func pipelineMayCommit(_ statements: [Statement]) -> Bool {
        let isOpen = transactionStatus != .idle || !mayCommit(statements[0].sql)
        return statements.contains { isOpen ? isCommit($0.sql) : mayCommit($0.sql) }
    }

    /// Prepares the statements that are not prepared yet, in one round trip.
    func prepare(
        _ statements: [String], until end: ContinuousClock.Instant
    ) throws -> [StatementCache.Prepared] {
        try checkFree()
        guard link.isOpen else {
            link.close()
            throw PostgreSQLError(.connectionLost, "the connection is closed")
        }
        try renewPlans()
        var found: [String: StatementCache.Prepared] = [:]
        var new: [String] = []
        for sql in statements where found[sql] == nil && !new.contains(sql) {
            guard !sql.utf8.contains(0) else { throw PostgreSQLError.invalidParameter("a statement contains U+0000") }
            if let prepared = cache.find(sql) { found[sql] = prepared } else { new.append(sql) }
        }
        if !new.isEmpty { try prepareNew(new, until: end).forEach { found[$0] = $1 } }
        return statements.compactMap { found[$0] }
    }

    /// How long the server may use a plan.
    private static let planLife = Duration.seconds(5)

    /// Makes the server forget its plans, but not the prepared statements.
    ///
    /// It would keep a plan until the table is analysed, which autovacuum does at most once a minute. A plan for a
    /// table of a few rows reads all of them, even when there are many. Planning all statements of a connection again
    /// takes a few milliseconds.
    private func renewPlans() throws {
        guard transactionStatus != .failed, ContinuousClock.now >= plansEnd else { return }
        plansEnd = .now + Self.planLife
        try simple("DISCARD PLANS", mayCommit: false, within: nil)
    }

    /// Prepares statements, asks for the types of their parameters, and lets the server drop those that the cache has
    /// forgotten.
    private func prepareNew(
        _ statements: [String], until end: ContinuousClock.Instant
    ) throws -> [(String, StatementCache.Prepared)] {
        // In a failed transaction the server accepts only its end.
        let forgotten = transactionStatus == .failed ? [] : cache.takeForgotten()
        let names = statements.map { _ in cache.makeName() }
        let results = try roundTrip(mayCommit: false) {
            try pipelined(forgotten.count + 2 * statements.count, until: end) { index, pointer in
                guard index >= forgotten.count else {
                    return PQsendQueryParams(pointer, "DEALLOCATE \(forgotten[index])", 0, nil, nil, nil, nil, 1)
                }
                let (statement, step) = (index - forgotten.count).quotientAndRemainder(dividingBy: 2)
                return step == 0
                    ? PQsendPrepare(pointer, names[statement], statements[statement], 0, nil)
                    : PQsendDescribePrepared(pointer, names[statement])
            }
        }
        // The results end with the first error, which is thrown before a result is missing.
        func result(_ index: Int) throws -> Results {
            guard index < results.count else { throw PostgreSQLError(.connectionLost, "the server sent no result") }
            try check(results[index], mayCommit: false)
            return results[index]
        }
        for index in forgotten.indices { _ = try result(index) }
        return try statements.indices.map { index in
            do {
                _ = try result(forgotten.count + 2 * index)
                let description = try result(forgotten.count + 2 * index + 1)
                let types = (0..<PQnparams(description.pointer)).map { PQparamtype(description.pointer, $0) }
                let prepared = StatementCache.Prepared(name: names[index], types: types)
                cache.add(statements[index], prepared)
                return (statements[index], prepared)
            } catch var error as PostgreSQLError {
                error.statement = index
                throw error
            }
        }
    }

    /// Sends a number of commands in libpq's pipeline mode, and returns the result of each; after an error, the
    /// following commands have no results (https://www.postgresql.org/docs/15/libpq-pipeline-mode.html).
    private func pipelined(
        _ count: Int, until end: ContinuousClock.Instant, _ send: (Int, OpaquePointer) -> CInt
    ) throws -> [Results] {
        try link.send { PQenterPipelineMode($0) }
        for index in 0..<count {
            try link.send { send(index, $0) }
        }
        try link.send { PQpipelineSync($0) }
        try link.flush(until: end)
        var answers: [Results] = []
        for _ in 0..<count {
            var answer: Results?
            // Each command has one result and then nil.
            while let results = try link.next(after: answer ?? answers.last, until: end) {
                try refuseCopy(results)
                if answer == nil { answer = results }
            }
            // Results after an error are marked as aborted, and left out.
            if let answer, answer.status != PGRES_PIPELINE_ABORTED { answers.append(answer) }
            guard link.pointer != nil else { return answers }
            guard answer != nil else { throw Link.Lost(message: "the server sent no result") }
        }
        let sync = try link.next(after: answers.last, until: end)
        guard link.pointer != nil else { return answers }
        guard sync?.status == PGRES_PIPELINE_SYNC else {
            throw Link.Lost(message: "the server did not finish the pipeline")
        }
        try link.send { PQexitPipelineMode($0) }
        return answers
    }
}
