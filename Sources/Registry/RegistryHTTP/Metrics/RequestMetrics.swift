import HTTPTypes
import Synchronization
import Syntax

/// Counts requests and the durations of their responses, by route.
final class RequestMetrics: Sendable {
    /// The labels of a series.
    private struct Key: Hashable {
        let method: String
        let route: String
    }

    private struct Series {
        var inProgress = 0
        /// The number of responses by status.
        var statuses: [Int: Int] = [:]
        /// The counts of the histogram's buckets, one more than there are bounds; not cumulative yet.
        var buckets = [Int](repeating: 0, count: RequestMetrics.bounds.count + 1)
        /// The sum of all durations.
        var seconds = 0.0
    }

    /// The upper bounds of the histogram in seconds: a long poll lasts up to a quarter of an hour.
    private static let bounds = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900,
    ]

    private let series = Mutex<[Key: Series]>([:])

    /// Counts a request whose header has arrived; ``ended(_:_:status:after:)`` follows.
    ///
    /// - Parameter route: the pattern of the path; nil for a path that is not served.
    func began(_ method: HTTPRequest.Method, _ route: String?) {
        let key = Self.key(method, route)
        series.withLock { $0[key, default: Series()].inProgress += 1 }
    }

    /// Counts the response to a request.
    ///
    /// - Parameter duration: the time since ``began(_:_:)``.
    func ended(_ method: HTTPRequest.Method, _ route: String?, status: Int, after duration: Duration) {
        let key = Self.key(method, route)
        let seconds = duration / .seconds(1)
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        series.withLock { all in
            all[key, default: Series()].inProgress -= 1
            all[key]?.statuses[status, default: 0] += 1
            all[key]?.buckets[bucket] += 1
            all[key]?.seconds += seconds
        }
    }

    /// The labels of a request. Only known values become labels, since a stranger could make
    /// up any number of paths and methods.
    private static func key(_ method: HTTPRequest.Method, _ route: String?) -> Key {
        guard let route, route.begins(with: "/") else { return Key(method: "other", route: "none") }
        let isKnown = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(method.rawValue)
        return Key(method: isKnown ? method.rawValue : "other", route: route)
    }

    /// Adds all series to a text, in the order of routes and methods.
    func write(to text: inout PrometheusText) {
        let all = series.withLock { $0 }.sorted { ($0.key.route, $0.key.method) < ($1.key.route, $1.key.method) }
        text.add(
            .counter, "findmybike_http_requests_total", "Answered requests by route and status.",
            all.flatMap { key, series in
                series.statuses.sorted { $0.key < $1.key }.map { status, count in
                    .init(Double(count), labels: Self.labels(key) + [("status", "\(status)")])
                }
            }
        )
        text.add(
            .gauge, "findmybike_http_requests_in_progress", "Requests being answered now, including long polls.",
            all.map { .init(Double($0.value.inProgress), labels: Self.labels($0.key)) }
        )
        text.add(
            .histogram, "findmybike_http_request_duration_seconds", "Time from a request’s header to its response’s.",
            all.flatMap { Self.histogram($0.value, Self.labels($0.key)) }
        )
    }

    private static func labels(_ key: Key) -> [(name: String, value: String)] {
        [("method", key.method), ("route", key.route)]
    }

    /// The samples of one series' histogram, whose buckets are cumulative.
    private static func histogram(
        _ series: Series, _ labels: [(name: String, value: String)]
    ) -> [PrometheusText.Sample] {
        var total = 0
        var samples: [PrometheusText.Sample] = []
        for (bound, count) in zip(bounds + [.infinity], series.buckets) {
            total += count
            let bucket = labels + [("le", PrometheusText.text(bound))]
            samples.append(.init(Double(total), labels: bucket, suffix: "_bucket"))
        }
        samples.append(.init(series.seconds, labels: labels, suffix: "_sum"))
        samples.append(.init(Double(total), labels: labels, suffix: "_count"))
        return samples
    }
}
