import GRDB
import Registry
import RegistryAPI
import RegistrySQL

extension Database {
    /// Asks for the recovery code that an act needs, before it is done.
    func confirm(_ act: OwnerAct, owner: Int64, against weakening: SearchWeakening?) throws {
        switch weakening?.confirmation {
        case nil, .never: break
        case .whileMissing: try confirm(act, owner: owner, if: try hasMissingBike(owner))
        case .always: try confirm(act, owner: owner, if: true)
        }
    }

    /// Tells an owner on all channels what was done with a token.
    ///
    /// - Parameter last: channels that hear of it in any case, since they hear nothing after it.
    func tell(
        _ weakening: SearchWeakening?, to owner: Int64, bike: SightingAlert.BikeSummary? = nil, subject: String? = nil,
        last: [Int64] = [], by act: OwnerAct
    ) throws {
        guard let event = weakening?.notice else { return }
        let notice = OwnerNotice(event, bike: bike, subject: subject)
        try queueAlerts(notice, toOwner: owner, last: last, at: act.time, using: act.entropy)
    }

    /// Spends the recovery code of an act where a thief at the owner's computer would do the same.
    private func confirm(_ act: OwnerAct, owner: Int64, if isNeeded: Bool) throws {
        guard isNeeded else { return }
        guard let code = act.recoveryCode else { throw DomainError.recoveryCodeNeeded }
        guard try spendRecoveryCode(code, of: owner) else { throw DomainError.codeUnusable }
        try audit(AuditEvent(.recoveryUsed, by: act.principal, at: act.time, owner: act.owner))
    }

    private func spendRecoveryCode(_ code: SecretDigest, of owner: Int64) throws -> Bool {
        try run("DELETE FROM recovery_code WHERE digest = ? AND owner = ?", [code.blob, owner])
        return changesCount == 1
    }

    func insertRecoveryCodes(_ codes: [SecretDigest], of owner: Int64) throws {
        for code in codes {
            try run("INSERT INTO recovery_code (digest, owner) VALUES (?, ?)", [code.blob, owner])
        }
    }

    /// Whether any bike of an owner is missing.
    func hasMissingBike(_ owner: Int64) throws -> Bool {
        try exists(
            "SELECT 1 FROM bike JOIN report ON report.bike = bike.key WHERE bike.owner = ? AND report.closed IS NULL",
            [owner]
        )
    }

    /// Refuses what must not happen to a bike while it is missing.
    func refuseMissing(_ bike: Int64) throws {
        if let open = try row("SELECT id FROM report WHERE bike = ? AND closed IS NULL", [bike]) {
            throw DomainError.bikeMissing(try open.id("id"))
        }
    }
}
