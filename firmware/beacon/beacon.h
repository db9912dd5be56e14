/* A bike beacon that changes its identity every 1,024 seconds: FindMyBike's profile "rot 1".
 *
 * Portable C99: no allocation, no library, no global state. A port supplies a clock, storage for one number, and the
 * radio; ../zephyr is one, ../README.md says what a port must do.
 */
#ifndef FINDMYBIKE_BEACON_H
#define FINDMYBIKE_BEACON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FMB_KEY_LENGTH = 16,
    FMB_ADDRESS_LENGTH = 6,
    FMB_DATA_LENGTH = 30,
    FMB_RECORD_LENGTH = 32,
    /* Every rotating beacon advertises at this interval: another one would mark a beacon across its identities. */
    FMB_INTERVAL_MS = 1000
};

/* What the beacon sends during one slot. */
struct fmb_frame {
    uint8_t address[FMB_ADDRESS_LENGTH]; /* the most significant byte first; a non-resolvable private address */
    uint8_t data[FMB_DATA_LENGTH];       /* advertising data: flags and an iBeacon */
};

/* The frame at a beacon's time, in seconds since 1970. */
void fmb_derive(const uint8_t key[FMB_KEY_LENGTH], uint32_t seconds, struct fmb_frame *frame);

/* Turns an address into a static random one, for radios that accept no other random address. */
void fmb_make_static(uint8_t address[FMB_ADDRESS_LENGTH]);

/* Reads the record that `findmybike beacon provision` makes: "FMBrot1" and a zero, the key, the time in seconds (big
 * endian), and a check of both. False if it is damaged or absent. */
bool fmb_read_record(const uint8_t record[FMB_RECORD_LENGTH], uint8_t key[FMB_KEY_LENGTH], uint32_t *seconds);

/* What a beacon needs from its board. Each function gets `context`. */
struct fmb_port {
    void *context;
    /* Stores a slot so that it survives the loss of power, before it returns. False if that failed. */
    bool (*store)(void *context, uint32_t slot);
    /* Called in this order at each change, so that no frame pairs an old address with a new identity. */
    void (*stop)(void *context);
    void (*set_address)(void *context, const uint8_t address[FMB_ADDRESS_LENGTH]);
    void (*set_data)(void *context, const uint8_t data[FMB_DATA_LENGTH]);
    void (*start)(void *context);
};

/* A running beacon. Its memory is the caller's; only the functions below change it. */
struct fmb_beacon {
    uint8_t key[FMB_KEY_LENGTH];
    uint32_t seconds;
    const struct fmb_port *port;
};

/* The time in memory that survives a reset, but not the loss of power. */
struct fmb_retained {
    uint32_t seconds;
    uint32_t check;
};

/* The time at which a beacon goes on after a start.
 *
 * provisioned  the time of the record.
 * stored       the number that the port stored last, or UINT32_MAX if none.
 * retained     what `fmb_retain` returned before a reset; NULL if the board retains no memory.
 *
 * After a loss of power it is the first slot that was never used: the beacon never repeats an identity. It is then late by
 * the time without power, less what was left of the last slot; after a short loss it is up to 17 minutes ahead. */
uint32_t fmb_start_time(uint32_t provisioned, uint32_t stored, const struct fmb_retained *retained);

/* The present time, to be kept in retained memory at least every few minutes. */
struct fmb_retained fmb_retain(const struct fmb_beacon *beacon);

/* Starts to advertise. False if the slot could not be stored: then it may be repeated after a loss of power. */
bool fmb_begin(
    struct fmb_beacon *beacon, const struct fmb_port *port, const uint8_t key[FMB_KEY_LENGTH], uint32_t seconds
);

/* Lets time pass, and changes the identity if a slot ended. Returns as `fmb_begin`. */
bool fmb_advance(struct fmb_beacon *beacon, uint32_t elapsed_seconds);

/* The seconds until the next change: how long the board may sleep. */
uint32_t fmb_until_change(const struct fmb_beacon *beacon);

#endif
