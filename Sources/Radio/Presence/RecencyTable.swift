import Beacons

/// A dictionary of beacons that keeps the order in which its entries were last touched.
///
/// Lookup, insertion, touching and removal are O(1): entries are in dense slots, linked into a list from the oldest to
/// the newest. With non-decreasing time stamps and one constant delay, the list is also a queue of deadlines in
/// chronological order.
struct RecencyTable<Value: Sendable>: Sendable {
    /// The position of an entry; valid until the next removal.
    typealias Slot = Int

    private struct Entry: Sendable {
        let key: BeaconIdentity
        var value: Value
        var older: Slot?
        var newer: Slot?
    }

    private var entries: [Entry] = []
    private var slots: [BeaconIdentity: Slot] = [:]
    /// The entry that was touched longest ago.
    private(set) var oldest: Slot?
    private var newest: Slot?

    var count: Int { entries.count }

    /// The position of a beacon's entry; nil if it has none.
    func find(_ key: BeaconIdentity) -> Slot? { slots[key] }

    /// The beacon of an entry.
    func key(_ slot: Slot) -> BeaconIdentity { entries[slot].key }

    subscript(slot: Slot) -> Value {
        get { entries[slot].value }
        _modify { yield &entries[slot].value }
    }

    /// All values, in no particular order.
    var values: some Sequence<Value> { entries.lazy.map(\.value) }

    /// Adds an entry as the newest. The key must be absent.
    @discardableResult
    mutating func insert(_ key: BeaconIdentity, _ value: Value) -> Slot {
        let slot = entries.count
        entries.append(Entry(key: key, value: value))
        slots[key] = slot
        linkAsNewest(slot)
        return slot
    }

    /// Makes an entry the newest.
    mutating func touch(_ slot: Slot) {
        guard slot != newest else { return }
        unlink(slot)
        linkAsNewest(slot)
    }

    /// Removes an entry. Another one moves to its slot, so that slots stay dense.
    @discardableResult
    mutating func remove(_ slot: Slot) -> Value {
        unlink(slot)
        slots[entries[slot].key] = nil
        let moved = entries.count - 1
        entries.swapAt(slot, moved)
        let removed = entries.removeLast()
        if slot != moved { relink(slot) }
        return removed.value
    }

    mutating func removeAll() {
        self = RecencyTable()
    }

    private mutating func linkAsNewest(_ slot: Slot) {
        entries[slot].older = newest
        entries[slot].newer = nil
        if let newest { entries[newest].newer = slot } else { oldest = slot }
        newest = slot
    }

    private mutating func unlink(_ slot: Slot) {
        let (older, newer) = (entries[slot].older, entries[slot].newer)
        if let older { entries[older].newer = newer } else { oldest = newer }
        if let newer { entries[newer].older = older } else { newest = older }
    }

    /// Updates the links of an entry's neighbours after it was moved to another slot.
    private mutating func relink(_ slot: Slot) {
        slots[entries[slot].key] = slot
        if let older = entries[slot].older { entries[older].newer = slot } else { oldest = slot }
        if let newer = entries[slot].newer { entries[newer].older = slot } else { newest = slot }
    }
}
