import Hummingbird
import Logging
import Operations
import RegistryHTTP
import RegistryRules
import RegistrySQLite
import Terminal

/// The registry's server with two extra routes that return constant responses, to measure the overhead of framework and
/// middlewares. Usage: constant-server PORT DATABASE
@main
struct ConstantServer {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let port = Int(CommandLine.arguments[1]) else {
            print("usage: constant-server PORT DATABASE")
            return
        }
        LoggingSystem.bootstrap { LogLines(label: $0) }
        let logger = Logger(label: "constant-server")
        let operations = RegistryOperations(
            store: try SQLiteRegistryStore(path: CommandLine.arguments[2]), logger: logger)
        let responder = RegistryHTTPServer.buildResponder(operations: operations) { router in
            router.post("/constant") { request, _ in
                _ = try await request.body.collect(upTo: 1 << 20)
                return answer(to: sighting)
            }
            router.get("/constant/:id") { _, _ in answer(to: bike) }
            router.get("/constant") { _, _ in
                Response(status: .notModified, headers: [.eTag: #""1-0123456789abcdef""#])
            }
        }
        let application = Application(
            responder: responder, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: logger
        )
        try await application.runService()
    }

    private static func answer(to text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    private static let sighting = """
        {"results":[{"id":"019aa4e1-1c2d-7a3b-8c4d-5e6f70819203","lookFor":{"colours":["green"],"kind":"bicycle",\
        "make":"Brompton","model":"C Line"},"result":"stored"}]}
        """
    private static let bike = """
        {"colours":["green"],"created":"2026-11-21T06:13:05.250Z","id":"019aa4e1-1c2d-7a3b-8c4d-5e6f70819203",\
        "identity":{"major":1,"minor":4711,"uuid":"21EECF71-D5C7-4A00-9B90-27C94B5146EA"},"kind":"bicycle",\
        "make":"Brompton","model":"C Line"}
        """
}
