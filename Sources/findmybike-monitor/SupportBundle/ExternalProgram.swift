import Foundation

/// A program of the system, found by PATH and run to its end.
struct ExternalProgram {
    private let name: String
    private let arguments: [String]

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ name: String, _ arguments: [String]) {
        self.name = name
        self.arguments = arguments
    }

    /// What the program prints.
    func output() throws -> String {
        // A file, not a pipe: nobody has to read while the program writes.
        var template = Array("/tmp/findmybike-XXXXXX\0".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Failure(description: "no temporary file: \(Self.reason(errno))") }
        unlink(template)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try run(output: descriptor)
        try file.seek(toOffset: 0)
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// - Parameter output: open for writing; becomes the program's standard output.
    func run(output: Int32) throws(Failure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        let words = ([name] + arguments).map { (text: String) in strdup(text) }
        let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"].map { (text: String) in strdup(text) }
        defer { (words + environment).forEach { free($0) } }
        var id: pid_t = 0
        let error = posix_spawnp(&id, name, &actions, nil, words + [nil], environment + [nil])
        guard error == 0 else { throw Failure(description: "\(name) cannot be run: \(Self.reason(error))") }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(description: "\(name) failed") }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
