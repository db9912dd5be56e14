import Foundation
import RegistryAPI
import RegistryRules
import TestSupport
import Testing

@Suite("Daily allowances")
struct DailyUseTests {
    @Test("the guide's table has the allowances of an owner with the usual quotas, in their order")
    func documented() throws {
        let text = try String(contentsOfFile: Repository.path("docs/operation.md"), encoding: .utf8)
        let start = try #require(text.range(of: "| in 24 hours |")).lowerBound
        let rows = text[start...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        let numbers = rows.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }[1] }
        #expect(numbers == DailyUse.allCases.map { "\($0.limit(for: Quotas()))" })
    }

    @Test("the greatest quotas give allowances that can be counted", arguments: DailyUse.allCases)
    func greatest(_ use: DailyUse) {
        var quotas = Quotas()
        for quota in Quota.allCases { quotas[quota] = Quotas.range.upperBound }
        #expect(use.limit(for: quotas) <= 20 * Quotas.range.upperBound + 50)
        for quota in Quota.allCases { quotas[quota] = 0 }
        #expect(use.limit(for: quotas) >= 0)
    }
}
