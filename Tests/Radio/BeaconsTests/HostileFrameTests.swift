import Beacons
import TestSupport
import Testing

/// Anyone can transmit anything: no frame may stop a monitor, or be mistaken for a beacon that it is not.
@Suite struct HostileFrameTests {
    /// Parses the frame in every way and compares the results with the reference. Returns the differences.
    private func fault(in frame: ArraySlice<UInt8>) -> String? {
        let span = frame.span.bytes
        var structures = ADStructures()
        var end = 0
        while let structure = structures.next(in: span) {
            guard structure.data.lowerBound == end + 2, structure.data.upperBound <= span.byteCount else {
                return "a structure outside the frame"
            }
            end = structure.data.upperBound
        }
        let found = IBeacon(advertisingData: span)
        let reference = ReferenceParser.iBeacon(in: frame)
        if found?.manufacturerData != reference.map(Array.init) { return "not what the reference finds" }
        guard case .iBeacon(let beacon) = BeaconFrame(advertisingData: span) else {
            return found == nil ? nil : "an iBeacon that is no beacon"
        }
        return beacon == found ? nil : "two different iBeacons"
    }

    @Test("every truncation of every frame is parsed as by the reference parser")
    func truncations() throws {
        for frame in try Vectors.advertisingData() {
            for length in 0...frame.count {
                let fault = fault(in: frame.prefix(length))
                #expect(fault == nil, "\(frame.prefix(length))")
            }
        }
    }

    /// A million frames in total; each seed runs independently and reproducibly.
    @Test("random damage to real frames is parsed as by the reference parser", arguments: 0..<4 as Range<UInt64>)
    func mutations(seed: UInt64) throws {
        let frames = try Vectors.advertisingData().filter { !$0.isEmpty }
        var random = SeededGenerator(seed: seed)
        var recognised = 0
        for round in 0..<250_000 {
            var frame = frames[round % frames.count]
            let damage = random.next()
            for step in 0...Int(damage & 3) {
                let word = Int(truncatingIfNeeded: damage >> UInt64(4 + step * 13))
                frame[(word & 0x1F) % frame.count] = UInt8(truncatingIfNeeded: word >> 5)
            }
            // One in eight is truncated as well.
            let length = damage >> 57 & 7 == 0 ? Int(damage >> 60) * frame.count / 16 : frame.count
            if let fault = fault(in: frame.prefix(length)) {
                Issue.record("\(fault): \(frame.prefix(length))")
                return
            }
            if IBeacon(advertisingData: frame.span.bytes) != nil { recognised += 1 }
        }
        // Otherwise the damage would be so great that nothing is tested.
        #expect(recognised > 1000)
    }
}
