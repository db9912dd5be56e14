import Photos

/// An input is a file that somebody sends as a photo.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(PhotoRefusal) {
        let header = try JPEGHeader(bytes)
        precondition(header.width > 0 && header.height > 0 && header.width * header.height <= PhotoLimits.pixels)
        precondition(header.scans <= PhotoLimits.scans && header.length <= bytes.count)
        // What the decoder gets is a photo, too, of the same size, and with nothing behind it.
        let picture = header.picture(in: bytes)
        guard let again = try? JPEGHeader(picture), (again.width, again.height) == (header.width, header.height),
            again.scans == header.scans, again.length == picture.count
        else { preconditionFailure("the picture is no photo") }
        if let profile = header.profile.flatMap({ ColourProfile($0) }) {
            var pixels: [UInt8] = [0, 127, 255, 255, 0, 1]
            profile.convertToStandard(&pixels)
        }
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
    if let profile = ColourProfile(bytes) {
        var pixels: [UInt8] = [0, 127, 255, 255, 0, 1]
        profile.convertToStandard(&pixels)
    }
    if let photo = ConvertedPhoto(large: bytes, small: bytes) { precondition(photo.width <= PhotoLimits.smallSide) }
    return 0
}
