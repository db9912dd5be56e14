import Glibc
import Testing

@testable import HTTPClient

@Suite("Peers that have closed a connection")
struct BrokenPipesTests {
    @Test("writing to one does not end the program, at once or later")
    func forgotten() {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        let (written, error) = holdingOffBrokenPipes { (write(ends[1], "x", 1), errno) }
        #expect(written == -1)
        #expect(error == EPIPE)
        var pending = sigset_t()
        sigpending(&pending)
        #expect(sigismember(&pending, SIGPIPE) == 0)
    }

    @Test("a thread that had blocked the signal keeps it blocked")
    func nested() {
        holdingOffBrokenPipes {
            holdingOffBrokenPipes {}
            var blocked = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &blocked)
            #expect(sigismember(&blocked, SIGPIPE) == 1)
        }
    }
}
