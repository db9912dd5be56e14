import Hummingbird
import Operations
import RegistryAPI
import RegistryRules

/// The groups in which the calls of each kind of caller are declared: behind the middlewares that authenticate the
/// caller, count requests and read bodies.
struct CallGroups {
    let router: Router<RegistryContext>
    let table: CallTable
    let options: ServerOptions
    let authentication: Authentication
    /// Limits the large responses of JSON.
    let large: LargeResponses

    private var operations: RegistryOperations { authentication.operations }

    /// Authenticates owners, stations, partners and, by their tokens, operators.
    private var authenticating: AuthenticationMiddleware { AuthenticationMiddleware(authentication: authentication) }

    /// - Parameter group: the group of one call, whose middlewares know the call's limits.
    private func calls<Context: RequestContext>(
        _ access: Access, _ group: @escaping (Call) -> RouterGroup<Context>
    ) -> Calls<Context> {
        Calls(table: table, access: access, clock: operations.clock, group: group)
    }

    /// Without a token.
    var anyone: Calls<RegistryContext> { calls(.anyone) { limited(router.group(), $0) } }

    /// Pages without a token, whose errors are pages, too.
    var finders: Calls<RegistryContext> {
        calls(.anyone) { limited(router.group().add(middleware: FinderProblems()), $0) }
    }

    /// Limits a call by its client's address.
    private func limited(_ group: RouterGroup<RegistryContext>, _ call: Call) -> RouterGroup<RegistryContext> {
        let limit = AddressLimitMiddleware(
            limiter: options.limiter, publicURL: operations.publicURL, kind: call.rate)
        return group.add(middleware: limit).add(middleware: options.bodies.limited(by: call))
    }

    /// Without a token, or with an operator's session.
    var deskVisitors: Calls<RegistryContext> {
        calls(.anyone) { call in
            router.group().add(middleware: DeskVisitorMiddleware(authentication: authentication))
                .add(middleware: options.bodies.limited(by: call))
        }
    }

    /// For tiles: with an owner's or an operator's session, an owner's token, or the secret of a share.
    var viewers: Calls<RegistryContext> {
        let tiles = LargeResponses(
            places: options.largeTiles, proxies: options.bodies.proxies, onlyJSON: false, free: options.freeLength)
        return calls(.ownerOrShare) { call in
            let others = OwnerOrShareMiddleware(owners: authenticating, shares: sharing)
            let desk = DeskMiddleware(call: call, others: authenticating)
            return router.group().add(middleware: DeskTilesMiddleware(desk: desk, others: others))
                .add(middleware: tiles)
        }
    }

    /// With an owner's token or session.
    var owners: Calls<OwnerContext> {
        calls(.owner(.manage)) { call in
            router.group().add(middleware: authenticating).add(middleware: large)
                .add(middleware: options.bodies.limited(by: call, recheck: authenticating.recheck))
                .group(context: OwnerContext.self)
        }
    }

    private var sharing: ShareMiddleware { ShareMiddleware(limiter: options.limiter) }

    /// With the secret of a share.
    var shares: Calls<ShareContext> {
        calls(.share) { call in
            router.group().add(middleware: sharing).add(middleware: large)
                .add(middleware: options.bodies.limited(by: call)).group(context: ShareContext.self)
        }
    }

    /// With the cookie of a display.
    var displays: Calls<DisplayContext> {
        let displaying = DisplayMiddleware(limiter: options.limiter, sameOrigin: authentication.sameOrigin)
        return calls(.display) { call in
            router.group().add(middleware: displaying).add(middleware: options.bodies.limited(by: call))
                .group(context: DisplayContext.self)
        }
    }

    /// With an operator's token or session.
    var operators: Calls<OperatorContext> {
        calls(.operator) { call in
            let desk = DeskMiddleware(call: call, others: authenticating)
            return router.group().add(middleware: desk).add(middleware: large)
                .add(middleware: options.bodies.limited(by: call, recheck: desk.recheck))
                .group(context: OperatorContext.self)
        }
    }

    /// With a partner's token.
    var partners: Calls<PartnerContext> {
        calls(.partner) { call in
            router.group().add(middleware: authenticating).add(middleware: options.bodies.limited(by: call))
                .group(context: PartnerContext.self)
        }
    }

    /// With a station's token.
    var stations: Calls<StationContext> {
        calls(.station) { call in
            router.group().add(middleware: authenticating).add(middleware: options.bodies.limited(by: call))
                .group(context: StationContext.self)
        }
    }
}
