import Foundation
import HTTPClient
import RegistryAPI
import RegistryRules

/// The response of Apple's push service to an alert (Apple, “Handling notification responses from APNs”).
enum APNsAnswer: Equatable {
    case delivered
    /// The response says that the device’s token is not valid here: this service does not know the device; the other
    /// one may know it.
    case wrongEnvironment
    /// The provider token is too old by the service's clock.
    case expiredProviderToken
    /// Every other failure, as the dispatcher of alerts needs it.
    case failed(DeliveryResult)

    init(_ response: HTTPResponse) {
        let stated = (try? JSONDecoder().decode(Body.self, from: Data(response.body)))?.reason
        // Show the peer's reason only if it is a documented one.
        let reason = stated.flatMap { Self.reasons.contains($0) ? $0 : nil }
        self.init(status: response.status, reason: reason, retryAfter: response.retryAfter)
    }

    /// The body of a response that is not 200.
    private struct Body: Decodable { let reason: String }

    /// - Parameters:
    ///   - reason: one of ``reasons``; nil if the service gave none, or an unknown one.
    ///   - retryAfter: the service's `Retry-After`; nil if it sent none.
    init(status: Int, reason: String?, retryAfter: Duration?) {
        let shown = "Apple answered \(reason ?? "with status \(status)")"
        switch (status, reason) {
        case (200, _): self = .delivered
        case (400, "BadDeviceToken"): self = .wrongEnvironment
        case (410, _): self = .failed(.gone(reason: "the device no longer accepts alerts"))
        case (403, "ExpiredProviderToken"): self = .expiredProviderToken
        case (429, "TooManyProviderTokenUpdates"):
            // “Update the token no more than once every 20 minutes.”
            self = .failed(.retry(after: max(retryAfter ?? .zero, APNsKey.shortestLife), reason: shown))
        case (429, _), (500..., _): self = .failed(.retry(after: retryAfter, reason: shown))
        // The fault is in the operator's key, team or topic.
        // The alert itself is valid and can be delivered once it is fixed.
        case (401, _), (403, _), (_, "BadTopic"), (_, "MissingTopic"), (_, "TopicDisallowed"),
            (_, "DeviceTokenNotForTopic"):
            self = .failed(.retry(after: nil, reason: "\(shown): the registry’s operator must fix its Apple settings"))
        // For PayloadTooLarge, BadCollapseId and similar reasons, the same request would fail again.
        default: self = .failed(.giveUp(reason: shown))
        }
    }

    /// All reasons documented by Apple.
    static let reasons: Set<String> = [
        "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
        "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
        "MissingTopic", "PayloadEmpty", "TopicDisallowed", "BadCertificate", "BadCertificateEnvironment",
        "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
        "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "BadPath", "MethodNotAllowed", "ExpiredToken",
        "Unregistered", "PayloadTooLarge", "TooManyProviderTokenUpdates", "TooManyRequests", "InternalServerError",
        "ServiceUnavailable", "Shutdown",
    ]
}
