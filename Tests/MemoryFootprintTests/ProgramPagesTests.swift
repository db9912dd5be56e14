import Foundation
import ServiceLifecycle
import Synchronization
import Testing

@testable import MemoryFootprint

@Suite("Pages of program code")
struct ProgramPagesTests {
    @Test("are given back, and the program goes on")
    func release() throws {
        let resident = try #require(Self.residentOfFiles())
        #expect(ProgramPages.release() > 1 << 20)
        // Other tests fault pages in meanwhile, but not all of them.
        #expect(try #require(Self.residentOfFiles()) < resident)
        #expect("\(URL(filePath: "/etc/hosts").pathComponents)" == #"["/", "etc", "hosts"]"#)
    }

    @Test("are given back once the start is over, and then again and again")
    func run() async throws {
        let slept = Mutex<[Duration]>([])
        let pages = ProgramPages(first: .seconds(20), interval: .seconds(600)) { duration in
            let isOver = slept.withLock {
                $0.append(duration)
                return $0.count == 4
            }
            if isOver { throw CancellationError() }
        }
        try await pages.run()
        #expect(slept.withLock { $0 } == [.seconds(20), .seconds(600), .seconds(600), .seconds(600)])
    }

    /// `RssFile` of proc_pid_status(5), in kB.
    private static func residentOfFiles() -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("RssFile:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }
}
