// What the Swift runtime of Debian's sid takes from glibc 2.38 or newer, for Debian 12, whose glibc is 2.36. Hidden, so that
// the programs use the functions of the machine's glibc for themselves.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

// C23 lets these read binary numbers (0b101); Swift's runtime reads none with them.
HIDDEN long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
HIDDEN long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
HIDDEN unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
HIDDEN unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
  return strtoull(text, end, base);
}

HIDDEN int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

// POSIX.1-2024: copies at most size - 1 bytes and ends them with a zero; returns the length of the source.
HIDDEN size_t strlcpy(char *destination, const char *source, size_t size) {
  size_t length = strlen(source);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(destination, source, copied);
    destination[copied] = 0;
  }
  return length;
}

// POSIX.1-2024: appends, so that at most size bytes are used; returns the length that would have been needed.
HIDDEN size_t strlcat(char *destination, const char *source, size_t size) {
  size_t used = strnlen(destination, size);
  return used == size ? used + strlen(source) : used + strlcpy(destination + used, source, size - used);
}
