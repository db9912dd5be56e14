/* A virtual Bluetooth LE controller whose air is a script. (From the team's Bluetooth laboratory.)
 *
 * It answers the commands of a Linux host well enough for the kernel and bluetoothd to bring it up. While the host
 * scans, it sends LE advertising reports for the beacons that it has been given, each at its own interval with a
 * changing RSSI, and writes every report that it has sent to the truth log.
 *
 * It is on /dev/vhci, or at the other end of a serial line, where it speaks H4 as the controller of a Raspberry Pi does.
 *
 *   virtual-controller [-a ADDRESS] [-x] [-s PORT] -t TRUTHLOG
 *     -a  its own address                        -x  offer extended scanning (0x2041, 0x2042, report 0x0D)
 *     -s  the serial port, in place of /dev/vhci
 *   Standard input:  add ADDRESS RSSI JITTER INTERVAL_MS HEXDATA   a beacon with a random address, not connectable
 *                    remove ADDRESS
 *   Standard output: one line when it is ready: the index of the new controller, or on a serial line “ready”.
 *   Truth log, each line after the MICROSECONDS since the start:
 *                    ADDRESS RSSI                               a report that it sent
 *                    scan ENABLED ACTIVE FILTER_DUPLICATES      what the host has set
 *                    advertise ENABLED HEXDATA ADDRESS          likewise; legacy advertising only; also when the data
 *                                                               changes while it is enabled
 *
 * Opcodes and layouts: Bluetooth Core Specification 5.4, volume 4, part E, section 7.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { COMMAND_PACKET = 0x01, EVENT_PACKET = 0x04, VENDOR_PACKET = 0xff };
enum { COMMAND_COMPLETE = 0x0e, LE_META = 0x3e, UNKNOWN_COMMAND = 0x01, COMMAND_DISALLOWED = 0x0c };
enum { MAX_BEACONS = 256, MAX_DATA = 31 };

struct beacon {
    uint8_t address[6], data[MAX_DATA], data_length;
    int rssi, jitter, interval_ms, live;
    unsigned sent;
    uint64_t due;
};

static struct beacon beacons[MAX_BEACONS];
static int beacon_count, device, extended, scanning, active;
static const char *port; /* NULL: /dev/vhci */
static uint8_t own_data[1 + MAX_DATA]; /* what it advertises itself, after its length */
static uint8_t own_address[6] = {0x01, 0x00, 0xbe, 0xac, 0x00, 0x00};
static uint8_t random_address[6];
static int advertising, advertises_random;
static FILE *truth;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000ull + t.tv_nsec / 1000;
}

/* Writes one line of the truth log to disk at once: the check reads it while this program runs. */
__attribute__((format(printf, 1, 2))) static void record(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(truth, "%llu ", (unsigned long long)now());
    vfprintf(truth, format, arguments);
    fputc('\n', truth);
    fflush(truth);
    va_end(arguments);
}

/* ---- Packets to the host ---- */

static void send_packet(const uint8_t *packet, int length) {
    while (length > 0) {
        /* A serial line may take a part of it. */
        ssize_t taken = write(device, packet, length);
        if (taken < 0 && errno != EAGAIN && errno != EINTR) fail("writing to the host");
        if (taken < 0) usleep(200);
        else packet += taken, length -= taken;
    }
}

static void complete(uint16_t opcode, const uint8_t *result, int length) {
    uint8_t packet[260] = {EVENT_PACKET, COMMAND_COMPLETE, 3 + length, 1, opcode & 0xff, opcode >> 8};
    memcpy(packet + 6, result, length);
    send_packet(packet, 6 + length);
}

