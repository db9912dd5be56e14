import RegistryAPI
import Testing

@testable import Evidence

@Suite("Proofs of the chain")
struct ChainProofTests {
    private let chain = SampleChain(length: 300)

    @Test(
        "a proof shows that its entries are in the chain",
        arguments: [[1], [300], [299], [7, 8, 150], [1, 300], Array(1...300), []] as [[Int64]]
    )
    func proves(entries: [Int64]) throws {
        let proof = chain.proof(of: entries)
        let proved = try proof.verified(endingAt: 300, chain.end)
        for entry in entries { #expect(proved[entry] == chain.links[Int(entry) - 1]) }
        #expect(ChainProof(proof.text) == proof)
    }

    @Test("a chain without entries needs no links")
    func empty() throws {
        #expect(ChainProof.indices(to: [], from: 0) == [])
        #expect(try ChainProof(links: []).verified(endingAt: 0, .zero) == [:])
    }

    @Test("a proof with any changed, missing or added link is invalid")
    func tampering() throws {
        let proof = chain.proof(of: [3, 100])
        let other = HashValue(of: [0])
        for position in proof.links.indices {
            for change in [\ChainLink.commitment, \.previous, \.shortcut] {
                var changed = proof
                changed.links[position][keyPath: change] = other
                #expect(throws: ChainProof.Flaw.self) { try changed.verified(endingAt: 300, chain.end) }
            }
            var renumbered = proof
            renumbered.links[position].index += 1
            #expect(throws: ChainProof.Flaw.self) { try renumbered.verified(endingAt: 300, chain.end) }
            if position + 1 < proof.links.count {
                var cut = proof
                cut.links.remove(at: position)
                #expect(throws: ChainProof.Flaw.self) { try cut.verified(endingAt: 300, chain.end) }
            }
            var doubled = proof
            doubled.links.insert(proof.links[position], at: position)
            #expect(throws: ChainProof.Flaw.self) { try doubled.verified(endingAt: 300, chain.end) }
        }
    }

    @Test("a proof is valid only for its own end")
    func otherEnd() {
        let proof = chain.proof(of: [3])
        #expect(throws: ChainProof.Flaw.self) { try proof.verified(endingAt: 299, chain.end) }
        #expect(throws: ChainProof.Flaw.self) { try proof.verified(endingAt: 300, chain.links[298].hash) }
    }

    @Test("the links of an untrusted proof may have any index")
    func highestIndex() {
        let last = ChainLink(index: .max, commitment: .zero, previous: .zero, shortcut: .zero)
        let first = ChainLink(index: 1, commitment: .zero, previous: .zero, shortcut: .zero)
        #expect(throws: ChainProof.Flaw.gap(before: .max)) {
            try ChainProof(links: [last, first]).verified(endingAt: .max, last.hash)
        }
    }

    @Test(
        "only the exact text of a table is accepted",
        arguments: [
            "", "index", "index,commitment,previous,shortcut", "index,commitment,previous,shortcut\n1,2,3,4\n",
            "index,commitment,previous,shortcut\n\n",
        ])
    func badTable(text: String) {
        #expect(ChainProof(text) == nil)
    }

    @Test("walking a whole chain names the first entry that was changed")
    func walk() throws {
        func follow(_ entries: [AuditEntry]) throws {
            var walk = ChainWalk()
            for entry in entries { try walk.follow(entry) { HashValue(entries[Int($0) - 1].chain) } }
        }
        try follow(chain.entries)
        var entries = chain.entries
        entries[41].event?.action = "x"
        #expect(throws: ChainWalk.Fault.changed(index: 42)) { try follow(entries) }
        entries[41] = chain.entries[41]
        entries[41].salt = nil
        #expect(throws: ChainWalk.Fault.changed(index: 42)) { try follow(entries) }
        entries[41].event = nil
        try follow(entries)
        entries.remove(at: 41)
        #expect(throws: ChainWalk.Fault.missing(index: 42)) { try follow(entries) }
    }
}
