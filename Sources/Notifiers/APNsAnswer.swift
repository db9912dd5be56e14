import Foundation
import HTTPClient
import Registry
import RegistryAPI

/// What Apple's push service says of one alert (Apple, “Handling notification responses from APNs”).
enum APNsAnswer: Equatable {
    case delivered
    /// This service does not know the device; the other one may.
    case wrongEnvironment
    /// The token that proves who sends is too old for the service's clock.
    case expiredProviderToken
    case failed(DeliveryResult)

    init(_ response: HTTPResponse) {
        let said = (try? JSONDecoder().decode(Reason.self, from: Data(response.body)))?.reason
        // The peer's words are shown only where they are known ones.
        let reason = said.flatMap { Self.reasons.contains($0) ? $0 : nil }
        self.init(status: response.status, reason: reason, retryAfter: response.retryAfter)
    }

    private struct Reason: Decodable { let reason: String }

    init(status: Int, reason: String?, retryAfter: Duration?) {
        let shown = "Apple answered \(reason ?? "with status \(status)")"
        switch (status, reason) {
        case (200, _): self = .delivered
        case (400, "BadDeviceToken"): self = .wrongEnvironment
        case (410, _): self = .failed(.gone(reason: "the device takes no more alerts"))
        case (403, "ExpiredProviderToken"): self = .expiredProviderToken
        case (429, "TooManyProviderTokenUpdates"):
            // “Update the token no more than once every 20 minutes.”
            self = .failed(.retry(after: max(retryAfter ?? .zero, APNsKey.shortestLife), reason: shown))
        case (429, _), (500..., _): self = .failed(.retry(after: retryAfter, reason: shown))
        // The operator's key, team or topic: the alert itself is right, and arrives once they are.
        case (401, _), (403, _), (_, "BadTopic"), (_, "MissingTopic"), (_, "TopicDisallowed"),
            (_, "DeviceTokenNotForTopic"):
            self = .failed(.retry(after: nil, reason: "\(shown): the registry’s operator must mend its Apple settings"))
        // PayloadTooLarge, BadCollapseId and the like: the same request fails again.
        default: self = .failed(.giveUp(reason: shown))
        }
    }

    /// All reasons that Apple documents.
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
