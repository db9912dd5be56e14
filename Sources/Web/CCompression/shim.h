#ifndef FINDMYBIKE_CCOMPRESSION_SHIM_H
#define FINDMYBIKE_CCOMPRESSION_SHIM_H

#include <brotli/encode.h>
#include <zlib.h>

// deflateInit2() is a macro, which Swift cannot call. 31 is the largest window with a gzip header (zlib.h).
static inline int findmybike_begin_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
}

#endif
