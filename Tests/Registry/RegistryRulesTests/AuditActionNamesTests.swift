import Foundation
import RegistryRules
import TestSupport
import Testing

@Suite("The names of the audit’s actions at the desk")
struct AuditActionNamesTests {
    @Test("the desk’s search offers each action of the audit, and no other")
    func names() throws {
        let file = Repository.path("Sources/Web/WebPages/Files/js/desk/actions.js")
        let offered = try String(contentsOfFile: file, encoding: .utf8).matches(of: /"([a-z.]+)"/).map { String($0.1) }
        #expect(offered == AuditAction.allCases.map(\.rawValue).sorted())
    }
}
