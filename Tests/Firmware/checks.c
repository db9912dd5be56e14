/* Checks of firmware/beacon that run on this machine and on an emulated Cortex-M0. */
#include "checks.h"

#include "../../firmware/beacon/beacon.h"

static void (*print)(const char *text);
static int failures;

static void expect(bool condition, const char *what) {
    if (condition) return;
    failures++;
    print("failed: ");
    print(what);
    print("\n");
}

static bool same(const uint8_t *left, const uint8_t *right, unsigned length) {
    while (length--) {
        if (left[length] != right[length]) return false;
    }
    return true;
}

/* A board: what a radio would send, what is stored, and whether the order of the calls was right. */
struct board {
    uint32_t stored;
    uint32_t last_slot; /* of the frame on the air */
    unsigned step;      /* how many of stop, address, data, start have been called */
    unsigned frames;
    bool works, in_order;
    struct fmb_frame air;
};

static void follow(struct board *board, unsigned step) {
    if (board->step != step) board->in_order = false;
    board->step = (step + 1) % 4;
}
static bool board_store(void *context, uint32_t slot) {
    struct board *board = context;
    if (board->step != 0) board->in_order = false;
    if (board->works) board->stored = slot;
    return board->works;
}
static void board_stop(void *context) { follow(context, 0); }
static void board_address(void *context, const uint8_t address[FMB_ADDRESS_LENGTH]) {
    struct board *board = context;
    unsigned i;
    follow(board, 1);
    for (i = 0; i < FMB_ADDRESS_LENGTH; i++) board->air.address[i] = address[i];
}
static void board_data(void *context, const uint8_t data[FMB_DATA_LENGTH]) {
    struct board *board = context;
    unsigned i;
    follow(board, 2);
    for (i = 0; i < FMB_DATA_LENGTH; i++) board->air.data[i] = data[i];
}
static void board_start(void *context) {
    struct board *board = context;
    follow(board, 3);
    board->frames++;
}

static struct fmb_port port_of(struct board *board) {
    struct fmb_port port = {board, board_store, board_stop, board_address, board_data, board_start};
    return port;
}

static const struct board new_board = {UINT32_MAX, 0, 0, 0, true, true, {{0}, {0}}};

static bool sends(const struct board *board, const uint8_t *key, uint32_t seconds) {
    struct fmb_frame frame;
    fmb_derive(key, seconds, &frame);
    return same(frame.address, board->air.address, FMB_ADDRESS_LENGTH)
        && same(frame.data, board->air.data, FMB_DATA_LENGTH);
}

static void check_vectors(void) {
    static const uint8_t prefix[9] = {0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15};
    unsigned i;
    for (i = 0; i < vector_count; i++) {
        struct fmb_frame frame;
        fmb_derive(vectors[i].key, vectors[i].seconds, &frame);
        expect(same(frame.data, prefix, 9) && frame.data[29] == 0xC5, "the bytes around an identity");
        expect(same(frame.data + 9, vectors[i].identity, 20), "an identity of the vectors");
        expect(same(frame.address, vectors[i].address, 6), "an address of the vectors");
        fmb_make_static(frame.address);
        expect(frame.address[0] == (vectors[i].address[0] | 0xC0), "a static address");
    }
}

static void check_changes(void) {
    const uint8_t *key = vectors[0].key;
    struct board board = new_board;
    struct fmb_port port = port_of(&board);
    struct fmb_beacon beacon;
    uint32_t start = 1795255200, seconds = start;
    expect(fmb_begin(&beacon, &port, key, start), "a slot is stored at the start");
    while (seconds - start < 100000) {
        uint32_t step = fmb_until_change(&beacon);
        unsigned before = board.frames;
        expect(fmb_advance(&beacon, step - 1) && board.frames == before, "no change before a slot ends");
        expect(fmb_advance(&beacon, 1) && board.frames == before + 1, "a change when a slot ends");
        seconds += step;
        expect(sends(&board, key, seconds), "the frame of the slot");
        expect(board.stored == (seconds >> 10) + 1, "the next slot is stored");
    }
    expect(fmb_advance(&beacon, 5000) && sends(&board, key, seconds + 5000), "slots that were slept through are left out");
    expect(board.in_order && board.step == 0, "stop, address, data, start");
}

