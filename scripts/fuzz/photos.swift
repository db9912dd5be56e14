import Photos

/// An input is a file that somebody sends as a photo.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(PhotoRefusal) {
        let header = try JPEGHeader(bytes)
        precondition(header.width > 0 && header.height > 0 && header.width * header.height <= PhotoLimits.pixels)
        precondition(header.scans <= PhotoLimits.scans)
        let (width, height) =
            header.orientation.isTurned ? (header.height, header.width) : (header.width, header.height)
        // Every corner of the upright picture lies within the stored one.
        for (x, y) in [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)] {
            let source = header.orientation.source(x: x, y: y, width: header.width, height: header.height)
            precondition((0..<header.width).contains(source.x) && (0..<header.height).contains(source.y))
        }
    } catch {
        precondition(!error.description.isEmpty)
    }
    if let photo = ConvertedPhoto(large: bytes, small: bytes) { precondition(photo.width <= PhotoLimits.smallSide) }
    return 0
}
