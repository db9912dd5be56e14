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
        /// The number of views that are not written yet.
        var count = 0
        /// The time of the last view.
        var last: Timestamp
        /// When views of the share were last written.
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
            guard let known = views[share] else {
                views[share] = Views(last: time, written: time)
                return 1
            }
            // If the clock was ahead and comes back, writing must continue.
            let isDue = time < known.written || known.written.advanced(by: Self.interval) <= time
            guard isDue else {
                views[share] = Views(count: known.count + 1, last: time, written: known.written)
                return 0
            }
            views[share] = Views(last: time, written: time)
            return known.count + 1
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
