import RegistryPostgreSQL
import RegistrySQL
import RegistryStoreContract
import Testing

@Suite("PostgreSQL fulfils the store's contract")
struct StoreContractTests {
    @Test("contract", arguments: StoreContract.all)
    func contract(_ contract: StoreContract) async throws {
        try await TestDatabase.withStore { try await contract.check(on: $0) }
    }
}
