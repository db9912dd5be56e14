import HTTPTypes
import Photos
import RegistryAPI

/// The maximum length of the body of each call, in bytes.
enum BodyLimits {
    /// The default: enough for every field of a call at its maximum length,
    /// with each character escaped as JSON allows.
    static let usual = 8 << 10

    /// The larger limits of some calls.
    private static let larger: [String: Int] = [
        // 500 visits with every field, at about 850 bytes each, and room for line breaks
        // and for fields of newer stations.
        "POST /v1/sightings": 512 << 10,
        // 16 adapters, each with an error message of 200 characters, and 48 quarters of an hour.
        "PUT /v1/station/heartbeat": 48 << 10,
        // Five texts, notes of 500 characters, and the dates and numbers of maintenance.
        "POST /v1/bikes": 24 << 10,
        "PATCH /v1/bikes/{bike}": 24 << 10,
        // The longest passkey, with each character escaped.
        "POST /v1/sign-up": 48 << 10,
        "POST /v1/sessions": 48 << 10,
        "PUT /v1/session/confirmation": 48 << 10,
        "POST /v1/passkeys": 48 << 10,
        // An address of 2,048 characters.
        "POST /v1/channels": 32 << 10,
        "PUT /v1/channels/{channel}": 32 << 10,
        photos: PhotoLimits.bytes,
    ]

    /// The call that takes photos, which have their own budget.
    static let photos = "POST /v1/bikes/{bike}/photos"

    static let largest = larger.values.reduce(usual, max)

    /// Whether the call takes photos.
    static func isOfPhotos(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        method == .post && photos == "\(method.rawValue) \(path)"
    }

    /// - Parameter path: the endpoint as Hummingbird names it, such as `/v1/bikes/{bike}`.
    static func bytes(_ method: HTTPRequest.Method, _ path: String) -> Int {
        larger["\(method.rawValue) \(path)"] ?? usual
    }
}
