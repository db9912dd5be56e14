import HTTPTypes
import Hummingbird
import RegistryAPI

/// The problem details of an error (RFC 9457).
struct Problem {
    let status: HTTPResponse.Status
    /// The stable name of the kind of error: the last part of the problem’s type.
    let name: String
    /// The kind of error in a few words, the same for each occurrence.
    let title: String
    /// An explanation of this occurrence, and what to do about it.
    let detail: String
    /// The header fields that belong to the status.
    let headers: HTTPFields
    /// The fields that are wrong; nil if the error is not about fields.
    let errors: [FieldError]?

    init(
        _ status: HTTPResponse.Status, _ name: String, _ title: String, _ detail: String, _ headers: HTTPFields = [:],
        errors: [FieldError]? = nil
    ) {
        self.status = status
        self.name = name
        self.title = title
        self.detail = detail
        self.headers = headers
        self.errors = errors
    }

    var details: ProblemDetails {
        ProblemDetails(name: name, title: title, status: status.code, detail: detail, errors: errors)
    }

    /// The response that tells a program of the problem.
    var response: Response { .problem(details, headers: headers) }
}

/// An error with a row in the table of problems. The contract shows an instance of each as an example.
protocol Refusal: Error {
    var problem: Problem { get }
}

/// An unexpected error.
struct Fault: Refusal {
    let problem = Problem(
        .internalServerError, "fault", "The registry has a fault",
        "The request is not the cause. Send the registry’s operator the X-Request-Id of this response."
    )
}
