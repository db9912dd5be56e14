#ifndef FINDMYBIKE_CWEBFILES_H
#define FINDMYBIKE_CWEBFILES_H

#include <stddef.h>

/// One of the files in the folder files/, as a part of the program.
struct findmybike_web_file {
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

extern const size_t findmybike_web_file_count;

/// The file at an index, which is less than findmybike_web_file_count.
const struct findmybike_web_file *findmybike_web_file_at(size_t index);

#endif
