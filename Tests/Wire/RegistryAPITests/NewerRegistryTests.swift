import Foundation
import RegistryAPI
import Testing

@Suite("Responses of a newer registry")
struct NewerRegistryTests {
    @Test("kinds of channels that this program does not know are left out")
    func channelKinds() throws {
        let owner = Owner(id: .specimen, created: .specimen, channelKinds: [.ntfy, .email])
        let json = String(decoding: try JSONEncoder().encode(owner), as: UTF8.self)
        let newer = json.replacing(#"["ntfy","email"]"#, with: #"["ntfy","pigeon","email"]"#)
        #expect(newer != json)
        #expect(try JSONDecoder().decode(Owner.self, from: Data(newer.utf8)) == owner)
        let older = try JSONEncoder().encode(Owner(id: .specimen, created: .specimen))
        #expect(try JSONDecoder().decode(Owner.self, from: older).channelKinds == nil)
    }
}
