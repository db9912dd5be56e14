// The limits of sightings in PostgreSQL: the database's work alone, without HTTP and without rules.
// Usage: limit single|sets CONNECTIONS SECONDS CONNECTION_STRING, on a database made by limit.sql.
//   single: a sighting, its alert and its entry in one statement, which commits by itself.
//   sets: 100 of them in a transaction: lock the reports, look for known visits and for others around them, insert each
//         kind as one set. Beside it a sequencer chains the entries.
// Prints rows, seconds, seconds of this program's processor time, and p50 and p99 of a transaction in milliseconds.
#define _GNU_SOURCE
#include <endian.h>
#include <libpq-fe.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SET = 100, MOST = 4000000, CHAINED = 5000, BIGINT = 20, BYTEA = 17 };

static const char *address;
static atomic_int stopping;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "limit: %s: %s\n", what, why);
    exit(1);
}

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static PGresult *checked(PGresult *result, const char *what) {
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail(what, PQresultErrorMessage(result));
    return result;
}

static void run(PGconn *db, const char *sql) { PQclear(checked(PQexec(db, sql), sql)); }

// A statement's parameters in binary form.
typedef struct {
    int count, used;
    const char *values[16];
    int lengths[16], formats[16];
    char bytes[1 << 17];
} Values;

static char *next(Values *v, int length) {
    if (v->used + length > (int)sizeof v->bytes) fail("parameters", "too long");
    char *start = v->bytes + v->used;
    v->values[v->count] = start, v->lengths[v->count] = length, v->formats[v->count] = 1;
    v->count++, v->used += length;
    return start;
}

static char *put4(char *at, int32_t value) {
    uint32_t big = htobe32(value);
    return memcpy(at, &big, 4) + 4;
}

static char *put8(char *at, int64_t value) {
    uint64_t big = htobe64(value);
    return memcpy(at, &big, 8) + 8;
}

static void integer(Values *v, int64_t value) { put8(next(v, 8), value); }
static void blob(Values *v, const void *bytes, int length) { memcpy(next(v, length), bytes, length); }

// An array of elements of one length: one dimension, no NULLs, the first index is 1.
static void array(Values *v, int type, int count, int length, const void *elements, int step) {
    char *at = next(v, 20 + count * (4 + length));
    at = put4(put4(put4(put4(put4(at, 1), 0), type), count), 1);
    for (int i = 0; i < count; i++) {
        const char *element = (const char *)elements + (size_t)i * step;
        at = put4(at, length);
        if (type == BIGINT) at = put8(at, *(const int64_t *)element);
        else at = memcpy(at, element, length) + length;
    }
}

typedef struct {
    int64_t station, report, time;
    unsigned char visit[16], stay[16], beacon[20], id[16], details[56], salt[16], commitment[32];
} Row;

typedef struct {
    pthread_t thread;
    uint64_t random;
    long rows, transactions;
    float *latencies;
    Values values;
    Row rows_of_set[SET];
} Worker;

static uint64_t chance(uint64_t *state) {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state;
}

static void fill(uint64_t *random, unsigned char *bytes, int length) {
    for (int i = 0; i < length; i += 8) {
        uint64_t value = chance(random);
        memcpy(bytes + i, &value, length - i < 8 ? length - i : 8);
    }
}

static void make(Worker *worker, Row *row) {
    uint64_t *random = &worker->random;
    row->station = 1 + chance(random) % 20000, row->report = 1 + chance(random) % 100000;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    row->time = now.tv_sec * 1000LL + now.tv_nsec / 1000000;
    // Identifiers begin with the time, so that new ones are neighbours in their indices.
    fill(random, row->visit, 16), fill(random, row->stay, 16), fill(random, row->id, 16);
    put8((char *)row->visit, row->time << 16), put8((char *)row->stay, row->time << 16);
    put8((char *)row->id, row->time << 16);
    *(uint64_t *)row->visit ^= chance(random) << 48, *(uint64_t *)row->id ^= chance(random) << 48;
    fill(random, row->beacon, 20), fill(random, row->details, 56), fill(random, row->salt, 16);
    fill(random, row->commitment, 32);
}

