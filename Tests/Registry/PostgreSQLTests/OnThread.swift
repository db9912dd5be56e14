import Foundation
import PostgreSQL
import PostgreSQLTestSupport
import Testing

/// Runs blocking code on a thread of its own: a test that blocked a thread of the tasks would stop all others.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// Deadlines that a busy machine keeps.
let generous = Deadlines(connect: .seconds(60), roundTrip: .seconds(60))

func open(_ url: String, _ deadlines: Deadlines = generous, statementLimit: Int = 1024) throws -> Connection {
    try Connection.open(ConnectionSettings(url), deadlines, timelines: Timelines(), statementLimit: statementLimit)
}

/// Runs the body with a connection to a new database.
@discardableResult
func withConnection<Result: Sendable>(
    statementLimit: Int = 1024, _ body: @escaping @Sendable (Connection) throws -> Result
) async throws -> Result {
    let url = try await PostgreSQLCluster.shared().database()
    return try await onThread { try body(open(url, statementLimit: statementLimit)) }
}

/// Waits until a condition holds, for at most a minute.
func eventually(_ condition: () throws -> Bool) throws {
    for _ in 0..<3000 {
        if try condition() { return }
        Thread.sleep(forTimeInterval: 0.02)
    }
    Issue.record("the condition did not become true")
}

/// The error that the body throws.
func failure(_ body: () throws -> Void) throws -> PostgreSQLError {
    do {
        try body()
    } catch let error as PostgreSQLError {
        return error
    }
    throw Unexpected(description: "no error was thrown")
}

func failure(_ body: () async throws -> Void) async throws -> PostgreSQLError {
    do {
        try await body()
    } catch {
        guard let error = error as? PostgreSQLError else { throw error }
        return error
    }
    throw Unexpected(description: "no error was thrown")
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

extension Connection {
    /// The rows of a query, with a closure that reads each.
    func rows<Value>(_ sql: String, _ parameters: [Parameter] = [], _ read: (Row) -> Value) throws -> [Value] {
        var values: [Value] = []
        try visit(sql, parameters) { row in
            values.append(read(row))
            return true
        }
        return values
    }
}
