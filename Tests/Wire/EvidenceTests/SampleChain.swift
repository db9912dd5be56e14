import RegistryAPI

@testable import Evidence

/// A chain of made-up entries.
struct SampleChain {
    private(set) var entries: [AuditEntry] = []
    private(set) var links: [ChainLink] = []

    var end: HashValue { links.last?.hash ?? .zero }

    init(length: Int, report: ReportID = ReportID(high: 6, low: 1), every step: Int = 1) {
        for number in 1...max(1, length) where length > 0 {
            append(
                AuditEntry.Event(
                    action: "sighting.stored", time: Timestamp(milliseconds: 1_795_262_400_000 + Int64(number)),
                    report: number.isMultiple(of: step) ? report : nil, details: ["number": "\(number)"]
                )
            )
        }
    }

    mutating func append(_ event: AuditEntry.Event) {
        let index = Int64(links.count + 1)
        let salt = (0..<16).map { UInt8(truncatingIfNeeded: Int(index) * 31 + $0) }
        let commitment = AuditChain.commitment(to: event.canonical, salt: salt)
        let shortcut = AuditChain.shortcut(from: index)
        let link = ChainLink(
            index: index, commitment: commitment, previous: end,
            shortcut: shortcut == 0 ? .zero : links[Int(shortcut) - 1].hash
        )
        links.append(link)
        entries.append(
            AuditEntry(
                index: index, event: event, salt: Hexadecimal.text(salt), commitment: commitment.description,
                chain: link.hash.description
            )
        )
    }

    func proof(of entries: [Int64]) -> ChainProof {
        ChainProof(links: ChainProof.indices(to: entries, from: Int64(links.count)).map { links[Int($0) - 1] })
    }
}
