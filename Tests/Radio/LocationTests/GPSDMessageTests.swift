import Testing

@testable import Location

@Suite("Messages of gpsd")
struct GPSDMessageTests {
    @Test(
        "a line is read as gpsd specifies, and anything else is ignored",
        arguments: [
            (
                #"{"class":"TPV","mode":3,"lat":51.5,"lon":-0.12,"eph":17.1}"#,
                .fix(GPSFix(latitude: 51.5, longitude: -0.12, accuracy: 17.1))
            ),
            (
                #"{"class":"TPV","mode":2,"lat":-90,"lon":180,"epx":3,"epy":4}"#,
                .fix(GPSFix(latitude: -90, longitude: 180, accuracy: 5))
            ),
            (
                #"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":99999}"#,
                .fix(GPSFix(latitude: 1, longitude: 2, accuracy: 10_000))
            ),
            (
                #"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":-1}"#,
                .fix(GPSFix(latitude: 1, longitude: 2, accuracy: nil))
            ),
            (#"{"class":"TPV","mode":1}"#, .noFix), (#"{"class":"TPV"}"#, .noFix),
            (#"{"class":"TPV","mode":3,"lat":90.01,"lon":2}"#, nil), (#"{"class":"TPV","mode":3,"lat":1}"#, nil),
            (#"{"class":"TPV","mode":3,"lat":"1","lon":2}"#, nil),
            (#"{"class":"TPV","mode":3,"lat":1e400,"lon":2}"#, nil),
            (#"{"class":"SKY"}"#, .other), (#"{"class":"ERROR","message":"no"}"#, .error("no")),
            ("{}", nil), ("", nil), ("$GPGGA,1", nil), (#"{"class":"TPV""#, nil),
        ] as [(String, GPSDMessage?)]
    )
    func lines(line: String, message: GPSDMessage?) {
        #expect(GPSDMessage(Array(line.utf8)) == message)
    }

    @Test("an error's text is one line of at most 200 scalars, however few characters they are")
    func errorText() {
        let text = #"\u001b[31m\r\n\u202e"# + "e" + String(repeating: "\u{301}", count: 7000)
        let message = GPSDMessage(Array(#"{"class":"ERROR","message":"\#(text)"}"#.utf8))
        #expect(message == .error(" [31m   e" + String(repeating: "\u{301}", count: 190) + "…"))
    }

    @Test("lines are reassembled from any chunks, and one that is too long is dropped completely")
    func cutting() {
        var cutter = LineCutter(limit: 5)
        #expect(cutter.take(Array("ab".utf8)).isEmpty)
        #expect(cutter.take(Array("c\n\nde\nfghij".utf8)) == [Array("abc".utf8), Array("de".utf8)])
        #expect(cutter.take(Array("\nfghijk".utf8)) == [Array("fghij".utf8)])
        #expect(cutter.take(Array(repeating: UInt8(ascii: "x"), count: 100_000)).isEmpty)
        #expect(cutter.take(Array("y\nok\n".utf8)) == [Array("ok".utf8)])
        #expect(cutter.dropped == 1)
    }
}
