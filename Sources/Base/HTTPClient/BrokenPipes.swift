import Glibc

/// Runs code that writes to sockets that a peer may have closed: meanwhile SIGPIPE, whose default is to end the
/// program, is blocked in this thread and discarded if it was raised.
///
/// libcurl leaves this to the program if several threads use it (CURLOPT_NOSIGNAL(3)). The signal is not ignored in the
/// whole program, because a command whose reader has gone (`findmybike … | head`) should end silently.
func holdingOffBrokenPipes<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    var (brokenPipe, before) = (sigset_t(), sigset_t())
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
    defer {
        // A signal of this kind is pending for the thread that caused it (signal(7)), and would end the program once
        // unblocked.
        var immediately = timespec()
        if sigismember(&before, SIGPIPE) == 0 { _ = sigtimedwait(&brokenPipe, nil, &immediately) }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try body()
}