static void report(const struct beacon *b, int rssi) {
    uint8_t p[64] = {EVENT_PACKET, LE_META};
    int n = 3;
    if (extended) {
        p[n++] = 0x0d, p[n++] = 1;
        p[n++] = 0x10, p[n++] = 0; /* a legacy advertisement, neither connectable nor scannable */
        p[n++] = 1;
        memcpy(p + n, b->address, 6), n += 6;
        p[n++] = 1, p[n++] = 0;       /* heard on LE 1M; no secondary channel */
        p[n++] = 0xff, p[n++] = 0x7f; /* no set; transmit power unknown */
        p[n++] = rssi;
        n += 9; /* no periodic advertising, no direct address */
    } else {
        p[n++] = 0x02, p[n++] = 1, p[n++] = 3, p[n++] = 1;
        memcpy(p + n, b->address, 6), n += 6;
    }
    p[n++] = b->data_length;
    memcpy(p + n, b->data, b->data_length), n += b->data_length;
    if (!extended) p[n++] = rssi;
    p[2] = n - 3;
    /* Recorded first, so that everything that a check has heard is in the log. */
    const uint8_t *a = b->address;
    record("%02X:%02X:%02X:%02X:%02X:%02X %d", a[5], a[4], a[3], a[2], a[1], a[0], rssi);
    send_packet(p, n);
}

/* ---- Commands of the host ---- */

static void set_scanning(int enable, int filter_duplicates) {
    scanning = enable;
    record("scan %d %d %d", scanning, active, filter_duplicates);
    for (int i = 0; i < beacon_count; i++)
        beacons[i].due = now() + rand() % (beacons[i].interval_ms * 1000);
}

static void set_advertising(int enable) {
    char text[2 * MAX_DATA + 1] = "-";
    const uint8_t *a = advertises_random ? random_address : own_address;
    for (int i = 0; i < own_data[0] && i < MAX_DATA; i++) sprintf(text + 2 * i, "%02x", own_data[1 + i]);
    advertising = enable;
    record("advertise %d %s %02X:%02X:%02X:%02X:%02X:%02X", enable, text, a[5], a[4], a[3], a[2], a[1], a[0]);
}

/* The commands that kernel 6.1 and bluetoothd 5.66 send to a controller with LE only. */
static void answer(const uint8_t *command) {
    uint16_t opcode = command[1] | command[2] << 8;
    const uint8_t *parameters = command + 4;
    uint8_t result[249] = {0};
    int length = 1;
    switch (opcode) {
    case 0x0c03: scanning = advertising = 0; break;                                                /* Reset */
    case 0x1001: memcpy(result, (uint8_t[]){0, 10, 0, 0, 10, 0xf1, 5}, 7), length = 9; break; /* version 5.1 */
    case 0x1002:                                                                        /* supported commands */
        result[6] = 0xc0, result[15] = 0xa8, result[25] = 0x60, result[26] = 0xf7, result[27] = 0xff;
        result[28] = 0xfd, result[29] = 0x03, result[38] = extended ? 0x60 : 0, length = 65;
        break;
    case 0x1003: result[5] = 0x60, length = 9; break;                                   /* LE, no BR/EDR */
    case 0x1005: length = 8; break;                                                     /* no BR/EDR buffers */
    case 0x1009: memcpy(result + 1, own_address, 6), length = 7; break;
    case 0x0c14: strcpy((char *)result + 1, "laboratory"), length = 249; break;         /* local name */
    case 0x2002: memcpy(result, (uint8_t[]){0, 251, 0, 8}, 4), length = 4; break;       /* LE buffers */
    case 0x2003: result[2] = extended ? 0x10 : 0, length = 9; break;                    /* bit 12: extended */
    case 0x2007: length = 2; break;                                                     /* transmit power */
    case 0x200f: result[1] = 16, length = 2; break;                                     /* accept list */
    case 0x2018: for (int i = 1; i < 9; i++) result[i] = rand(); length = 9; break;     /* random number */
    case 0x201c: memset(result + 1, 0xff, 3), result[4] = 0x1f, length = 9; break;      /* LE states */
    case 0x2023: memcpy(result, (uint8_t[]){0, 27, 0, 0x48, 1}, 5), length = 5; break;  /* data length */
    case 0x202a: length = 2; break;                                                     /* resolving list */
    case 0x202f: memcpy(result, (uint8_t[]){0, 27, 0, 0x48, 1, 27, 0, 0x48, 1}, 9), length = 9; break;
    case 0x203a: result[1] = 31, length = 3; break;                                     /* advertising data */
    case 0x203b: result[1] = 1, length = 2; break;                                      /* advertising sets */
    case 0x204b: length = 3; break;                                                     /* transmit powers */
    case 0x200b: case 0x2041:                                                           /* scan parameters */
        if (scanning) result[0] = COMMAND_DISALLOWED;
        else active = parameters[opcode == 0x200b ? 0 : 3];
        break;
    case 0x2005:                                                                        /* random address */
        if (advertising) result[0] = COMMAND_DISALLOWED;
        else memcpy(random_address, parameters, 6);
        break;
    case 0x2006: advertises_random = parameters[5] & 1; break;                          /* advertising parameters */
    case 0x2008:                                                                        /* advertising data */
        memcpy(own_data, parameters, sizeof own_data);
        if (advertising) set_advertising(1);
        break;
    case 0x200a: set_advertising(parameters[0]); break;
    case 0x200c: case 0x2042: complete(opcode, result, 1), set_scanning(parameters[0], parameters[1]); return;
    /* Event masks, white list, host features and advertising: accepted, without effect. */
    case 0x0c01: case 0x0c13: case 0x0c63: case 0x0c6d: case 0x2001:
    case 0x2009: case 0x2010: case 0x2011: case 0x2012: case 0x2024: case 0x2029: case 0x202d:
    case 0x202e: case 0x2031: case 0x2035: break;
    default: result[0] = UNKNOWN_COMMAND;
    }
    complete(opcode, result, length);
}

