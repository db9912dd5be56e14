import HTTPTypes
import Hummingbird
import MissingList
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The operators' calls that show the whole registry: the overview, the map of stations, the outcomes of searches, and
/// references to confirm.
struct OverviewCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    let missingList: MissingListPublisher
    /// The map of stations as it was encoded last.
    let map: AnswerCache

    func add(to calls: Calls<OperatorContext>) {
        calls.get(
            "/v1/overview", "Show the state of the registry",
            "Stations, alerts, deliveries, the database and what waits for a decision, in one answer."
        )
        .watching
        .answering(Example.overview, "The overview.") { _ in
            let list = try await missingList.current(forWaiting: true)
            return try await operations.overview { bikes in
                Overview.MissingList(
                    version: list.version.number, bikes: bikes, entries: list.list.hashes.count,
                    bytes: list.full.readableBytes)
            }
        }

        calls.get(
            "/v1/station-map", "Get all stations for a map",
            """
            Those that are not revoked, at most \(StationMap.most), in the order of their enrolment. A row has the \
            station’s identifier, name, latitude, longitude and state, and the time of its last heartbeat or null. The \
            answer is compressed if the caller accepts gzip, and is up to two seconds old.
            """
        )
        .watching
        .giving(.ok, "The stations.", content: [.stationMap], headers: [.eTag]).givingNotModified
        .responding { request in
            try await map.current { try await operations.stationMap().json }
                .answer(
                    to: request.http, caching: "private, no-cache", varying: "Accept-Encoding, Authorization, Cookie")
        }

        calls.get(
            "/v1/closed-searches", "Count what became of searches",
            """
            How many of the latest \(ClosedSearches.most) were heard within an hour, a day, a week or 30 days, and how \
            long they lasted; without false alarms, only the first for each beacon, and at most \
            \(ClosedSearches.mostOfOwner) of an owner in 90 days. `findmybike plan --experience` weights its models by these \
            counts. They change only when searches of \(ClosedSearches.leastOwners) more owners have ended, at most once a \
            day, and name no search.
            """
        )
        .answering(Example.closedSearches, "The counts.") { _ in try await operations.closedSearches() }

        calls.get(
            "/v1/references", "List the police references to confirm",
            "Those of open reports that nobody has confirmed, in the order in which the reports were opened."
        )
        .listing(Example.reference, "A page of reports with their owners.") { try await store.references($1) }

        calls.get(
            "/v1/searches-to-check", "List the searches with signs of misuse",
            """
            Open searches whose reference nobody has confirmed: the beacon was new, the owner reports bikes missing again \
            and again, or one station hears it night after night. Each search is looked at once a day. These are facts \
            and no verdict; there are no sightings and no places.
            """
        )
        .listing(Example.searchToCheck, "A page of searches.") { try await store.searchesToCheck($1) }
    }
}

extension Call.Content {
    fileprivate static var stationMap: Call.Content {
        Call.Content(
            mediaType: MediaType.json, schema: { _ in StationMap.schema },
            example: { JSONValue(text: Example.stationMap.json) })
    }
}
