import Foundation
import StationStatus

/// A stream of server-sent events (text/event-stream, HTML standard, section 9.2).
enum EventFeed {
    /// The time from one comment to the next: only writing detects a closed connection.
    private static let heartbeat = Duration.seconds(15)
    /// The maximum number of events that wait for a slow reader. If there are more, it loses the oldest.
    private static let maximumWaiting = 64

    /// The bytes of the events, as they happen, and of a comment at the beginning and every 15 seconds.
    ///
    /// - Parameter onEnd: called once the stream has no reader any longer.
    static func bytes(
        of events: AsyncStream<StatusEvent>, onEnd: @escaping @Sendable () -> Void
    ) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [UInt8].self, bufferingPolicy: .bufferingNewest(maximumWaiting))
        continuation.yield(Array(": events of the monitor\n\n".utf8))
        let feeding = Task {
            for await event in events { continuation.yield(encode(event)) }
            continuation.finish()
        }
        let ticking = Task {
            while (try? await Task.sleep(for: heartbeat)) != nil { continuation.yield(Array(": \n\n".utf8)) }
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
