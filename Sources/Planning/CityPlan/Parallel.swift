import Foundation

/// The results of independent work on all processors, in order: the same whatever their number.
///
/// A task that is cancelled starts no more work, and throws `CancellationError`.
///
/// - Parameters:
///   - count: the number of pieces of work.
///   - workers: how many run concurrently; by default one for each processor.
///   - done: called after each piece of work with the number that are done, from any thread.
///   - work: called with the number of the piece, from 0.
func parallel<Result: Sendable>(
    _ count: Int, workers: Int? = nil, done: @Sendable (Int) -> Void = { _ in },
    _ work: @Sendable @escaping (Int) -> Result
) async throws -> [Result] {
    let workers = max(1, min(count, workers ?? ProcessInfo.processInfo.activeProcessorCount))
    var results = [Result?](repeating: nil, count: count)
    var finished = 0
    await withTaskGroup(of: (Int, Result).self) { group in
        var started = 0
        func startNext() {
            guard started < count, !Task.isCancelled else { return }
            let index = started
            group.addTask { (index, work(index)) }
            started += 1
        }
        for _ in 0..<workers { startNext() }
        while let (index, result) = await group.next() {
            results[index] = result
            finished += 1
            done(finished)
            startNext()
        }
    }
    try Task.checkCancellation()
    return results.compactMap(\.self)
}
