import Evidence
import Foundation
import PostgreSQL
import Registry
import RegistrySQL

/// A step from one version of the tables to the next. A released step never changes.
struct SchemaStep: Sendable {
    let name: String
    let statements: [String]
    /// The oldest step whose programs can still use the tables after this one, so that processes can be upgraded one by
    /// one. By default this step itself: no older program can.
    let usableSince: String
    /// Further statements, with values that are made when the step runs.
    let finish: @Sendable (Connection) throws -> Void

    init(
        name: String, statements: [String], usableSince: String? = nil,
        finish: @escaping @Sendable (Connection) throws -> Void = { _ in }
    ) {
        self.name = name
        self.statements = statements
        self.usableSince = usableSince ?? name
        self.finish = finish
    }
}

extension Schema {
    /// All steps, in their order.
    static let steps = [
        SchemaStep(name: "1", statements: first, finish: addSecrets),
        // Older programs can use the tables until there is a rotating beacon: they would list its name.
        SchemaStep(name: rotationStep, statements: all(rotation, slotJudgement, rotationTriggers), usableSince: "1"),
        // Numbers that older programs add are not found if somebody misreads them, until their bikes are changed.
        SchemaStep(name: "misread numbers", statements: foldedNumbers, usableSince: "1") { connection in
            try BikeNumbers(PostgreSQLTransaction(connection, StatementTexts())).fold()
        },
    ]

    /// Random values of which each registry has its own.
    @Sendable private static func addSecrets(_ connection: Connection) throws {
        var generator = Entropy.system
        let secret = NumberKey.makeBytes(using: &generator)
        try connection.run("INSERT INTO number_key (key, secret) VALUES (1, $1)", [.bytes(secret)])
        let mark = Int64.random(in: .min ... .max, using: &generator)
        try connection.run("INSERT INTO missing_list (key, version, mark) VALUES (1, 0, $1)", [.integer(mark)])
        try connection.run("INSERT INTO missing_list_version (number, mark) VALUES (0, $1)", [.integer(mark)])
    }
}
