// A disk whose sync takes long, as on a memory card or a cloud volume: every fsync and fdatasync of the program sleeps
// for SLOW_SYNC_US microseconds more. Build: gcc -O2 -shared -fPIC slow_sync.c -o slow_sync.so -ldl; use: LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int synced(const char *name, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int result = real(file);
    const char *text = getenv("SLOW_SYNC_US");
    long us = text ? atol(text) : 0;
    struct timespec pause = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&pause, 0);
    return result;
}

int fsync(int file) { return synced("fsync", file); }
int fdatasync(int file) { return synced("fdatasync", file); }
