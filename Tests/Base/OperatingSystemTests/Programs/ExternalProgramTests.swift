import OperatingSystem
import TestSupport
import Testing

@Suite("An external program", .timeLimit(.minutes(20)))
struct ExternalProgramTests {
    private func shell(
        _ line: String, timeout: Duration = .seconds(60), limit: Int = 4096
    ) async throws -> (end: ExternalProgram.End, output: String) {
        try await ExternalProgram("/bin/sh", ["-c", line], timeout: timeout, outputLimit: limit).run()
    }

    @Test("reports its exit and its output, including errors")
    func ends() async throws {
        let result = try await shell("echo one; echo two >&2; exit 3")
        #expect(result.end == .exited(3))
        #expect(result.output == "one\ntwo")
        #expect(try await shell("kill -9 $$").end == .killed(signal: 9))
        let missing = try await ExternalProgram("/nowhere/program", [], timeout: .seconds(1)).run()
        #expect("\(missing.end)" == "could not be started: No such file or directory")
    }

    @Test("can print more than is kept")
    func bounded() async throws {
        let result = try await shell("yes | head --bytes 1000000; exit 0", limit: 10)
        #expect(result.end == .exited(0))
        #expect(result.output == "y\ny\ny\ny\ny")
    }

    @Test("is killed with its child processes when it takes too long")
    func late() async throws {
        // If the child survived, it would hold the pipe open, and the program would wait for it.
        let result = try await shell("sleep 600 & echo begun; wait", timeout: .milliseconds(300))
        #expect(result.end == .timedOut)
    }

    @Test("is killed when its task is cancelled")
    func cancelled() async throws {
        let task = Task { try await shell("sleep 600") }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test("inherits only what it is given")
    func environment() async throws {
        let program = ExternalProgram(
            "/usr/bin/env", [], environment: ["ONLY": "this"], timeout: .seconds(60))
        #expect(try await program.run().output == "ONLY=this")
    }
}
