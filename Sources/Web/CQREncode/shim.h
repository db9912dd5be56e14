#ifndef FINDMYBIKE_CQRENCODE_SHIM_H
#define FINDMYBIKE_CQRENCODE_SHIM_H

// A module map names headers by absolute path or beside itself: this one finds the system's.
#include <qrencode.h>

#endif
