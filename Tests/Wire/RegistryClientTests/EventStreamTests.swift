import Testing

@testable import RegistryClient

@Suite("Event streams")
struct EventStreamTests {
    private static let stream = """
        retry: 3000

        : a comment
        id: 7
        event: sighting
        data: {"a":
        data:  1}

        data

        event: nothing

        id: 8
        data: x


        """

    private static let events = [
        ServerSentEvent(id: "7", type: "sighting", data: "{\"a\":\n 1}"),
        ServerSentEvent(id: "7", type: "message", data: ""), ServerSentEvent(id: "8", type: "message", data: "x"),
    ]

    @Test(
        "a stream is parsed in parts of any size, with any line endings", arguments: [1, 2, 3, 7, 1000],
        ["\n", "\r\n", "\r"])
    func parts(size: Int, lineEnd: String) throws {
        let bytes = Array(Self.stream.replacing("\n", with: lineEnd).utf8)
        var parser = EventStreamParser()
        var events: [ServerSentEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.take(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(events == Self.events)
    }

    @Test("an event that does not end is refused before it fills the memory")
    func endless() {
        var parser = EventStreamParser()
        #expect(throws: RegistryError.self) {
            for _ in 0..<40 { _ = try parser.take([UInt8](repeating: 0x78, count: 1 << 16)) }
        }
    }
}
