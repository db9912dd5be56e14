import HTTPTypes
import Hummingbird
import RegistryAPI
import RegistryRules

/// Declares the calls of one kind of caller, in the same way as routes of Hummingbird's router: verb, path and handler
/// together, and between them everything that the middlewares and the contract need to know.
///
///     calls.get("/v1/bikes/:bike", .read, "Show a bike")
///         .showing(Example.bike, "The bike.") { request in
///             try await operations.bike(try request.id("bike"), of: request.owner)
///         }
struct Calls<Context: RequestContext> {
    let table: CallTable
    /// The callers; for owners, the widest scope.
    let access: Access
    let clock: WallClock
    /// The group in which a call is routed: its middlewares know the call's limits.
    let group: (Call) -> RouterGroup<Context>

    typealias Declaration = CallDeclaration<Context, Void>

    /// Begins the declaration of a GET call; the functions below are the same for the other methods.
    ///
    /// - Parameters:
    ///   - path: the pattern of the path, such as `/v1/bikes/:bike`.
    ///   - summary: what the call does, in a few words for the contract.
    ///   - details: what a caller must know besides, in Markdown.
    func get(_ path: String, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.get, path, access, summary, details))
    }

    func post(_ path: String, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.post, path, access, summary, details))
    }

    func put(_ path: String, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.put, path, access, summary, details))
    }

    func patch(_ path: String, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.patch, path, access, summary, details))
    }

    func delete(_ path: String, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.delete, path, access, summary, details))
    }

    private func declare(_ call: Call) -> Declaration {
        CallDeclaration(calls: self, call: call, read: { _, _ in }, once: nil)
    }
}

/// An owner's calls state the scope that the token needs.
extension Calls where Context == OwnerContext {
    func get(_ path: String, _ scope: TokenScope, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.get, path, .owner(scope), summary, details), scope)
    }

    func post(_ path: String, _ scope: TokenScope, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.post, path, .owner(scope), summary, details), scope)
    }

    func put(_ path: String, _ scope: TokenScope, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.put, path, .owner(scope), summary, details), scope)
    }

    func patch(_ path: String, _ scope: TokenScope, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.patch, path, .owner(scope), summary, details), scope)
    }

    func delete(_ path: String, _ scope: TokenScope, _ summary: String, _ details: String? = nil) -> Declaration {
        declare(Call(.delete, path, .owner(scope), summary, details), scope)
    }

    private func declare(_ call: Call, _ scope: TokenScope) -> Declaration {
        CallDeclaration(
            calls: self, call: call, check: { try $1.require(scope) }, read: { _, _ in }, once: nil)
    }
}
