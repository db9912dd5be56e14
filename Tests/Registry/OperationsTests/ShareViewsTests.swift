import RegistryAPI
import RegistryTestSupport
import Testing

@testable import Operations

@Suite("Views of shares")
struct ShareViewsTests {
    private let clock = HandClock()
    private let share = Share(
        id: ShareID(high: 1, low: 1), report: ReportID(high: 2, low: 1), created: HandClock().now,
        ends: HandClock().now)

    @Test("a thousand views cause one write a minute, and are all counted")
    func bounded() {
        let views = ShareViews()
        #expect(views.add(share.id, at: clock.now) == 1)
        for _ in 1..<1000 { #expect(views.add(share.id, at: clock.now) == 0) }
        #expect(views.completing(share).views == 999 && views.completing(share).lastViewed == clock.now)
        clock.advance(by: .seconds(60))
        #expect(views.add(share.id, at: clock.now) == 1000)
        #expect(views.completing(share).views == 0)
    }

    @Test("a view that could not be written is counted later, and a clock that was ahead stops nothing")
    func failures() {
        let views = ShareViews()
        #expect(views.add(share.id, at: clock.now) == 1)
        views.putBack(1, of: share.id)
        #expect(views.add(share.id, at: clock.now.advanced(by: .seconds(-3600))) == 2)
    }

    @Test("the number of remembered shares is limited")
    func limit() {
        let views = ShareViews()
        for number in 0..<20_000 as Range<UInt64> {
            #expect(views.add(ShareID(high: number, low: 0), at: clock.now) == 1)
        }
    }
}
