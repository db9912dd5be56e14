import HTTPTypes
import RegistryAPI
import RegistryRules
import Synchronization
import Syntax

/// The metrics for the operator.
public final class RegistryMetrics: Sendable {
    let requests = RequestMetrics()
    private let visits = Mutex<[VisitResult.Verdict: Int]>([:])
    private let contradictions = Mutex(0)
    private let openConnections: @Sendable () -> Int
    private let tls: TLSFiles?

    /// - Parameters:
    ///   - openConnections: the number of connections that are open now.
    ///   - tls: the certificate whose expiry is shown; nil without TLS.
    init(openConnections: @escaping @Sendable () -> Int, tls: TLSFiles?) {
        self.openConnections = openConnections
        self.tls = tls
    }

    /// Counts the results of a batch of visits.
    func count(_ results: [VisitResult]) {
        visits.withLock { visits in
            for result in results { visits[result.result, default: 0] += 1 }
        }
    }

    /// Counts quarters of an hour that differ from what is stored.
    func countContradictions(_ count: Int) { contradictions.withLock { $0 += count } }

    /// All metrics as text; without statistics if the store cannot be read now.
    func text(_ statistics: RegistryStatistics?) -> String {
        var text = PrometheusText()
        requests.write(to: &text)
        text.add(.gauge, "findmybike_http_connections", "Open connections.", Double(openConnections()))
        let visits = visits.withLock { $0 }
        text.add(
            .counter, "findmybike_visits_total", "Visits that stations reported, by result.",
            VisitResult.Verdict.allCases.map {
                .init(Double(visits[$0] ?? 0), labels: [("result", $0.rawValue)])
            }
        )
        text.add(
            .counter, "findmybike_coverage_contradictions_total",
            "Quarters of an hour that stations told again with other values.",
            Double(contradictions.withLock { $0 }))
        if let tls {
            text.add(
                .gauge, "findmybike_certificate_expiry_timestamp_seconds", "When the TLS certificate expires.",
                Double(tls.expires)
            )
        }
        text.add(.gauge, "findmybike_store_up", "Whether the database could be read.", statistics == nil ? 0 : 1)
        if let statistics { Self.write(statistics, to: &text) }
        return text.text
    }

    private static func write(_ statistics: RegistryStatistics, to text: inout PrometheusText) {
        let gauges: [(name: String, help: String, value: Double)] = [
            ("alerts_waiting", "Alerts neither delivered nor given up yet.", Double(statistics.alertsWaiting)),
            ("missing_bikes", "Bikes on the missing list.", Double(statistics.listedBikes)),
            ("missing_list_version", "Version of the missing list.", Double(statistics.missingListVersion)),
            (
                "rotating_beacons_unreadable", "Rotating beacons whose keys cannot be opened with beacons.keyFile.",
                Double(statistics.unreadableBeacons)
            ),
            ("stations", "Enrolled stations that are not revoked.", Double(statistics.stations.inUse)),
            (
                "stations_silent", "Stations whose last heartbeat is over 15 minutes old.",
                Double(statistics.stations.silent)
            ),
            ("stations_deaf", "Stations none of whose receivers works.", Double(statistics.stations.deaf)),
            ("stations_new", "Stations that never sent a heartbeat.", Double(statistics.stations.new)),
            ("database_bytes", "Size of the database without its log.", Double(statistics.databaseBytes)),
        ]
        for gauge in gauges { text.add(.gauge, "findmybike_\(gauge.name)", gauge.help, gauge.value) }
        text.add(
            .counter, "findmybike_sightings_total", "Sightings stored in total.",
            Double(statistics.sightingsStored)
        )
    }
}
