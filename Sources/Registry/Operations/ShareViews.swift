import RegistryAPI
import RegistryRules
import RegistrySQL
import Synchronization

/// The views of shares that are not in the database yet.
///
/// A view is written immediately, unless another view of the share was written in the last minute: so a link causes at
/// most one write a minute, however often it is opened. A restart forgets at most the views since then.
final class ShareViews: Sendable {
    private struct Views {
        var count = 0
        var last: Timestamp
        var written: Timestamp
    }

    /// The time between two writes for a share.
    private static let interval = Duration.seconds(60)
    /// The maximum number of shares to remember, which take about 1 MB.
    private static let limit = 10_000

    private let views = Mutex<[ShareID: Views]>([:])

    /// Counts a view; returns the number of views that the caller must write now, and zero if it can wait.
    func add(_ share: ShareID, at time: Timestamp) -> Int {
        views.withLock { views in
            if views[share] == nil, views.count >= Self.limit { Self.makeRoom(in: &views, at: time) }
            guard var known = views[share] else {
                views[share] = Views(last: time, written: time)
                return 1
            }
            known.count += 1
            known.last = time
            defer { views[share] = known }
            // If the clock was ahead and comes back, writing must continue.
            guard time < known.written || known.written.advanced(by: Self.interval) <= time else { return 0 }
            known.written = time
            defer { known.count = 0 }
            return known.count
        }
    }

    /// Counts views again that could not be written.
    func putBack(_ count: Int, of share: ShareID) {
        views.withLock { $0[share]?.count += count }
    }

    /// The share with the views that are not written yet.
    func completing(_ share: Share) -> Share {
        guard let unwritten = views.withLock({ $0[share.id] }), unwritten.count > 0 else { return share }
        var share = share
        share.views += unwritten.count
        share.lastViewed = max(share.lastViewed ?? unwritten.last, unwritten.last)
        return share
    }

    /// Forgets shares without unwritten views, and all if that is not enough.
    private static func makeRoom(in views: inout [ShareID: Views], at time: Timestamp) {
        views = views.filter { $0.value.count > 0 }
        if views.count >= limit { views.removeAll() }
    }
}
