#ifndef FINDMYBIKE_CCLOCK_SHIM_H
#define FINDMYBIKE_CCLOCK_SHIM_H

// adjtimex(2) is not in Swift's module of the C library.
#include <sys/timex.h>

#endif
