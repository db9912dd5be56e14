import Beacons

@testable import Scanning

/// An input is a btsnoop capture after one octet that selects the size of the pieces in which it is read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    var rest = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    var capture = BTSnoopParser()
    var events = HCIEventParser()
    var time = RecordedTime()
    var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: .min))
    do {
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(start[0]) * 16 + 1))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
            capture.append(piece.bytes)
            while let record = try capture.next() {
                let instant = time.advance(to: record.time)
                capture.withEvent(of: record) {
                    events.parse($0, at: instant, controller: record.controller, into: &batch)
                }
            }
        }
        _ = try capture.truncation()
    } catch {
        return 0
    }
    return 0
}