/* A new battery at any second: no slot is ever sent twice, and a reset without a loss of power changes nothing. */
static void check_batteries(void) {
    const uint8_t *key = vectors[1].key;
    struct board board = new_board;
    struct fmb_port port = port_of(&board);
    struct fmb_beacon beacon;
    uint32_t provisioned = 1795255200, last = 0, lived = 1, i;
    for (i = 0; i < 200; i++) {
        uint32_t start = fmb_start_time(provisioned, board.stored, 0);
        expect(i == 0 ? start == provisioned : start >> 10 > last, "a new battery begins an unused slot");
        expect(i == 0 || start >> 10 == last + 1, "a new battery leaves out no slot");
        fmb_begin(&beacon, &port, key, start);
        lived = lived * 1103515245 + 12345;
        fmb_advance(&beacon, lived >> 20);
        last = beacon.seconds >> 10;
        {
            struct fmb_retained retained = fmb_retain(&beacon);
            expect(fmb_start_time(provisioned, board.stored, &retained) == beacon.seconds, "a reset loses no time");
            retained.seconds ^= 0x400;
            expect(fmb_start_time(provisioned, board.stored, &retained) >> 10 == last + 1, "damaged memory is ignored");
        }
    }
    expect(fmb_start_time(provisioned + 0x10000000, board.stored, 0) == provisioned + 0x10000000, "a new record");
    board.works = false;
    expect(!fmb_begin(&beacon, &port, key, 5000) && sends(&board, key, 5000), "worn storage does not silence a bike");
}

static void check_end(void) {
    struct board board = new_board;
    struct fmb_port port = port_of(&board);
    struct fmb_beacon beacon;
    fmb_begin(&beacon, &port, vectors[0].key, UINT32_MAX - 2000);
    fmb_advance(&beacon, UINT32_MAX);
    expect(beacon.seconds == UINT32_MAX && sends(&board, vectors[0].key, UINT32_MAX), "the clock ends in 2106");
    expect(fmb_start_time(0, board.stored, 0) >> 10 == UINT32_MAX >> 10, "and does not begin again");
}

static void check_records(void) {
    /* The same as in Tests/Radio/BeaconsTests/RotatingBeaconTests.swift. */
    static const uint8_t good[FMB_RECORD_LENGTH] = {
        'F', 'M', 'B', 'r', 'o', 't', '1', 0,    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
        0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x6b, 0x01, 0x67, 0xa0, 0x50, 0xd1, 0x20, 0x3a,
    };
    uint8_t record[FMB_RECORD_LENGTH], key[FMB_KEY_LENGTH];
    uint32_t seconds = 0;
    unsigned i;
    for (i = 0; i < FMB_RECORD_LENGTH; i++) record[i] = good[i];
    expect(fmb_read_record(record, key, &seconds), "a record is read");
    expect(same(key, good + 8, 16) && seconds == 1795254176, "a record has a key and a time");
    for (i = 0; i < FMB_RECORD_LENGTH; i++) {
        record[i] ^= 0x10;
        expect(!fmb_read_record(record, key, &seconds), "a damaged record is refused");
        record[i] ^= 0x10;
    }
    for (i = 0; i < FMB_RECORD_LENGTH; i++) record[i] = 0xFF;
    expect(!fmb_read_record(record, key, &seconds), "erased flash is no record");
}

int run_checks(void (*printer)(const char *text)) {
    print = printer;
    failures = 0;
    check_vectors();
    check_changes();
    check_batteries();
    check_end();
    check_records();
    return failures;
}
