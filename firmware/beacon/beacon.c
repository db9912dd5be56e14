#include "beacon.h"

static uint32_t rotated(uint32_t value, unsigned count) { return value >> count | value << (32 - count); }

/* One block of SHA-256 (FIPS 180-4, section 6.2) from its initial state. Replaces the block by the message schedule. */
static void digest(uint32_t block[16], uint32_t state[8]) {
    static const uint32_t constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    };
    static const uint32_t initial[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    unsigned t;
    for (t = 0; t < 8; t++) state[t] = initial[t];
    for (t = 0; t < 64; t++) {
        uint32_t *word = &block[t & 15];
        uint32_t first, second;
        if (t >= 16) {
            uint32_t x = block[(t + 1) & 15], y = block[(t + 14) & 15];
            *word += (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) + block[(t + 9) & 15]
                + (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
        }
        first = state[7] + (rotated(state[4], 6) ^ rotated(state[4], 11) ^ rotated(state[4], 25))
            + (state[6] ^ (state[4] & (state[5] ^ state[6]))) + constants[t] + *word;
        second = (rotated(state[0], 2) ^ rotated(state[0], 13) ^ rotated(state[0], 22))
            + ((state[0] & state[1]) | (state[2] & (state[0] | state[1])));
        state[7] = state[6];
        state[6] = state[5];
        state[5] = state[4];
        state[4] = state[3] + first;
        state[3] = state[2];
        state[2] = state[1];
        state[1] = state[0];
        state[0] = first + second;
    }
    for (t = 0; t < 8; t++) state[t] += initial[t];
}

static uint32_t load(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* NIST SP 800-56C's one-step key derivation: the counter 1, the secret, the profile's name, a purpose and a number are
 * 41 bytes, one block. Writes the first `length` bytes, at most 32. */
static void derive(const uint8_t secret[16], char purpose, uint32_t number, uint8_t *out, unsigned length) {
    static const uint8_t profile[] = "FindMyBike rot 1";
    uint32_t block[16] = {1}, state[8];
    unsigned i;
    for (i = 0; i < 4; i++) {
        block[1 + i] = load(secret + 4 * i);
        block[5 + i] = load(profile + 4 * i);
    }
    block[9] = (uint32_t)(uint8_t)purpose << 24 | number >> 8;
    block[10] = number << 24 | 0x800000;
    block[15] = 41 * 8;
    digest(block, state);
    for (i = 0; i < length; i++) out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void fmb_derive(const uint8_t key[FMB_KEY_LENGTH], uint32_t seconds, struct fmb_frame *frame) {
    static const uint8_t prefix[9] = {0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15};
    uint8_t epoch_key[16];
    unsigned i;
    derive(key, 'E', seconds >> 16, epoch_key, 16);
    for (i = 0; i < 9; i++) frame->data[i] = prefix[i];
    derive(epoch_key, 'L', seconds >> 10, frame->data + 9, 16);
    derive(key, 'T', seconds >> 10, frame->data + 25, 4);
    frame->data[29] = 0xC5;
    derive(key, 'A', seconds >> 10, frame->address, FMB_ADDRESS_LENGTH);
    frame->address[0] &= 0x3F;
}

void fmb_make_static(uint8_t address[FMB_ADDRESS_LENGTH]) { address[0] |= 0xC0; }

bool fmb_read_record(const uint8_t record[FMB_RECORD_LENGTH], uint8_t key[FMB_KEY_LENGTH], uint32_t *seconds) {
    static const uint8_t magic[8] = "FMBrot1";
    uint8_t check[4], difference = 0;
    unsigned i;
    for (i = 0; i < 8; i++) difference |= record[i] ^ magic[i];
    derive(record + 8, 'P', load(record + 24), check, 4);
    for (i = 0; i < 4; i++) difference |= record[28 + i] ^ check[i];
    if (difference != 0) return false;
    for (i = 0; i < FMB_KEY_LENGTH; i++) key[i] = record[8 + i];
    *seconds = load(record + 24);
    return true;
}

static uint32_t retained_check(uint32_t seconds) { return ~(seconds ^ 0x464D4201); }

uint32_t fmb_start_time(uint32_t provisioned, uint32_t stored, const struct fmb_retained *retained) {
    uint32_t unused;
    if (stored > UINT32_MAX >> 10) return provisioned;
    if (retained && retained->check == retained_check(retained->seconds) && retained->seconds >> 10 == stored - 1
        && retained->seconds >= provisioned) {
        return retained->seconds;
    }
    unused = stored << 10;
    return unused > provisioned ? unused : provisioned;
}

struct fmb_retained fmb_retain(const struct fmb_beacon *beacon) {
    struct fmb_retained retained = {beacon->seconds, retained_check(beacon->seconds)};
    return retained;
}

/* Stores the next slot before it uses this one. A beacon whose storage is worn out goes on: a bike that is silent is not
 * found, and a repeated slot only makes one sighting disputed. */
static bool change(const struct fmb_beacon *beacon) {
    const struct fmb_port *port = beacon->port;
    struct fmb_frame frame;
    uint32_t next = beacon->seconds >> 10;
    bool stored;
    if (next < UINT32_MAX >> 10) next++;
    stored = port->store(port->context, next);
    fmb_derive(beacon->key, beacon->seconds, &frame);
    port->stop(port->context);
    port->set_address(port->context, frame.address);
    port->set_data(port->context, frame.data);
    port->start(port->context);
    return stored;
}

bool fmb_begin(
    struct fmb_beacon *beacon, const struct fmb_port *port, const uint8_t key[FMB_KEY_LENGTH], uint32_t seconds
) {
    unsigned i;
    for (i = 0; i < FMB_KEY_LENGTH; i++) beacon->key[i] = key[i];
    beacon->seconds = seconds;
    beacon->port = port;
    return change(beacon);
}

bool fmb_advance(struct fmb_beacon *beacon, uint32_t elapsed_seconds) {
    uint32_t before = beacon->seconds >> 10;
    uint32_t rest = UINT32_MAX - beacon->seconds;
    beacon->seconds += elapsed_seconds < rest ? elapsed_seconds : rest;
    return beacon->seconds >> 10 == before || change(beacon);
}

uint32_t fmb_until_change(const struct fmb_beacon *beacon) { return 1024 - (beacon->seconds & 1023); }
