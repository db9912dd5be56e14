import Beacons
import Scanning

/// An input is advertising data.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let data = UnsafeRawBufferPointer(start: start, count: count).bytes
    var structures = ADStructures()
    var end = 0
    while let structure = structures.next(in: data) {
        precondition(structure.data.lowerBound >= end && structure.data.upperBound <= count)
        end = structure.data.upperBound
    }
    var rule = StrongestRadio(capacity: 4)
    _ = rule.accept(data, rssi: nil, from: 0, at: ScanInstant(nanoseconds: 0))
    if let beacon = IBeacon(advertisingData: data) {
        // Writing the frame again must give the same bytes.
        precondition(IBeacon(advertisingData: beacon.advertisingData.span.bytes) == beacon)
    }
    return 0
}