#define COLUMNS "station, visit, stay, beacon, report, received, revision, reasons, first_seen, last_seen, count," \
    " measured_power, proximity, ended, time_uncertain"
#define ENTRY "INSERT INTO entry (time, action, owner, bike, report, station, details, salt, commitment)"

static const char *statements[][2] = {
    {"single",
     "WITH s AS (INSERT INTO sighting (" COLUMNS ") VALUES ($1::bigint, $2::bytea, $3::bytea, $4::bytea, $5::bigint,"
     " $6::bigint, 1, 0, $6, $6, 5, -59, 'near', 0, 0) RETURNING key),"
     " a AS (INSERT INTO alert (id, sighting, channel, kind, urgent, created, due)"
     " SELECT $7::bytea, key, $5, 'webhook', 1, $6, $6 FROM s) "
     ENTRY " VALUES ($6, 'sighting.stored', $7, $7, $7, $7, $8::bytea, $9::bytea, $10::bytea)"},
    {"lock", "SELECT key, owner, revision FROM report WHERE key = ANY ($1::bigint[]) ORDER BY key FOR NO KEY UPDATE"},
    {"known", "SELECT s.key FROM unnest($1::bigint[], $2::bytea[]) g (station, visit)"
     " JOIN sighting s ON s.station = g.station AND s.visit = g.visit"},
    {"around", "SELECT (SELECT coalesce(thread, key) FROM sighting s WHERE s.station = g.station AND s.stay = g.stay"
     " LIMIT 1), EXISTS (SELECT 1 FROM sighting s WHERE s.report = g.report AND s.station <> g.station)"
     " FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) g (report, station, stay)"},
    {"sightings", "INSERT INTO sighting (" COLUMNS ") SELECT station, visit, stay, beacon, report, $6::bigint, 1, 0,"
     " $6, $6, 5, -59, 'near', 0, 0 FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bigint[])"
     " g (station, visit, stay, beacon, report) RETURNING key"},
    {"alerts", "INSERT INTO alert (id, sighting, channel, kind, urgent, created, due)"
     " SELECT g.id, s.key, channel, 'webhook', 1, $5::bigint, $5"
     " FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bigint[]) g (id, channel, visit, station)"
     " JOIN sighting s ON s.station = g.station AND s.visit = g.visit"},
    {"revisions", "UPDATE report SET revision = revision + 1 WHERE key = ANY ($1::bigint[])"},
    {"entries", ENTRY " SELECT $1::bigint, 'sighting.stored', id, id, id, id, details, salt, commitment"
     " FROM unnest($2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[]) g (id, details, salt, commitment)"},
    {"unchained", "SELECT xid::text, seq, commitment FROM entry WHERE (xid, seq) > ($1::text::xid8, $2::bigint)"
     " AND xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY xid, seq LIMIT 5000"},
    {"chain", "INSERT INTO chain (key, seq, hash) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])"},
    {"head", "UPDATE head SET length = $1::bigint, hash = $2::bytea, xid = $3::text::xid8, seq = $4::bigint"},
};

static PGconn *connection(void) {
    PGconn *db = PQconnectdb(address);
    if (PQstatus(db) != CONNECTION_OK) fail("connection", PQerrorMessage(db));
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        PQclear(checked(PQprepare(db, statements[i][0], statements[i][1], 0, 0), statements[i][0]));
    return db;
}

static PGresult *query(PGconn *db, const char *name, const Values *v) {
    return checked(PQexecPrepared(db, name, v->count, v->values, v->lengths, v->formats, 1), name);
}

