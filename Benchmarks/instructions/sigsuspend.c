/* Lets programs of Swift run under valgrind 3.19: it writes to the mask that is given to sigsuspend, and dispatchMain's is
 * read-only. Here it gets a copy. Load it with LD_PRELOAD. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
