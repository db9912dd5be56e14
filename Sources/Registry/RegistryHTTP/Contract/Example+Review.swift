import RegistryAPI
import RegistryRules

// What operators decide about owners, reports and beacons.
extension Example {
    static let ownerSummary = OwnerSummary(
        id: id(3), created: report.opened, lastActive: evening, reports: 2, unconfirmed: 1
    )
    static let ownerReview = OwnerReview(
        owner: ownerSummary, bikes: 1, quotas: Quotas(bikes: 200, openReports: 20),
        exceptions: QuotaExceptions(bikes: 200, openReports: 20), reports: [reportReview]
    )
    static var suspendedReview: OwnerReview {
        var review = ownerReview
        review.owner.suspended = evening
        return review
    }
    static var verifiedReview: OwnerReview {
        var review = ownerReview
        review.owner.verified = evening
        return review
    }
    static let reportReview = ReportReview(
        id: report.id, beacon: identity, opened: report.opened, policeReference: report.policeReference,
        confirmed: evening
    )
    static let unconfirmedReview = ReportReview(
        id: report.id, beacon: identity, opened: report.opened, policeReference: report.policeReference,
        sightingsUntil: evening
    )
    static let claim = BeaconClaim(bike: bike.id, owner: owner.id, claimed: claimed, since: report.opened)
    static let `operator` = Operator(id: id(12), name: "Ada", created: report.opened)
    static var revokedOperator: Operator {
        var revoked = `operator`
        revoked.revoked = evening
        return revoked
    }
}
