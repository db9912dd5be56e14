import Foundation
import StationStatus

/// A stream of server-sent events (text/event-stream, HTML standard, section 9.2), with a comment every 15 seconds that
/// detects a closed connection.
enum EventFeed {
    /// The bytes of the events, as they happen.
    ///
    /// - Parameter onEnd: called once the stream has no reader any longer.
    static func bytes(
        of events: AsyncStream<StatusEvent>, onEnd: @escaping @Sendable () -> Void
    ) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(64))
        continuation.yield(Array(": events of the monitor\n\n".utf8))
        let feeding = Task {
            for await event in events { continuation.yield(encode(event)) }
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
        return stream
    }

    private static func encode(_ event: StatusEvent) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(event.details)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        return Array("event: \(event.kind)\ndata: \(data)\n\n".utf8)
    }
}
