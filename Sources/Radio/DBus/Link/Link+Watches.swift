import CDBus
import Dispatch
import OperatingSystem

extension Link {
    /// The maximum number of passes for one event of the descriptor before other work on the queue.
    private static let passLimit = 64

    /// Watches a socket as libdbus wants now: for reading or for writing, or not at all. False if it cannot be watched.
    func update(_ watch: OpaquePointer) -> Bool {
        sources[watch] = nil
        guard dbus_watch_get_enabled(watch) != 0 else { return true }
        let isReading = dbus_watch_get_flags(watch) & UInt32(DBUS_WATCH_READABLE.rawValue) != 0
        // libdbus may close its socket at any time.
        let source = DescriptorSource(
            duplicating: dbus_watch_get_unix_fd(watch), isReading ? .reading : .writing, queue: queue
        ) { [weak self] in self?.handle(watch, isReading: isReading) }
        guard let source else { return false }
        if isReading, pause != nil { source.suspend() }
        sources[watch] = source
        return true
    }

    func remove(_ watch: OpaquePointer) {
        sources[watch] = nil
    }

    /// Handles an event of a socket.
    private func handle(_ watch: OpaquePointer, isReading: Bool) {
        guard isReading else {
            dbus_watch_handle(watch, UInt32(DBUS_WATCH_WRITABLE.rawValue))
            drain()
            return
        }
        if read(watch) > 0 { pauseReading() }
    }

    /// Reads and delivers all available data; libdbus reads about 2 kB at a time. Returns the number of reads with
    /// data.
    private func read(_ watch: OpaquePointer) -> Int {
        var passes = 0
        // A handler may remove this watch.
        while sources[watch] != nil, passes < Self.passLimit {
            dbus_watch_handle(watch, UInt32(DBUS_WATCH_READABLE.rawValue))
            guard drain() else { break }
            passes += 1
        }
        return passes
    }

    /// Reads again after a pause, and waits for the descriptor only if nothing has arrived by then. There is no pause
    /// while a call waits for its reply.
    private func pauseReading() {
        guard readingPause > .zero, pause == nil, waiters.isEmpty, connection != nil else { return }
        let number = token()
        pause = number
        for source in sources.values where source.direction == .reading { source.suspend() }
        later(at: .now() + readingPause.dispatchInterval) { $0.endPause(number) }
    }

    /// Ends a pause, if it is still the current one: reads what has arrived, and then waits for more.
    private func endPause(_ number: UInt64) {
        // A call that waits for its reply may have ended this pause, and another may have begun.
        guard pause == number else { return }
        pause = nil
        let watches = sources.filter { $0.value.direction == .reading }.keys
        let passes = watches.reduce(0) { passes, watch in passes + read(watch) }
        if passes > 0 { pauseReading() }
        if pause == nil { startReading() }
    }

    /// Waits for the descriptors again.
    private func startReading() {
        for source in sources.values where source.direction == .reading { source.resume() }
    }

    /// Ends the current pause, because a call now waits for its reply.
    func resumeReading() {
        guard pause != nil else { return }
        pause = nil
        startReading()
    }
}

// “These functions are called by libdbus whenever it adds, removes or toggles a watch” – always from within a call made
// on the queue.
let addWatch: DBusAddWatchFunction = { watch, context in
    guard let watch, let link = link(context) else { return 0 }
    return link.update(watch) ? 1 : 0
}

let removeWatch: DBusRemoveWatchFunction = { watch, context in
    if let watch { link(context)?.remove(watch) }
}

let toggleWatch: DBusWatchToggledFunction = { watch, context in
    if let watch { _ = link(context)?.update(watch) }
}
