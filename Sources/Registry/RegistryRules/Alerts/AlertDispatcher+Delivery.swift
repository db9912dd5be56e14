import Logging
public import RegistryAPI

extension AlertDispatcher {
    /// Claims alerts that are due; no other worker gets them until the lease ends.
    func claim(places: AllDeliveryPlaces) async throws -> AlertClaim {
        let now = clock.now
        let lease = now.advanced(by: self.lease)
        return try await store.claimAlerts(at: now, leaseUntil: lease, places: places)
    }

    /// Makes one delivery attempt and settles it. If the alert cannot be settled, it is delivered again after its lease
    /// ends.
    func deliverAndSettle(_ alert: ClaimedAlert) async {
        let result = await deliver(alert)
        let settlement = settlement(of: alert, after: result)
        do {
            try await store.settle(alert.id, attempt: alert.attempt, as: settlement, at: clock.now, using: entropy)
            log(alert, settlement)
        } catch {
            logger.error("alert cannot be settled", metadata: ["alert": "\(alert.id)", "error": "\(error)"])
        }
    }

    private func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        guard let notifier = notifiers.first(where: { $0.kind == alert.channel.kind }) else {
            return .retry(after: nil, reason: "this registry does not serve this kind of channel")
        }
        var alert = alert
        alert.links = links
        return await notifier.deliver(alert)
    }

    private func settlement(of alert: ClaimedAlert, after result: DeliveryResult) -> AlertSettlement {
        switch result {
        case .delivered: return .delivered
        case .giveUp(let reason): return .givenUp(reason: reason)
        case .gone(let reason): return .gone(reason: reason)
        case .deliveredBy(let environment): return .deliveredBy(environment)
        case .retry(let asked, let reason):
            var entropy = entropy
            let next = schedule.nextAttempt(
                after: alert.attempt, created: alert.created, now: clock.now, asked: asked, using: &entropy
            )
            return next.map { .retry(at: $0, reason: reason) } ?? .givenUp(reason: "given up after 3 days: \(reason)")
        }
    }

    /// Logs identifiers only: a channel's URL can contain a secret, and a sighting's place belongs to the owner.
    private func log(_ alert: ClaimedAlert, _ settlement: AlertSettlement) {
        var metadata: Logger.Metadata = [
            "alert": "\(alert.id)", "channel": "\(alert.channel.id)", "attempt": "\(alert.attempt)",
        ]
        switch alert.content {
        case .sighting(let content):
            metadata["sighting"] = "\(content.sighting.id)"
            metadata["report"] = "\(content.sighting.report)"
        case .digest(let content):
            metadata["sightings"] = "\(content.count)"
            metadata["report"] = "\(content.report)"
        case .notice(let notice):
            metadata["notice"] = "\(notice.event.rawValue)"
        }
        switch settlement {
        case .delivered, .deliveredBy:
            logger.info("alert delivered", metadata: metadata)
        case .retry(let time, let reason):
            metadata["reason"] = "\(reason)"
            metadata["next"] = "\(time)"
            logger.info("alert failed", metadata: metadata)
        case .givenUp(let reason):
            metadata["reason"] = "\(reason)"
            logger.warning("alert given up", metadata: metadata)
        case .gone(let reason):
            metadata["reason"] = "\(reason)"
            logger.warning("channel gone", metadata: metadata)
        }
    }
}

/// The times of retries after a failed delivery: waits that double, with random spread, until the alert is too old.
public struct RetrySchedule: Sendable {
    /// The first wait.
    public var base = Duration.seconds(5)
    /// The longest wait, unless the receiver asks for a longer one.
    public var longest = Duration.seconds(3600)
    /// The longest wait that a receiver may ask for.
    public var longestAsked = Duration.seconds(86_400)
    /// The age at which an alert is given up.
    public var lifetime = ClaimedAlert.lifetime

    public init() {}

    /// The time of the next attempt after this many attempts, or nil if the alert is given up.
    ///
    /// - Parameter asked: the receiver's `Retry-After`; the wait is never shorter.
    public func nextAttempt(
        after attempts: Int, created: Timestamp, now: Timestamp, asked: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Timestamp? {
        let doublings = min(max(attempts - 1, 0), 20)
        let wait = min(base * (1 << doublings), longest) * Double.random(in: 0.8...1.2, using: &generator)
        let next = now.advanced(by: max(wait, min(asked ?? .zero, longestAsked)))
        return created.duration(to: next) <= lifetime ? next : nil
    }
}
