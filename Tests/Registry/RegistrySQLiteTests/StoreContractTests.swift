import RegistryAPI
import RegistrySQL
import RegistrySQLite
import RegistrySQLiteTestSupport
import RegistryStoreContract
import TestSupport
import Testing

@Suite("SQLite fulfils the store's contract")
struct StoreContractTests {
    @Test("contract", arguments: StoreContract.all)
    func contract(_ contract: StoreContract) async throws {
        let folder = try TemporaryFolder()
        try await contract.check(
            on: try SQLiteRegistryStore(
                newAt: folder.file("registry.sqlite"), quotas: Quotas(bikes: 10_000, openReports: 10_000)))
    }
}