/* ---- The script ---- */

static int parse_hex(const char *text, uint8_t *bytes, int capacity) {
    int length = 0, used;
    unsigned byte;
    for (; length < capacity && sscanf(text, "%2x%n", &byte, &used) == 1 && used == 2; text += 2) bytes[length++] = byte;
    return *text == '\0' ? length : -1;
}

static int parse_address(const char *text, uint8_t *address) {
    return sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx", address + 5, address + 4, address + 3, address + 2,
                  address + 1, address) == 6;
}

static struct beacon *find(const uint8_t *address) {
    for (int i = 0; i < beacon_count; i++)
        if (memcmp(beacons[i].address, address, 6) == 0) return &beacons[i];
    return beacon_count < MAX_BEACONS ? &beacons[beacon_count++] : NULL;
}

static int obey(const char *line) {
    char address_text[18], data_text[2 * MAX_DATA + 1];
    struct beacon new = {.live = 1, .due = now()};
    if (sscanf(line, "add %17s %d %d %d %62s", address_text, &new.rssi, &new.jitter, &new.interval_ms, data_text) == 5) {
        int length = parse_hex(data_text, new.data, MAX_DATA);
        if (length < 0 || new.interval_ms < 1 || new.jitter < 0) return 0;
        new.data_length = length;
    } else if (sscanf(line, "remove %17s", address_text) == 1) {
        new.live = 0, new.interval_ms = 1;
    } else {
        return 0;
    }
    if (!parse_address(address_text, new.address)) return 0;
    struct beacon *place = find(new.address);
    if (place) *place = new;
    return place != NULL;
}

/* ---- The loop ---- */

/* A triangle between −jitter and +jitter: every step is 1 dB, so that a lost report is noticed. */
static int moving_rssi(struct beacon *b) {
    if (b->jitter == 0) return b->rssi;
    int phase = b->sent % (4 * b->jitter);
    return b->rssi + (phase < 2 * b->jitter ? phase - b->jitter : 3 * b->jitter - phase);
}

static int milliseconds_to_next(void) {
    int64_t wait = 1000000, time = now();
    for (int i = 0; scanning && i < beacon_count; i++)
        if (beacons[i].live && (int64_t)beacons[i].due - time < wait) wait = (int64_t)beacons[i].due - time;
    return wait <= 0 ? 0 : (wait + 999) / 1000;
}

