/* Ends a process with SIGKILL at the n-th system call that changes the contents of a folder, or that sends something.
 *
 * It is preloaded (LD_PRELOAD), with these variables in the environment:
 *   KILLER_FOLDER  the folder, or the beginning of its files' paths; absolute, without symbolic links
 *   KILLER_AT      n; 0 for never
 *   KILLER_COUNT   a file outside the folder that gets the number of calls when the process ends by itself
 *   KILLER_SENDS   if set, writes to sockets count, too
 *   KILLER_ARM     a file; while it does not exist, nothing counts
 *
 * The fatal write writes its first half; any other fatal call is not made. The C library's other calls (such as mmap and
 * ioctl) change no file in a way that a reader would see.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

static long fatal(void) {
    const char *at = getenv("KILLER_AT");
    return at ? atol(at) : 0;
}

static int is_in_folder(const char *path) {
    const char *folder = getenv("KILLER_FOLDER");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int counts(int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0) return 0;
    if (S_ISSOCK(status.st_mode)) return getenv("KILLER_SENDS") != NULL;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_in_folder(path);
}

/* Whether this call is the fatal one. */
static int is_fatal(int is_counted) {
    const char *arm = getenv("KILLER_ARM");
    if (!is_counted || (arm && access(arm, F_OK) != 0)) return 0;
    return atomic_fetch_add(&calls, 1) + 1 == fatal();
}

static void end(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

#define NEXT(name) static __typeof__(&name) real; if (!real) real = next(#name)

ssize_t write(int fd, const void *bytes, size_t count) {
    NEXT(write);
    int saved = errno;
    if (is_fatal(counts(fd))) { real(fd, bytes, count / 2); end(); }
    errno = saved;
    return real(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    NEXT(pwrite);
    if (is_fatal(counts(fd))) { real(fd, bytes, count / 2, offset); end(); }
    return real(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    NEXT(pwrite64);
    if (is_fatal(counts(fd))) { real(fd, bytes, count / 2, offset); end(); }
    return real(fd, bytes, count, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    NEXT(writev);
    if (is_fatal(counts(fd))) end();
    return real(fd, parts, count);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
    NEXT(send);
    if (is_fatal(counts(fd))) end();
    return real(fd, bytes, count, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    NEXT(sendmsg);
    if (is_fatal(counts(fd))) end();
    return real(fd, message, flags);
}

int fsync(int fd) {
    NEXT(fsync);
    if (is_fatal(counts(fd))) end();
    return real(fd);
}

int fdatasync(int fd) {
    NEXT(fdatasync);
    if (is_fatal(counts(fd))) end();
    return real(fd);
}

int ftruncate(int fd, off_t length) {
    NEXT(ftruncate);
    if (is_fatal(counts(fd))) end();
    return real(fd, length);
}

int ftruncate64(int fd, off64_t length) {
    NEXT(ftruncate64);
    if (is_fatal(counts(fd))) end();
    return real(fd, length);
}

int rename(const char *from, const char *to) {
    NEXT(rename);
    if (is_fatal(is_in_folder(to))) end();
    return real(from, to);
}

int unlink(const char *path) {
    NEXT(unlink);
    if (is_fatal(is_in_folder(path))) end();
    return real(path);
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("KILLER_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}
