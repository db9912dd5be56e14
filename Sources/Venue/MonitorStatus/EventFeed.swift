import FlyingSocks
import Foundation
import VenueStatus

/// A stream of server-sent events (text/event-stream, HTML standard, section 9.2), with a comment every 15 seconds that
/// detects a closed connection.
struct EventFeed: AsyncBufferedSequence {
    typealias Element = UInt8

    let chunks: AsyncStream<[UInt8]>

    init(_ events: AsyncStream<StatusEvent>, onEnd: @escaping @Sendable () -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(64))
        continuation.yield(Array(": events of the monitor\n\n".utf8))
        let feeding = Task {
            for await event in events { continuation.yield(Self.encode(event)) }
            continuation.finish()
        }
        let ticking = Task {
            while (try? await Task.sleep(for: .seconds(15))) != nil { continuation.yield(Array(": \n\n".utf8)) }
        }
        continuation.onTermination = { _ in
            feeding.cancel()
            ticking.cancel()
            onEnd()
        }
        chunks = stream
    }

    private static func encode(_ event: StatusEvent) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(event.details)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        return Array("event: \(event.kind)\ndata: \(data)\n\n".utf8)
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeAsyncIterator()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var chunks: AsyncStream<[UInt8]>.Iterator
        var rest: ArraySlice<UInt8> = []

        mutating func next() async -> UInt8? {
            if rest.isEmpty { rest = await chunks.next()?[...] ?? [] }
            return rest.popFirst()
        }

        mutating func nextBuffer(suggested count: Int) async -> ArraySlice<UInt8>? {
            if rest.isEmpty {
                guard let chunk = await chunks.next() else { return nil }
                rest = chunk[...]
            }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
    }
}
