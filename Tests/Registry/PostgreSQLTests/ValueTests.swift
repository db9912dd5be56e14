import PostgreSQL
import Testing

@Suite("Values of PostgreSQL")
struct ValueTests {
    @Test("extremes of each type come back as they were sent")
    func extremes() async throws {
        try await withConnection { connection in
            for integer in [Int64.min, -1, 0, 1, .max] {
                #expect(try connection.integer("SELECT CAST($1 AS bigint)", [.integer(integer)]) == integer)
            }
            for double in [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
                let read = try connection.rows("SELECT $1::double precision", [.double(double)]) { $0.double(0) }
                #expect(read.map { $0?.bitPattern } == [double.bitPattern])
            }
            #expect(try connection.rows("SELECT $1::float8", [.double(.nan)]) { $0.double(0)?.isNaN } == [true])
            for text in ["", "ä\u{301}🚲\n'\\", String(repeating: "x", count: 1_000_000)] {
                #expect(try connection.rows("SELECT $1::text", [.text(text)]) { $0.text(0) } == [text])
            }
            for bytes in [[], [0, 255, 0], [UInt8](repeating: 7, count: 1 << 20)] {
                #expect(try connection.rows("SELECT $1::bytea", [.bytes(bytes)]) { [UInt8]($0.blob(0)) } == [bytes])
            }
        }
    }

    @Test("arrays with NULLs, empty arrays and extremes become rows")
    func arrays() async throws {
        try await withConnection { connection in
            let integers: [Int64?] = [.min, nil, 0, .max]
            #expect(
                try connection.rows("SELECT unnest($1::bigint[])", [.integers(integers)]) { $0.integer(0) } == integers)
            let doubles: [Double?] = [nil, -0.5, .infinity]
            #expect(
                try connection.rows("SELECT unnest($1::float8[])", [.doubles(doubles)]) { $0.double(0) } == doubles)
            let texts: [String?] = ["", nil, "{,\"}", "🚲"]
            #expect(try connection.rows("SELECT unnest($1::text[])", [.texts(texts)]) { $0.text(0) } == texts)
            let blobs: [[UInt8]?] = [[], nil, [0, 1], [UInt8](repeating: 1, count: 100_000)]
            let read = try connection.rows("SELECT unnest($1::bytea[])", [.blobs(blobs)]) { row in
                row.isNull(0) ? nil : [UInt8](row.blob(0))
            }
            #expect(read == blobs)
            #expect(try connection.rows("SELECT unnest($1::bigint[])", [.integers([])]) { $0.integer(0) } == [])
            #expect(try connection.integer("SELECT cardinality($1::bytea[])", [.blobs([])]) == 0)
        }
    }

    @Test("parameters are converted to the types that the server expects")
    func conversions() async throws {
        try await withConnection { connection in
            let row = try connection.rows(
                """
                SELECT $1::integer, $2::smallint, $3::boolean, $4::double precision, $5::numeric::bigint,
                $6::jsonb::text, $7::oid, $8::real, $9::text, $10::bigint
                """,
                [
                    .integer(-7), .integer(8), .integer(1), .integer(9), .integer(10), .text("{}"), .integer(11),
                    .double(0.5), .integer(12), .null,
                ]
            ) { row in
                [
                    row.integer(0), row.integer(1), row.integer(2), row.double(3).map { Int64($0) }, row.integer(4),
                    row.text(5) == "{}" ? 1 : 0, row.integer(6), row.double(7).map { Int64($0 * 2) },
                    row.text(8).flatMap { Int64($0) }, row.integer(9),
                ]
            }
            #expect(row == [[-7, 8, 1, 9, 10, 1, 11, 1, 12, nil]])
        }
    }

    @Test(
        "parameters that do not fit are refused before anything is sent",
        arguments: [
            ("SELECT $1::integer", Parameter.integer(1 << 40), "32 bits"),
            ("SELECT $1::smallint", .integer(40000), "16 bits"),
            ("SELECT $1::boolean", .integer(2), "boolean"), ("SELECT $1::text", .text("a\0b"), "U+0000"),
            ("SELECT $1::text[]", .texts(["a", "\0"]), "U+0000"), ("SELECT $1::bytea", .text("a"), "bytes"),
            ("SELECT $1::text", .bytes([1]), "no bytes"), ("SELECT $1::bigint", .integers([1]), "array"),
            ("SELECT $1::bigint[]", .texts(["1"]), "elements"), ("SELECT $1::bigint[]", .integer(1), "array"),
            ("SELECT 1", .integer(1), "0 parameters"),
        ])
    func mismatches(sql: String, parameter: Parameter, word: String) async throws {
        try await withConnection { connection in
            try connection.begin()
            let error = try failure { try connection.run(sql, [parameter]) }
            #expect(error.kind == .invalidParameter)
            #expect(error.message.contains(word), "\(error)")
            #expect(connection.transactionStatus == .inTransaction)
            #expect(try connection.integer("SELECT 1") == 1)
        }
    }

    @Test("columns that do not exist and types without a form here are no trap")
    func strangeColumns() async throws {
        try await withConnection { connection in
            try connection.visit("SELECT 1.5::numeric AS n, NULL::bigint AS e, true AS b, 'x'::name") { row in
                #expect(row.columnCount == 4)
                #expect((0..<4).map(row.kind) == [.other, .null, .integer, .text])
                #expect((0..<3).map(row.name) == ["n", "e", "b"])
                #expect(row.integer(0) == nil && row.text(0) == nil && row.double(0) == nil)
                #expect(row.integer(2) == 1)
                for column in [-1, 4, Int.max, Int.min] {
                    #expect(row.isNull(column) && row.integer(column) == nil && row.text(column) == nil)
                    #expect(row.blob(column).isEmpty && row.name(of: column).isEmpty)
                }
                return true
            }
        }
    }

    @Test("invalid UTF-8 is the server’s error, which quotes no value")
    func invalidText() async throws {
        try await withConnection { connection in
            let error = try failure { try connection.run("SELECT convert_from($1, 'UTF8')", [.bytes([0x68, 0xFF])]) }
            #expect(error.state == "22021")
            let quoted = try failure { try connection.run("SELECT CAST($1::text AS bigint)", [.text("secret")]) }
            #expect(quoted.state == "22P02")
            #expect(!quoted.description.contains("secret"))
            #expect(try connection.integer("SELECT 1") == 1)
        }
    }
}
