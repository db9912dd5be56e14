import HTTPTypes
import Registry
import RegistryAPI

/// A problem that a call can be answered with, with an instance of it as the example.
enum Refusal {
    case domain(DomainError)
    case request(RequestError)
    case fault

    var problem: ProblemDetails {
        switch self {
        case .domain(let error): error.problem
        case .request(let error): error.problem
        case .fault: ProblemMiddleware.fault
        }
    }

    var headers: [HeaderField] {
        let fields: HTTPFields =
            switch self {
            case .domain(let error): error.headers
            case .request(let error): error.headers
            case .fault: [:]
            }
        return HeaderField.all.filter { fields.contains($0.name) }
    }
}
