// The limit for batches: one loop that reads bodies of POST /v1/sightings from a file, parses them, and stores each
// batch in one durable transaction in a registry's own tables. No HTTP, no rules, no answer.
// Usage: limit_batches DATABASE BODIES STATION_KEY; BODIES has one body a line. Prints visits, seconds, and seconds
// of processor time.
#define _GNU_SOURCE
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *db;

static void check(int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    fprintf(stderr, "limit_batches: %s\n", sqlite3_errmsg(db));
    exit(1);
}

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0));
    return statement;
}

static void run(sqlite3_stmt *statement) {
    check(sqlite3_step(statement));
    check(sqlite3_reset(statement));
}

// One pass over the text: each field's place in the order in which the bodies have them.
static const char *after(const char *text, const char *key) {
    const char *found = strstr(text, key);
    if (!found) { fprintf(stderr, "limit_batches: no %s\n", key); exit(1); }
    return found + strlen(key);
}

static int digit(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

static const char *uuid(const char *text, uint8_t *bytes) {
    for (int i = 0; i < 16; i++) {
        if (*text == '-') text++;
        bytes[i] = digit(text[0]) << 4 | digit(text[1]);
        text += 2;
    }
    return text;
}

static int64_t number(const char *text, int digits) {
    int64_t value = 0;
    for (int i = 0; i < digits; i++) value = value * 10 + text[i] - '0';
    return value;
}

static int64_t timestamp(const char *t) { // RFC 3339, UTC, to milliseconds
    int64_t y = number(t, 4), m = number(t + 5, 2), d = number(t + 8, 2);
    y -= m <= 2;
    int64_t era = y / 400, yoe = y - era * 400, doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    int64_t days = era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
    int64_t seconds = days * 86400 + number(t + 11, 2) * 3600 + number(t + 14, 2) * 60 + number(t + 17, 2);
    return seconds * 1000 + (t[19] == '.' ? number(t + 20, 3) : 0);
}

int main(int count, char **arguments) {
    if (count != 4) { fprintf(stderr, "usage: limit_batches DATABASE BODIES STATION_KEY\n"); return 64; }
    check(sqlite3_open(arguments[1], &db));
    check(sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL", 0, 0, 0));
    int64_t station = atoll(arguments[3]);
    sqlite3_stmt *begin = prepared("BEGIN IMMEDIATE"), *commit = prepared("COMMIT");
    sqlite3_stmt *report = prepared(
        "SELECT report.key FROM bike JOIN report ON report.bike = bike.key WHERE bike.beacon = ? ORDER BY report.key DESC");
    sqlite3_stmt *insert = prepared(
        "INSERT INTO sighting (station, visit, stay, beacon, report, received, first_seen, last_seen, count, rssi_min,"
        " rssi_max, measured_power, proximity, ended, time_uncertain, revision, reasons) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,0,1,0)");
    FILE *bodies = fopen(arguments[2], "r");
    if (!bodies) { perror(arguments[2]); return 66; }
    char *line = 0;
    size_t size = 0;
    long visits = 0;
    struct timespec start, end, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (getline(&line, &size, bodies) > 0) {
        clock_gettime(CLOCK_REALTIME, &now);
        run(begin);
        for (const char *p = line; (p = strstr(p, "{\"id\":\""));) {
            uint8_t visit[16], stay[16], beacon[20];
            uuid(p + 7, visit);
            p = uuid(after(p, "\"stay\":\""), stay);
            p = uuid(after(p, "\"uuid\":\""), beacon);
            unsigned major = atoi(p = after(p, "\"major\":")), minor = atoi(p = after(p, "\"minor\":"));
            beacon[16] = major >> 8, beacon[17] = major, beacon[18] = minor >> 8, beacon[19] = minor;
            int64_t first = timestamp(p = after(p, "\"firstSeen\":\"")), last = timestamp(p = after(p, "\"lastSeen\":\""));
            int64_t frames = atoll(p = after(p, "\"count\":"));
            int weakest = atoi(p = after(p, "\"min\":")), strongest = atoi(p = after(p, "\"max\":"));
            int power = atoi(p = after(p, "\"measuredPower\":"));
            const char *proximity = p = after(p, "\"proximity\":\"");
            int length = strchr(p, '"') - p;
            int ended = *(p = after(p, "\"ended\":")) == 't';
            sqlite3_bind_blob(report, 1, beacon, 20, SQLITE_STATIC);
            check(sqlite3_step(report));
            sqlite3_bind_int64(insert, 5, sqlite3_column_int64(report, 0));
            check(sqlite3_reset(report));
            sqlite3_bind_int64(insert, 1, station);
            sqlite3_bind_blob(insert, 2, visit, 16, SQLITE_STATIC);
            sqlite3_bind_blob(insert, 3, stay, 16, SQLITE_STATIC);
            sqlite3_bind_blob(insert, 4, beacon, 20, SQLITE_STATIC);
            sqlite3_bind_int64(insert, 6, now.tv_sec * 1000 + now.tv_nsec / 1000000);
            sqlite3_bind_int64(insert, 7, first);
            sqlite3_bind_int64(insert, 8, last);
            sqlite3_bind_int64(insert, 9, frames);
            sqlite3_bind_int(insert, 10, weakest);
            sqlite3_bind_int(insert, 11, strongest);
            sqlite3_bind_int(insert, 12, power);
            sqlite3_bind_text(insert, 13, proximity, length, SQLITE_STATIC);
            sqlite3_bind_int(insert, 14, ended);
            run(insert);
            visits++;
        }
        run(commit);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    printf("%ld %.3f %.3f\n", visits, end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9,
           now.tv_sec + now.tv_nsec / 1e9);
}
