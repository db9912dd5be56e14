/// The reason why a file cannot become a photo. The description says what the owner can do.
public enum PhotoRefusal: Error, Hashable, Sendable {
    case empty
    /// The file has another format; the name of the format, if it is known.
    case notJPEG(String?)
    /// The file is longer than ``PhotoLimits/bytes``.
    case tooLong
    /// The file ends before the picture does.
    case truncated
    case damaged
    /// The picture has this many megapixels, rounded up; `most` are accepted.
    case tooManyPixels(megapixels: Int, most: Int)
    /// The picture has more than ``PhotoLimits/scans`` scans.
    case tooManyScans
    /// JPEG has forms that only special programs write: the name of the form.
    case unusual(String)
    /// Decoding takes more time or memory than any ordinary photo.
    case tooComplex
}

extension PhotoRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "The file is empty. Choose the photo again."
        case .notJPEG(nil): "This file is not a JPEG photo. Save it as JPEG (.jpg) and try again."
        case .notJPEG(let format?):
            "This file is not a JPEG photo, whatever its name: it is \(format). Save it as JPEG (.jpg) and try again."
        case .tooLong:
            "This file is larger than \(PhotoLimits.bytes >> 20) MB. Make the photo smaller and try again."
        case .truncated: "The file ends early: a part of the photo is missing. Copy it from the camera again."
        case .damaged:
            "The photo is damaged. Open it in a program for photos, save it as JPEG again, and try with that file."
        case .tooManyPixels(let megapixels, let most):
            "The photo has \(megapixels) megapixels; at most \(most). Make it smaller and try again."
        case .tooManyScans, .tooComplex:
            "The photo is stored in a way that no camera uses, and takes too long to read. Save it as JPEG again, with "
                + "the usual settings."
        case .unusual(let form):
            "This is a JPEG file with \(form), which browsers do not show. Save it as an ordinary JPEG photo in colour."
        }
    }
}
