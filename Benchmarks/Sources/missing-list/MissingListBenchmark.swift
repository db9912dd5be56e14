import Beacons
import Foundation
import MissingList

/// Measures the missing list with 10^6 bikes, and prepares a registry for the benchmark of waiting stations.
///
/// Usage: `missing-list codec`, `missing-list rotation DATABASE BIKES`, or `missing-list prepare DATABASE STATIONS`, which
/// prints the tokens of an owner and of that number of stations, and the bikes that the owner can report.
@main
enum MissingListBenchmark {
    static func main() async {
        do {
            let arguments = CommandLine.arguments
            if arguments.count == 2, arguments[1] == "codec" { return try printAsJSON(try Codec().measure()) }
            if arguments.count == 4, arguments[1] == "rotation", let bikes = Int(arguments[3]) {
                return try printAsJSON(try await Rotation(database: arguments[2], bikes: bikes).measure())
            }
            guard arguments.count == 4, arguments[1] == "prepare", let stations = Int(arguments[3]) else {
                throw BenchmarkError(
                    description: "usage: missing-list codec | prepare DATABASE STATIONS | rotation DATABASE BIKES")
            }
            try printAsJSON(try await Stage(database: arguments[2]).prepare(stations: stations))
        } catch {
            FileHandle.standardError.write(Data("missing-list: \(error)\n".utf8))
            exit(64)
        }
    }

    private static func printAsJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// The reason why the benchmark cannot run.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
}

/// Measures the size and time of a list of 10^6 bikes, of a look-up, and of a day of changes.
struct Codec {
    struct Result: Encodable {
        var bikes = 0
        var bytesPerBike = 0.0
        var buildMilliseconds = 0.0
        var encodeMilliseconds = 0.0
        var decodeMilliseconds = 0.0
        var deltaMilliseconds = 0.0
        var lookUpNanoseconds = 0.0
        var hashNanoseconds = 0.0
        /// Deltas of a day of 1,000 additions and 1,000 removals, fetched 96 times.
        var dayBytes = 0
        var dayPolls = 0
    }

    private let bikes = 1_000_000
    private let polls = 96
    private let changesADay = 1000

    func measure() throws -> Result {
        var generator = SystemRandomNumberGenerator()
        func identity() -> BeaconIdentity {
            BeaconIdentity(
                uuid: ProximityUUID(high: 0x21EE_CF71_D5C7_4A00, low: 0x9B90_27C9_4B51_46EA),
                major: .random(in: 1 ... .max, using: &generator), minor: .random(in: 100 ... .max, using: &generator)
            )
        }
        var listed: Set<BeaconIdentity> = []
        while listed.count < bikes { listed.insert(identity()) }
        var identities = Array(listed)
        var result = Result()
        result.bikes = bikes
        let start = ListVersion(number: 1, mark: 1)
        var list = MissingIdentities.empty
        result.buildMilliseconds = milliseconds { list = MissingIdentities(version: start, identities: identities) }
        var bytes: [UInt8] = []
        result.encodeMilliseconds = milliseconds { bytes = list.encoded }
        result.bytesPerBike = Double(bytes.count) / Double(bikes)
        var decoded: ListMessage?
        result.decodeMilliseconds = milliseconds { decoded = try? ListMessage(bytes) }
        guard case .full(var station) = decoded else { throw BenchmarkError(description: "the list is not read back") }

        var hits = 0
        let hashes = identities.shuffled().prefix(200_000).map { TruncatedHash(of: $0) }
        let lookUps = milliseconds { for hash in hashes where station.hashes.contains(hash) { hits += 1 } }
        guard hits == hashes.count else { throw BenchmarkError(description: "a listed bike was not found") }
        result.lookUpNanoseconds = lookUps * 1e6 / Double(hashes.count)
        var sum: UInt64 = 0
        let hashing = milliseconds { for identity in identities { sum ^= TruncatedHash(of: identity).value } }
        guard sum != 0 else { throw BenchmarkError(description: "all hashes cancel out") }
        result.hashNanoseconds = hashing * 1e6 / Double(identities.count)

        for poll in 1...polls {
            // 1,000 are not divisible by 96: ten or eleven a poll.
            let count = changesADay * poll / polls - changesADay * (poll - 1) / polls
            let removed = (0..<count).map { _ in identities.remove(at: .random(in: 0..<identities.count)) }
            let added = (0..<count).map { _ in identity() }
            identities += added
            let next = MissingIdentities(
                version: ListVersion(number: UInt64(poll) + 1, mark: .random(in: 0 ... .max)), identities: identities
            )
            let (before, now) = (Set(removed.map { TruncatedHash(of: $0) }), Set(added.map { TruncatedHash(of: $0) }))
            let delta = ListDelta(
                to: next, from: station.version, removed: before.filter { !next.hashes.contains($0) },
                added: now.filter { !station.hashes.contains($0) }
            ).encoded
            result.dayBytes += delta.count
            result.dayPolls += 1
            result.deltaMilliseconds = try milliseconds {
                guard case .delta(let delta) = try ListMessage(delta) else { return }
                station = try station.applying(delta)
            }
            guard station.digest == next.digest else { throw BenchmarkError(description: "a delta went wrong") }
        }
        return result
    }

    /// The CPU time of the body in this process.
    private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        }
        let start = now()
        try body()
        return now() - start
    }
}
