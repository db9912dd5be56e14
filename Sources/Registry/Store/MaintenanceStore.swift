public import RegistryAPI

/// What time alone brings about. Each verb does a part of its work and says how much it did; where that is less than
/// the limit, nothing is left to do.
public protocol MaintenanceStore: Sendable {
    /// Closes reports that have been open for ``MissingReport/lifetime``, and tells their owners.
    func expireReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Tells owners of reports that expire within ``MissingReport/expiryNotice``.
    func announceExpiries(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Tells owners of the dates of their bikes that come near (``ReminderRules``), each stage once.
    func tellReminders(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Asks owners after bikes that have been heard while missing, but not for ``ReminderRules/quietReport``.
    func askAfterQuietReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Tells owners whose search ends within ``MissingReport/searchNotice`` what to do about it, once.
    func announceSearchEnds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Tells in one notice what came beyond a ``NoticeRate``, once its window is over.
    func tellHeldNotices(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Takes bikes off the missing list whose beacons' days are used up (``SearchDays``), and tells their owners.
    func suspendReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Takes beacons off the missing list whose test is over.
    func endBeaconTests(limit: Int, at time: Timestamp) async throws -> Int

    /// Has the audit commit itself to sightings whose visits have gone on for ``SightingRules/unrecorded`` since it did last.
    func recordGrowth(limit: Int, at time: Timestamp) async throws -> Int

    /// Deletes the sightings of reports that closed ``MissingReport/retention`` ago and are not held.
    func deleteOldSightings(limit: Int, at time: Timestamp) async throws -> Int

    /// Deletes keys of repeated calls, codes, attempts, told notices and removed channels whose time is over.
    func deleteLeftovers(at time: Timestamp) async throws
}
