#ifndef FINDMYBIKE_CTURBOJPEG_SHIM_H
#define FINDMYBIKE_CTURBOJPEG_SHIM_H

// A module map names headers by absolute path or beside itself: this one finds the system's.
#include <turbojpeg.h>

#endif
