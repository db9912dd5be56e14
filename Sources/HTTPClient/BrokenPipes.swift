import Glibc

/// Runs what writes to sockets that a peer may have closed: SIGPIPE, whose default is the program's end, is held off in this
/// thread meanwhile, and forgotten where it came.
///
/// libcurl leaves that to the program where several threads use it (CURLOPT_NOSIGNAL(3)). The whole program does not ignore
/// the signal: a command whose reader has gone (`findmybike … | head`) is to end silently.
func holdingOffBrokenPipes<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    var (brokenPipe, before) = (sigset_t(), sigset_t())
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
    defer {
        // A signal of this kind waits for the thread that caused it (signal(7)), and would end the program once it is let in.
        var immediately = timespec()
        if sigismember(&before, SIGPIPE) == 0 { _ = sigtimedwait(&brokenPipe, nil, &immediately) }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try body()
}
