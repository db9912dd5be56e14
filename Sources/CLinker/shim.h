#ifndef FINDMYBIKE_CLINKER_SHIM_H
#define FINDMYBIKE_CLINKER_SHIM_H

// dl_iterate_phdr(3) is not in Swift's module of the C library, and glibc declares it only to those who ask for its
// extensions. To ask for them everywhere would change types that other modules share: so it is asked for here alone.
#include <sys/types.h>
#ifndef __USE_GNU
#define __USE_GNU 1
#include <link.h>
#undef __USE_GNU
#else
#include <link.h>
#endif

#endif