static void send(PGconn *db, const char *name, Values *v) {
    if (!PQsendQueryPrepared(db, name, v->count, v->values, v->lengths, v->formats, 1)) fail(name, PQerrorMessage(db));
    v->count = v->used = 0;
}

static void send_text(PGconn *db, const char *sql) {
    if (!PQsendQueryParams(db, sql, 0, 0, 0, 0, 0, 1)) fail(sql, PQerrorMessage(db));
}

// Reads the results of a pipeline.
static void finish(PGconn *db, int count) {
    if (!PQpipelineSync(db)) fail("sync", PQerrorMessage(db));
    for (int i = 0; i < count; i++) {
        PQclear(checked(PQgetResult(db), "pipeline"));
        if (PQgetResult(db)) fail("pipeline", "one result too many");
    }
    PGresult *end = PQgetResult(db);
    if (PQresultStatus(end) != PGRES_PIPELINE_SYNC) fail("pipeline", "no end");
    PQclear(end);
}

static int store_single(PGconn *db, Worker *worker) {
    Row *row = worker->rows_of_set;
    Values *v = &worker->values;
    make(worker, row);
    v->count = v->used = 0;
    integer(v, row->station), blob(v, row->visit, 16), blob(v, row->stay, 16), blob(v, row->beacon, 20);
    integer(v, row->report), integer(v, row->time), blob(v, row->id, 16), blob(v, row->details, 56);
    blob(v, row->salt, 16), blob(v, row->commitment, 32);
    PQclear(query(db, "single", v));
    return 1;
}

static int store_set(PGconn *db, Worker *worker) {
    Row *rows = worker->rows_of_set;
    Values *v = &worker->values;
    for (int i = 0; i < SET; i++) make(worker, rows + i);
    v->count = v->used = 0;
#define BLOBS(FIELD) array(v, BYTEA, SET, sizeof rows->FIELD, rows->FIELD, sizeof *rows)
#define INTEGERS(FIELD) array(v, BIGINT, SET, 8, &rows->FIELD, sizeof *rows)
    send_text(db, "BEGIN");
    INTEGERS(report), send(db, "lock", v);
    INTEGERS(station), BLOBS(visit), send(db, "known", v);
    INTEGERS(report), INTEGERS(station), BLOBS(stay), send(db, "around", v);
    finish(db, 4); // Decisions would be made here.
    INTEGERS(station), BLOBS(visit), BLOBS(stay), BLOBS(beacon), INTEGERS(report), integer(v, rows->time);
    send(db, "sightings", v);
    BLOBS(id), INTEGERS(report), BLOBS(visit), INTEGERS(station), integer(v, rows->time), send(db, "alerts", v);
    INTEGERS(report), send(db, "revisions", v);
    integer(v, rows->time), BLOBS(id), BLOBS(details), BLOBS(salt), BLOBS(commitment), send(db, "entries", v);
    send_text(db, "COMMIT");
    finish(db, 5);
    return SET;
}

static int is_sets;

static void *work(void *argument) {
    Worker *worker = argument;
    PGconn *db = connection();
    if (is_sets) PQenterPipelineMode(db);
    while (!stopping) {
        double begin = seconds(CLOCK_MONOTONIC);
        worker->rows += is_sets ? store_set(db, worker) : store_single(db, worker);
        if (worker->transactions < MOST / 256)
            worker->latencies[worker->transactions++] = seconds(CLOCK_MONOTONIC) - begin;
    }
    PQfinish(db);
    return 0;
}

