import Testing

@testable import RegistryPostgreSQL

@Suite("Statements as PostgreSQL reads them")
struct StatementTextTests {
    @Test(
        "placeholders get the numbers that SQLite gives them",
        arguments: [
            ("SELECT 1", "SELECT 1"),
            ("SELECT * FROM bike WHERE key = ? AND owner = ?", "SELECT * FROM bike WHERE key = $1 AND owner = $2"),
            ("a = ?2 AND b = ? AND c = ?1", "a = $2 AND b = $3 AND c = $1"),
            ("a = ?12", "a = $12"),
            ("a = '?' AND b = ? AND \"c?\" = ?", "a = '?' AND b = $1 AND \"c?\" = $2"),
            ("a = 'it''s ?' AND b = ?", "a = 'it''s ?' AND b = $1"),
            ("a = ? -- why?\nAND b = ?", "a = $1 -- why?\nAND b = $2"),
            ("a = 'ü?' AND b = ?", "a = 'ü?' AND b = $1"),
            ("a = '?", "a = '?"),
            ("a - ? > 0", "a - $1 > 0"),
        ])
    func placeholders(sql: String, expected: String) {
        #expect(StatementText(sql).sql == expected)
    }

    @Test(
        "only statements that change rows count as changes",
        arguments: [
            ("SELECT 1 FROM bike FOR UPDATE", false), ("INSERT INTO a VALUES (1)", true), ("UPDATE a SET b = 1", true),
            ("DELETE FROM a", true), ("SAVEPOINT change", false),
            ("WITH given (a) AS (VALUES (?)) SELECT a FROM given FOR UPDATE", false),
            ("WITH given (a) AS (VALUES (?))\nINSERT INTO b SELECT a FROM given", true),
            ("WITH given (a) AS (VALUES (?)) UPDATE b SET c = 1", true),
            ("WITH given (a) AS (VALUES (?)) DELETE FROM b", true),
        ])
    func changes(sql: String, expected: Bool) {
        #expect(StatementText(sql).changesRows == expected)
    }

    @Test("a text that was run before is not rewritten, and the number of kept texts is limited")
    func kept() {
        let texts = StatementTexts()
        for number in 0..<10_000 { #expect(texts.text("SELECT ? + \(number)").sql == "SELECT $1 + \(number)") }
        #expect(texts.text("SELECT ? + 0").sql == "SELECT $1 + 0")
    }
}
