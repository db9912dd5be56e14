import Beacons
import Scanning

@testable import HCI

/// An input is an H4 stream after one octet that selects the size of the pieces in which it is read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    var rest = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    var framer = H4Framer()
    var parser = HCIEventParser()
    var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: 0))
    while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(start[0]) + 1))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
        do {
            try framer.append(piece.bytes) { event in
                _ = HCIEvent.Answer(event)
                parser.parse(event, at: batch.time, into: &batch)
            }
        } catch {
            break
        }
    }
    parser.finish(into: &batch)
    batch.forEach { _, data in _ = BeaconFrame(advertisingData: data) }
    return 0
}
