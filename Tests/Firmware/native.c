/* The checks on this machine. */
#include <stdio.h>

#include "checks.h"

static void print(const char *text) { fputs(text, stdout); }

int main(void) {
    int failures = run_checks(print);
    printf("%u vectors, %d failures\n", vector_count, failures);
    return failures != 0;
}
