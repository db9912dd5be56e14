/* The checks of the reference beacon, on any machine that can print: 0 if all passed. */
#include <stdint.h>

int run_checks(void (*print)(const char *text));

/* The vectors, made from Tests/Radio/BeaconsTests/Fixtures/rotating.tsv by scripts/firmware.sh. */
struct vector {
    uint8_t key[16];
    uint32_t seconds;
    uint8_t identity[20];
    uint8_t address[6];
};
extern const struct vector vectors[];
extern const unsigned vector_count;
