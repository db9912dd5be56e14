public import RegistryAPI

/// Work that depends only on time. Each operation does a part of its work and returns how much it did; if that is less
/// than the limit, nothing is left to do.
public protocol MaintenanceStore: Sendable {
    /// Closes reports that have been open for ``MissingReport/lifetime``, and notifies their owners.
    func expireReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Notifies owners of reports that expire within ``MissingReport/expiryNotice``.
    func announceExpiries(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Reminds owners of approaching dates of their bikes (``ReminderRules``), once for each stage.
    func tellReminders(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Asks owners about bikes that have been heard while missing, but not for ``ReminderRules/quietReport``.
    func askAfterQuietReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Advises, once, the owners whose search ends within ``MissingReport/searchNotice``.
    func announceSearchEnds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Sends one notice for all notices beyond a ``NoticeRate``, once its window is over.
    func tellHeldNotices(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Takes bikes off the missing list whose beacons' days are used up (``SearchDays``), and notifies their owners.
    func suspendReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Notes which open searches have signs of misuse (``MisuseRules``), each search once a day.
    func noteSigns(limit: Int, at time: Timestamp) async throws -> Int

    /// Takes beacons off the missing list when their test is over.
    func endBeaconTests(limit: Int, at time: Timestamp) async throws -> Int

    /// Makes the audit commit to sightings whose visits have continued for
    /// ``SightingRules/unrecorded`` since the last time.
    func recordGrowth(limit: Int, at time: Timestamp) async throws -> Int

    /// Deletes the sightings of reports that closed ``MissingReport/retention`` ago and are not held.
    func deleteOldSightings(limit: Int, at time: Timestamp) async throws -> Int

    /// Deletes what stations heard longer than ``CoverageRules/retention`` ago.
    func deleteOldCoverage(limit: Int, at time: Timestamp) async throws -> Int

    /// Adds the oldest finds to their bikes' histories and notifies the holders, and deletes finds of beacons that
    /// belong to no bike. Beyond a ``NoticeRate``, finds are announced together.
    ///
    /// - Returns: the number of finds that were processed; fewer than the limit if none is left.
    func tellFinds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Notifies owners of finders' messages.
    ///
    /// - Returns: the number of conversations that were processed; fewer than the limit if none is left.
    func tellMessages(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int

    /// Ends conversations without a message for ``MessageRules/idle``, and deletes those that ended
    /// ``MessageRules/kept`` ago.
    func ageConversations(limit: Int, at time: Timestamp) async throws -> Int

    /// Deletes expired idempotency keys, codes, attempts, shares and displays, sent notices and removed channels.
    func deleteLeftovers(at time: Timestamp) async throws
}