static void send_due(void) {
    for (int i = 0; scanning && i < beacon_count; i++) {
        struct beacon *b = &beacons[i];
        uint64_t time = now();
        if (!b->live || b->due > time) continue;
        b->due += b->interval_ms * 1000ull;
        if (b->due < time) b->due = time + b->interval_ms * 1000ull; /* a slow guest must not cause a burst */
        report(b, moving_rssi(b));
        b->sent++;
    }
}

/* Each read from /dev/vhci is one packet. */
static void read_packets(void) {
    uint8_t packet[1024];
    ssize_t length;
    while ((length = read(device, packet, sizeof packet)) > 0) {
        if (packet[0] == COMMAND_PACKET && length >= 4) answer(packet);
        if (packet[0] == VENDOR_PACKET && length >= 4) printf("%d\n", packet[2] | packet[3] << 8), fflush(stdout);
    }
}

/* From a serial line come bytes, and a host that has no connection sends commands only. */
static void read_line(void) {
    static uint8_t buffer[1024];
    static size_t filled;
    ssize_t length;
    while ((length = read(device, buffer + filled, sizeof buffer - filled)) > 0) {
        filled += length;
        size_t start = 0;
        while (start < filled) {
            size_t rest = filled - start;
            if (buffer[start] != COMMAND_PACKET) {
                start++; /* noise of a port that was opened */
                continue;
            }
            if (rest < 4 || rest < 4u + buffer[start + 3]) break;
            answer(buffer + start);
            start += 4u + buffer[start + 3];
        }
        memmove(buffer, buffer + start, filled -= start);
    }
}

/* Returns 0 at the end of the script. */
static int read_script(void) {
    static char buffer[4096];
    static size_t filled;
    ssize_t length = read(STDIN_FILENO, buffer + filled, sizeof buffer - 1 - filled);
    if (length <= 0) return 0;
    filled += length, buffer[filled] = '\0';
    for (char *end; (end = strchr(buffer, '\n')); memmove(buffer, end + 1, filled + 1)) {
        *end = '\0', filled -= end + 1 - buffer;
        if (!obey(buffer)) fprintf(stderr, "virtual-controller: cannot do ‘%s’\n", buffer);
    }
    return 1;
}

static void create_controller(void) {
    const uint8_t create[] = {VENDOR_PACKET, 0};
    if ((device = open("/dev/vhci", O_RDWR)) < 0) fail("/dev/vhci");
    if (write(device, create, sizeof create) != sizeof create) fail("creating a controller");
    fcntl(device, F_SETFL, O_NONBLOCK);
}

static void open_port(void) {
    struct termios settings;
    if ((device = open(port, O_RDWR | O_NOCTTY | O_NONBLOCK)) < 0 || tcgetattr(device, &settings) < 0) fail(port);
    cfmakeraw(&settings);
    cfsetspeed(&settings, B115200);
    settings.c_cflag |= CLOCAL; /* no carrier to wait for */
    if (tcsetattr(device, TCSANOW, &settings) < 0 || tcflush(device, TCIOFLUSH) < 0) fail(port);
    puts("ready"), fflush(stdout);
}

int main(int count, char **arguments) {
    int option;
    while ((option = getopt(count, arguments, "a:xs:t:")) != -1) {
        if (option == 'a' && !parse_address(optarg, own_address)) return 64;
        if (option == 'x') extended = 1;
        if (option == 's') port = optarg;
        if (option == 't' && !(truth = fopen(optarg, "a"))) fail(optarg);
        if (option == '?') return 64;
    }
    if (!truth) return 64;
    if (port) open_port();
    else create_controller();
    struct pollfd sources[] = {{.fd = device, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    for (;;) {
        if (poll(sources, 2, milliseconds_to_next()) < 0 && errno != EINTR) fail("poll");
        if (sources[0].revents & (POLLHUP | POLLERR)) return 0;
        if (sources[0].revents) port ? read_line() : read_packets();
        if (sources[1].revents && !read_script()) return 0;
        send_due();
    }
}