// Chains what has been committed before all transactions that still run.
static long chain(PGconn *db, Values *v) {
    static int64_t keys[CHAINED], numbers[CHAINED];
    static unsigned char hashes[CHAINED][32];
    run(db, "BEGIN");
    PGresult *head = checked(
        PQexecParams(db, "SELECT length, hash, xid::text, seq FROM head FOR UPDATE", 0, 0, 0, 0, 0, 1), "head");
    int64_t length = be64toh(*(uint64_t *)PQgetvalue(head, 0, 0));
    unsigned char link[40];
    memcpy(link + 8, PQgetvalue(head, 0, 1), 32);
    v->count = v->used = 0;
    blob(v, PQgetvalue(head, 0, 2), PQgetlength(head, 0, 2)), integer(v, be64toh(*(uint64_t *)PQgetvalue(head, 0, 3)));
    PQclear(head);
    PGresult *rows = query(db, "unchained", v);
    int count = PQntuples(rows);
    for (int i = 0; i < count; i++) {
        unsigned char message[72];
        keys[i] = ++length, numbers[i] = be64toh(*(uint64_t *)PQgetvalue(rows, i, 1));
        put8((char *)link, length);
        memcpy(message, link, 40), memcpy(message + 40, PQgetvalue(rows, i, 2), 32);
        SHA256(message, sizeof message, link + 8);
        memcpy(hashes[i], link + 8, 32);
    }
    if (count) {
        v->count = v->used = 0;
        // One set after the other, because of the space for parameters.
        for (int i = 0; i < count; i += 1000) {
            int part = count - i < 1000 ? count - i : 1000;
            array(v, BIGINT, part, 8, keys + i, 8), array(v, BIGINT, part, 8, numbers + i, 8);
            array(v, BYTEA, part, 32, hashes[i], 32);
            PQclear(query(db, "chain", v));
            v->count = v->used = 0;
        }
        integer(v, length), blob(v, link + 8, 32);
        blob(v, PQgetvalue(rows, count - 1, 0), PQgetlength(rows, count - 1, 0)), integer(v, numbers[count - 1]);
        PQclear(query(db, "head", v));
    }
    PQclear(rows);
    run(db, "COMMIT");
    return count;
}

static void *sequence(void *chained) {
    PGconn *db = connection();
    Values *v = malloc(sizeof *v);
    while (!stopping) {
        long count = chain(db, v);
        *(long *)chained += count;
        if (count < 1000) usleep(20000);
    }
    free(v);
    PQfinish(db);
    return 0;
}

static int compare(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

int main(int count, char **arguments) {
    int connections = count == 5 ? atoi(arguments[2]) : 0;
    if (connections < 1 || connections > 256) fail("usage", "limit single|sets CONNECTIONS SECONDS CONNECTION_STRING");
    is_sets = !strcmp(arguments[1], "sets"), address = arguments[4];
    Worker *workers = calloc(connections, sizeof *workers);
    double begin = seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < connections; i++) {
        workers[i].random = (i + 1) * 0x9E3779B97F4A7C15ull ^ (uint64_t)time(0) << 20 ^ getpid();
        workers[i].latencies = malloc(MOST / 256 * sizeof(float));
        pthread_create(&workers[i].thread, 0, work, workers + i);
    }
    pthread_t sequencer;
    long chained = 0;
    if (is_sets) pthread_create(&sequencer, 0, sequence, &chained);
    sleep(atoi(arguments[3]));
    stopping = 1;
    long rows = 0, transactions = 0;
    float *latencies = malloc(MOST * sizeof *latencies);
    for (int i = 0; i < connections; i++) {
        pthread_join(workers[i].thread, 0);
        rows += workers[i].rows;
        memcpy(latencies + transactions, workers[i].latencies, workers[i].transactions * sizeof *latencies);
        transactions += workers[i].transactions;
    }
    if (is_sets) pthread_join(sequencer, 0);
    double end = seconds(CLOCK_MONOTONIC);
    qsort(latencies, transactions, sizeof *latencies, compare);
    if (!transactions) fail("measurement", "nothing was stored");
    printf("%ld %.3f %.3f %.3f %.3f\n", rows, end - begin, seconds(CLOCK_PROCESS_CPUTIME_ID),
           latencies[transactions / 2] * 1e3, latencies[transactions * 99 / 100] * 1e3);
}
