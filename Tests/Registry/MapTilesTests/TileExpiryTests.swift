import MapTiles
import Syntax
import Testing

@Suite("How long a tile may be used")
struct TileExpiryTests {
    private static let now: Int64 = 784_111_777  // Sun, 06 Nov 1994 08:49:37 GMT
    private static let week: Int64 = 7 * 86_400
    private static let year: Int64 = 365 * 86_400

    @Test(
        "the server's words decide; without them it is a week",
        arguments: [
            ([:], week), (["cache-control": "max-age=60"], 60), (["cache-control": "public, MAX-AGE=\"60\""], 60),
            (["cache-control": "max-age=60, s-maxage=90"], 90), (["cache-control": "max-age=60", "age": "20"], 40),
            (["cache-control": "max-age=60", "age": "90"], 0), (["cache-control": "max-age=60", "age": "x"], 60),
            (["cache-control": "no-cache"], 0), (["cache-control": "no-store"], nil),
            (["cache-control": "private, max-age=60"], nil), (["cache-control": "max-age=-1"], week),
            (["cache-control": "max-age=99999999999999999999999"], year), (["cache-control": "max-age"], week),
            (["cache-control": "max-age=99999999999", "age": "99999999999999999999"], 0),
            (["expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 3600),
            (["expires": "Sun, 06 Nov 1994 09:49:37 GMT", "date": "Sun, 06 Nov 1994 09:00:37 GMT"], 2940),
            (["expires": "Sun, 06 Nov 1994 09:49:37 GMT", "cache-control": "max-age=60"], 60),
            (["expires": "0"], 0), (["expires": "Sat, 05 Nov 1994 09:49:37 GMT"], 0),
            (["expires": "Fri, 31 Dec 9999 23:59:60 GMT"], year), (["expires": ""], 0),
        ] as [([String: String], Int64?)])
    func expiry(fields: [String: String], seconds: Int64?) {
        #expect(TileExpiry.freshUntil({ fields[$0] }, now: Self.now).map { $0 - Self.now } == seconds)
    }

    @Test(
        "dates of HTTP are read",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", now),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Sun, 22 Nov 2026 19:00:00 GMT", 1_795_374_000), ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
            ("Sun Nov  6 08:49:37 1994", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
            ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:-1 GMT", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("", nil),
        ] as [(String, Int64?)])
    func dates(text: String, seconds: Int64?) { #expect(HTTPDate.seconds(text) == seconds) }
}
