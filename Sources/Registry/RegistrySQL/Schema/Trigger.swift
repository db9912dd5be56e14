import Syntax

/// A trigger, described once for both databases. SQLite's run after each row; PostgreSQL's run for each row, too, but
/// after the statement.
package struct Trigger: Sendable {
    private let name: String
    /// The text after the trigger's name, such as `AFTER DELETE ON photo`.
    private let event: String
    /// ROW, or in PostgreSQL STATEMENT.
    private let unit: String
    /// Nil if the trigger always does something.
    private let condition: String?
    /// Statements, each with its semicolon.
    private let body: DialectText

    /// - Parameters:
    ///   - event: the text after the trigger's name, such as `AFTER DELETE ON photo`.
    ///   - unit: ROW, or in PostgreSQL STATEMENT.
    ///   - condition: the condition under which the trigger does something.
    ///   - body: statements, each with its semicolon.
    package init(
        _ name: String, _ event: String, forEach unit: String = "ROW", when condition: String? = nil,
        _ body: (Dialect) -> String
    ) {
        self.name = name
        self.event = event
        self.unit = unit
        self.condition = condition
        self.body = DialectText(body)
    }

    /// A trigger whose body is the same for both databases.
    init(_ name: String, _ event: String, when condition: String? = nil, _ body: String) {
        self.init(name, event, when: condition) { _ in body }
    }

    /// The statements that make the trigger.
    package func statements(in dialect: Dialect) -> [String] {
        switch dialect {
        case .sqlite:
            let when = condition.map { " WHEN \($0)" } ?? ""
            return ["CREATE TRIGGER \(name) \(event)\(when) BEGIN\n\(body[dialect])\nEND"]
        case .postgresql:
            // In PostgreSQL, WHEN cannot contain a query. Functions of triggers are parsed when they first run.
            var when = ""
            var statements = body[dialect]
            if let condition, condition.has("SELECT") {
                statements = "IF \(condition) THEN\n\(statements)\nEND IF;"
            } else if let condition {
                when = " WHEN (\(condition))"
            }
            return [
                """
                CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                \(statements)
                RETURN NULL;
                END
                $$
                """,
                "CREATE TRIGGER \(name) \(event) FOR EACH \(unit)\(when) EXECUTE FUNCTION \(name)()",
            ]
        }
    }
}

extension Trigger {
    /// The condition that the row's owner is not being erased.
    static let hasOwner = "EXISTS (SELECT 1 FROM owner WHERE key = OLD.owner)"
    /// The condition that the row's bike is not being erased.
    static let hasBike = "EXISTS (SELECT 1 FROM bike WHERE key = OLD.bike)"

    /// Notes a token or code that is no longer valid, and that a restored backup must not bring back.
    ///
    /// The conditions leave out those that are deleted with their owner or bike, because erasures are repeated
    /// separately.
    ///
    /// - Parameters:
    ///   - column: the column with the digest.
    ///   - event: what ends it, such as `DELETE` or `UPDATE OF digest`.
    static func revoking(
        _ column: String, of table: String, at event: String, when condition: String? = nil, named name: String? = nil
    ) -> Trigger {
        let name = name ?? "\(table)_revoked_by_\(event.part { $0 == " " }.lowercased())"
        return Trigger(name, "AFTER \(event) ON \(table)", when: condition) { dialect in
            let now =
                switch dialect {
                case .sqlite: "round((julianday('now') - 2440587.5) * 86400000)"
                case .postgresql: "extract(epoch FROM clock_timestamp()) * 1000"
                }
            return "INSERT INTO revocation (digest, time) VALUES (OLD.\(column), CAST(\(now) AS BIGINT));"
        }
    }

    /// Notes beacons whose place on the missing list may have changed.
    ///
    /// - Parameter beacons: a query with the column `beacon`.
    static func touching(_ name: String, _ event: String, _ beacons: String) -> Trigger {
        Trigger(
            "missing_list_\(name)", "AFTER \(event)",
            """
            INSERT INTO missing_list_touched (beacon)
            SELECT beacon FROM (\(beacons)) AS touched WHERE beacon IS NOT NULL ON CONFLICT DO NOTHING;
            """)
    }

    /// Refuses a change of the audit.
    package static func refusing(
        _ name: String, _ event: String, forEach unit: String = "ROW", when condition: String? = nil
    ) -> Trigger {
        Trigger(name, event, forEach: unit, when: condition) { dialect in
            let text = "'the audit is append-only'"
            return switch dialect {
            case .sqlite: "SELECT RAISE(ABORT, \(text));"
            case .postgresql: "RAISE EXCEPTION \(text);"
            }
        }
    }
}
