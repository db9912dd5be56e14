import Beacons
import Foundation
import Glibc
import MissingList

/// Decodes a corpus of adverts repeatedly, and prints counts and nanoseconds per advert as one line of JSON.
///
/// Usage: `decode CORPUS IDENTITIES [REPETITIONS]`. The two modes alternate, so that a change of the machine's speed
/// affects both equally.
@main
enum Decode {
    static func main() {
        do {
            try run(CommandLine.arguments)
        } catch {
            FileHandle.standardError.write(Data("decode: \(error)\n".utf8))
            exit(64)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count >= 3 else { throw BenchmarkError("usage: decode CORPUS IDENTITIES [REPETITIONS]") }
        let corpus = try Corpus(path: arguments[1])
        let list = MissingIdentities(
            version: ListVersion(number: 1, mark: 1), identities: try identities(path: arguments[2])
        )
        var matcher = MissingMatcher()
        let repetitions = arguments.count > 3 ? max(1, Int(arguments[3]) ?? 15) : 15
        var recognised: [Measurement] = []
        var matched: [Measurement] = []
        for _ in 0..<repetitions {
            recognised.append(measure { recognise(corpus) })
            matched.append(measure { match(corpus, with: list, &matcher) })
        }
        let result = Result(
            frames: matched[0].tally.frames,
            iBeacons: matched[0].tally.iBeacons,
            recognisedOnly: recognised[0].tally.iBeacons,
            hits: matched[0].tally.hits,
            missing: list.count,
            recognise: recognised.map(\.nanoseconds).median,
            match: matched.map(\.nanoseconds).median
        )
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    }

    /// The printed result: counts, and the medians of CPU time in nanoseconds per advert.
    private struct Result: Encodable {
        let frames: Int
        let iBeacons: Int
        let recognisedOnly: Int
        let hits: Int
        let missing: Int
        let recognise: Double
        let match: Double
    }
}

/// The counts from one pass over a corpus.
struct Tally {
    var frames = 0
    var iBeacons = 0
    var hits = 0
}

/// Walks the AD structures of each advert and checks whether it is an iBeacon.
@inline(never)
func recognise(_ corpus: Corpus) -> Tally {
    var tally = Tally()
    corpus.forEach { data in
        tally.frames += 1
        if IBeacon(advertisingData: data) != nil { tally.iBeacons += 1 }
    }
    return tally
}

/// Walks each advert, extracts the identity and looks it up.
@inline(never)
func match(_ corpus: Corpus, with list: MissingIdentities, _ matcher: inout MissingMatcher) -> Tally {
    var tally = Tally()
    corpus.forEach { data in
        tally.frames += 1
        guard let beacon = IBeacon(advertisingData: data) else { return }
        tally.iBeacons += 1
        if matcher.matches(beacon.identity, on: list) { tally.hits += 1 }
    }
    return tally
}

/// One pass with its CPU time in nanoseconds per advert.
struct Measurement {
    let tally: Tally
    let nanoseconds: Double
}

func measure(_ pass: () -> Tally) -> Measurement {
    let start = processorTime()
    let tally = pass()
    return Measurement(tally: tally, nanoseconds: (processorTime() - start) / Double(max(1, tally.frames)))
}

/// CPU time of this process in nanoseconds.
private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

extension [Double] {
    /// The middle value; the upper one if the count is even. The array must not be empty.
    var median: Double { sorted()[count / 2] }
}
