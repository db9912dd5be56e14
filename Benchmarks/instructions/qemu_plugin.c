/* A plugin of qemu-user that counts the instructions of a program, in all of its threads, and prints the number at its end.
 *
 *   cc -shared -fPIC -O2 -o qemu_plugin.so qemu_plugin.c
 *   qemu-aarch64 -d plugin -plugin ./qemu_plugin.so PROGRAM
 *
 * Debian does not package qemu's header for plugins; these are the declarations of docs/devel/tcg-plugins.rst, version 1. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct qemu_plugin_tb;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*)(uint64_t id, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned cpu, void *), int flags, void *);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*)(uint64_t id, void *), void *);
void qemu_plugin_outs(const char *);

int qemu_plugin_version = 1;
int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments);

static atomic_ullong executed;

static void count_block(unsigned cpu, void *instructions) {
    (void)cpu;
    atomic_fetch_add_explicit(&executed, (size_t)instructions, memory_order_relaxed);
}

/* Once for each block, when it is translated. */
static void watch_block(uint64_t id, struct qemu_plugin_tb *block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(block, count_block, 0, (void *)qemu_plugin_tb_n_insns(block));
}

static void print_count(uint64_t id, void *unused) {
    (void)id, (void)unused;
    char line[64];
    snprintf(line, sizeof line, "instructions: %llu\n", atomic_load(&executed));
    qemu_plugin_outs(line);
}

int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments) {
    (void)info, (void)count, (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, watch_block);
    qemu_plugin_register_atexit_cb(id, print_count, NULL);
    return 0;
}
