import Hummingbird
import RegistryAPI
import RegistryRules

extension RequestContext {
    /// The identifier in the path. An invalid identifier names no resource, so the response is “not found”.
    func id<Resource>(_ parameter: String, of resource: String) throws -> ResourceID<Resource> {
        guard let id = parameters.get(parameter).flatMap({ ResourceID<Resource>($0) }) else {
            throw DomainError.notFound(resource)
        }
        return id
    }
}
