import Beacons
import Foundation
import Logging
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQLite

/// A registry's database with an owner, bikes and many stations.
struct Stage {
    struct Result: Encodable {
        let owner: String
        let bikes: [String]
        let stations: [String]
    }

    private let operations: RegistryOperations

    init(database: String) throws {
        operations = RegistryOperations(
            store: try SQLiteRegistryStore(path: database, quotas: Quotas(openReports: 20)),
            logger: Logger(label: "missing-list") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    func prepare(stations count: Int) async throws -> Result {
        let owner = try await operations.createOwner()
        var bikes: [String] = []
        let draft = BikeDraft(kind: .bicycle, make: "Brompton", model: "C Line", colours: [.green])
        for _ in 0..<20 {
            bikes.append("\(try await operations.registerBike(draft, of: owner.owner.id, once: nil).id)")
        }
        let operatorID = Principal.operator(OperatorID(high: 1, low: 1))
        let place = Place(latitude: 51.5, longitude: -0.12, accuracy: 10)
        var stations: [String] = []
        for number in 0..<count {
            let invitation = InvitationDraft(name: "station \(number)", place: place)
            let code = try await operations.invite(invitation, by: operatorID, once: nil).code
            stations.append(try await operations.enrol(EnrolmentRequest(code: code), attempt: nil).token)
        }
        return Result(owner: owner.token, bikes: bikes, stations: stations)
    }
}
