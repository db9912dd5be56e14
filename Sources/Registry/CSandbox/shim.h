#ifndef FINDMYBIKE_CSANDBOX_SHIM_H
#define FINDMYBIKE_CSANDBOX_SHIM_H

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Swift imports neither variadic functions, as prctl and syscall are, nor macros that call others, as BPF_STMT does.

#if defined(__x86_64__)
#define FINDMYBIKE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define FINDMYBIKE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define FINDMYBIKE_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define FINDMYBIKE_RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define FINDMYBIKE_REFUSE FINDMYBIKE_RETURN(SECCOMP_RET_ERRNO | EPERM)
#define FINDMYBIKE_ALLOW(call) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), FINDMYBIKE_RETURN(SECCOMP_RET_ALLOW)
// Memory is never executable. The low half of the third argument comes first on both architectures.
#define FINDMYBIKE_ALLOW_DATA(call) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4), FINDMYBIKE_LOAD(args[2]), \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), FINDMYBIKE_REFUSE, \
    FINDMYBIKE_RETURN(SECCOMP_RET_ALLOW)

/// Restricts this process, until it ends, to its open descriptors and its memory (seccomp(2)): it cannot open a file or
/// a socket, start a process or signal another one. All other system calls fail with EPERM.
///
/// Returns 0, or the system's error number. Call it while there is one thread only.
static inline int findmybike_sandbox_enter(void) {
#if defined(FINDMYBIKE_ARCHITECTURE)
    struct sock_filter filter[] = {
        FINDMYBIKE_LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FINDMYBIKE_ARCHITECTURE, 1, 0),
        FINDMYBIKE_RETURN(SECCOMP_RET_KILL_PROCESS),
        FINDMYBIKE_LOAD(nr),
        FINDMYBIKE_ALLOW(__NR_read), FINDMYBIKE_ALLOW(__NR_write), FINDMYBIKE_ALLOW(__NR_close),
        FINDMYBIKE_ALLOW(__NR_brk), FINDMYBIKE_ALLOW(__NR_munmap), FINDMYBIKE_ALLOW(__NR_mremap),
        FINDMYBIKE_ALLOW(__NR_madvise), FINDMYBIKE_ALLOW(__NR_futex), FINDMYBIKE_ALLOW(__NR_getrandom),
        FINDMYBIKE_ALLOW(__NR_clock_gettime), FINDMYBIKE_ALLOW(__NR_rt_sigprocmask),
        FINDMYBIKE_ALLOW(__NR_rt_sigreturn), FINDMYBIKE_ALLOW(__NR_exit), FINDMYBIKE_ALLOW(__NR_exit_group),
        FINDMYBIKE_ALLOW_DATA(__NR_mmap), FINDMYBIKE_ALLOW_DATA(__NR_mprotect),
        FINDMYBIKE_REFUSE,
    };
    struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]), .filter = filter};
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) return errno;
    return 0;
#else
    return ENOSYS;
#endif
}

/// Closes all descriptors from this one on. Returns 0, or the system's error number.
static inline int findmybike_close_from(unsigned int first) {
#if defined(SYS_close_range)
    return syscall(SYS_close_range, first, ~0u, 0) == 0 ? 0 : errno;
#else
    return ENOSYS;
#endif
}

/// A file that exists only in memory, and only while a descriptor is open (memfd_create(2)); −1 if there is none.
static inline int findmybike_memory_file(const char *name) {
    const unsigned int close_on_exec = 1;
    return (int)syscall(SYS_memfd_create, name, close_on_exec);
}

/// Tries system calls that the sandbox must refuse. Returns the name of the first one that succeeds; NULL if all are
/// refused.
static inline const char *findmybike_sandbox_hole(void) {
    if (syscall(SYS_openat, -100, "/proc/self/status", 0, 0) >= 0) return "opening a file";
    if (syscall(SYS_socket, 2, 1, 0) >= 0) return "opening a socket";
    if (syscall(SYS_kill, getppid(), 0) == 0) return "signalling another process";
    if (syscall(SYS_ptrace, 0, 0, 0, 0) == 0) return "tracing";
    if (syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != -1)
        return "executable memory";
    long child = syscall(SYS_clone, 17 /* SIGCHLD */, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    return child > 0 ? "starting a process" : NULL;
}

#endif
