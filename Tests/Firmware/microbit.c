/* The checks on a BBC micro:bit (Cortex-M0) in qemu, which prints through semihosting (Arm, "Semihosting for AArch32
 * and AArch64"), and the number of instructions that one frame takes. No library. */
#include "../../firmware/beacon/beacon.h"
#include "checks.h"

extern uint32_t stack_top, data_start, data_end, data_load, bss_start, bss_end;

static void call_host(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

static void print(const char *text) { call_host(0x04, text); }

static void print_number(uint32_t number) {
    char text[11];
    unsigned place = 10;
    text[10] = 0;
    do text[--place] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    print(text + place);
}

/* The compiler calls these for structures. */
void *memcpy(void *to, const void *from, size_t length) {
    uint8_t *target = to;
    const uint8_t *source = from;
    while (length--) *target++ = *source++;
    return to;
}
void *memset(void *to, int value, size_t length) {
    volatile uint8_t *target = to;
    while (length--) *target++ = (uint8_t)value;
    return to;
}

/* nRF51 Reference Manual, section 18: TIMER0 with 32 bits at 16 MHz. */
#define TIMER(offset) (*(volatile uint32_t *)(0x40008000 + (offset)))
static uint32_t ticks(void) {
    TIMER(0x040) = 1;
    return TIMER(0x540);
}

static void reset(void) {
    struct fmb_frame frame;
    uint32_t *word, *from = &data_load, before, after;
    int failures;
    for (word = &data_start; word < &data_end; word++) *word = *from++;
    for (word = &bss_start; word < &bss_end; word++) *word = 0;

    failures = run_checks(print);
    print_number(vector_count);
    print(" vectors, ");
    print_number((uint32_t)failures);
    print(" failures\n");

    TIMER(0x508) = 3;
    TIMER(0x510) = 0;
    TIMER(0x000) = 1;
    before = ticks();
    fmb_derive(vectors[0].key, 1795255200, &frame);
    after = ticks();
    /* With `-icount shift=6` an instruction takes 64 ns; a tick is 62.5 ns. */
    print_number((after - before) / 1024 * 1000);
    print(" instructions a frame\n");

    /* SYS_EXIT: stopped by the application, or run-time error. */
    call_host(0x18, (const void *)(failures ? 0x20023 : 0x20026));
    for (;;) {}
}

static void fault(void) {
    print("fault\n");
    call_host(0x18, (const void *)0x20023);
    for (;;) {}
}

static const struct {
    uint32_t *stack;
    void (*handlers[3])(void);
} table __attribute__((section(".vectors"), used)) = {&stack_top, {reset, fault, fault}};
