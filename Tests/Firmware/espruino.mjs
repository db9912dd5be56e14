// Checks of firmware/espruino/beacon.js in Node, on a board that behaves as Espruino's documentation says.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";

const root = new URL("../../", import.meta.url);
const program = readFileSync(new URL("firmware/espruino/beacon.js", root), "utf8");
const vectors = readFileSync(new URL("Tests/Radio/BeaconsTests/Fixtures/rotating.tsv", root), "utf8")
  .split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"));

/** Flash that can only be filled: a byte loses ones until its file is erased. */
class Flash {
  files = new Map();
  writes = 0;
  limit = Infinity;
  /** How many bytes of the last write are complete; the next one has only some of its zeros. */
  complete = 8;
  api() {
    return {
      read: (name) => this.files.get(name)?.toString("latin1"),
      readJSON: (name) => this.files.has(name) ? JSON.parse(this.files.get(name).toString("latin1")) : undefined,
      erase: (name) => void this.spend() || this.files.delete(name),
      write: (name, data, offset = 0, size = data.length) => {
        this.spend();
        if (!this.files.has(name)) this.files.set(name, Buffer.alloc(size, 0xff));
        const file = this.files.get(name);
        assert(offset + data.length <= file.length, "a write beyond the end");
        for (let i = 0; i < data.length; i++) {
          if (this.dead && i > this.complete) break;
          file[offset + i] &= data.charCodeAt(i) | (this.dead && i === this.complete ? 0x5a : 0);
        }
        return true;
      },
    };
  }
  /** Power fails during the last write before the limit; after that nothing is written or sent any longer. */
  spend() {
    if (this.dead) throw new Error("no power");
    this.writes++;
  }
  get dead() { return this.writes >= this.limit; }
}

/** A board with a radio whose restart wakes it, as `jsble_restart_softdevice` does. */
class Board {
  time = 0;
  air = [];
  sleeping = false;
  connected = false;
  timer = undefined;
  constructor(flash) { this.flash = flash; }
  boot(time = 0) {
    this.time = time;
    this.sleeping = false;
    this.data = this.address = this.timer = undefined;
    vm.runInNewContext(program, {
      require: (name) => name === "Storage" ? this.flash.api() : {
        SHA256: (bytes) => Uint8Array.from(createHash("sha256").update(bytes).digest()).buffer,
      },
      getTime: () => this.time,
      setTime: (time) => { this.time = time; },
      setTimeout: (action, delay) => { this.timer = { action, at: this.time + delay / 1000 }; },
      NRF: {
        sleep: () => { this.sleeping = true; },
        wake: () => { this.sleeping = false; this.send(); },
        getSecurityStatus: () => ({ connected: this.connected }),
        setAddress: (address) => {
          assert(!this.connected, "an address while a phone is connected");
          this.address = address;
          if (!this.sleeping) this.send();
        },
        setAdvertising: (data, options) => {
          this.data = Buffer.from(data).toString("hex");
          this.options = options;
          if (!this.sleeping) this.send();
        },
      },
    });
    return this;
  }
  send() {
    if (!this.flash.dead) this.air.push({ time: this.time, address: this.address, data: this.data, ...this.options });
  }
  run(until) {
    while (this.timer && this.timer.at <= until) {
      const { action, at } = this.timer;
      this.timer = undefined;
      this.time = at;
      action();
    }
    this.time = until;
  }
}

function provisioned(key = vectors[0][0]) {
  const flash = new Flash();
  flash.files.set("fmb.key", Buffer.from(JSON.stringify(key)));
  return flash;
}

const derive = (secret, purpose, number) => createHash("sha256")
  .update(Buffer.concat([Buffer.from([0, 0, 0, 1]), secret, Buffer.from("FindMyBike rot 1" + purpose),
    Buffer.from([number >>> 24, number >>> 16 & 255, number >>> 8 & 255, number & 255])])).digest();

/** The slot of a frame, if its address and its identity belong together. */
function slotOf(frame, key, slots) {
  return slots.find((slot) => {
    const secret = Buffer.from(key, "hex");
    const epoch = derive(secret, "E", slot >> 6).subarray(0, 16);
    const identity = Buffer.concat([derive(epoch, "L", slot).subarray(0, 16), derive(secret, "T", slot).subarray(0, 4)]);
    const address = derive(secret, "A", slot).subarray(0, 6);
    address[0] |= 0xc0;
    return frame.data === `0201061aff4c000215${identity.toString("hex")}c5`
      && frame.address === address.toString("hex").match(/../g).join(":") + " random";
  });
}

test("identities and addresses are those of the vectors", () => {
  for (const [key, seconds, identity, address] of vectors) {
    const board = new Board(provisioned(key)).boot(Number(seconds));
    assert.equal(board.air.length, 1);
    const [frame] = board.air;
    assert.equal(frame.data, `0201061aff4c000215${identity}c5`);
    const first = (parseInt(address.slice(0, 2), 16) | 0xc0).toString(16);
    assert.equal(frame.address, `${first}${address.slice(2)}`.match(/../g).join(":") + " random");
    assert.deepEqual([frame.interval, frame.connectable, frame.scannable], [1000, false, false]);
  }
});

test("each slot has one frame, and none pairs an old address with a new identity", () => {
  const start = 1795255200, board = new Board(provisioned()).boot(start);
  board.run(start + 30 * 1024);
  const slots = board.air.map((frame) => slotOf(frame, vectors[0][0], [frame.time >> 10]));
  assert.deepEqual(slots, [...Array(31).keys()].map((index) => (start >> 10) + index));
});

test("the change waits until a phone has disconnected", () => {
  const board = new Board(provisioned());
  board.connected = true;
  board.boot(5000);
  board.run(5010);
  assert.equal(board.air.length, 0);
  board.connected = false;
  board.run(5011);
  assert.equal(slotOf(board.air[0], vectors[0][0], [4]), 4);
});

test("a new battery never repeats a slot, whenever power failed", () => {
  const flash = provisioned(), seen = new Set();
  let random = 1, last = -1, board;
  for (let battery = 0; battery < 300; battery++) {
    board = new Board(flash);
    const begin = battery === 0 ? 1795255200 : 0;
    flash.limit = Infinity;
    board.boot(begin);
    random = (random * 1103515245 + 12345) % 2147483648;
    // Power fails after some time, or during one of the next writes.
    if (battery % 3 === 0) flash.limit = flash.writes + random % 5;
    flash.complete = random % 9;
    board.run(board.time + random % 50000);
    const candidates = [...Array(200).keys()].map((index) => Math.max(last, 0) + index);
    if (battery === 0) candidates.splice(0, 200, ...[...Array(60).keys()].map((index) => (begin >> 10) + index));
    for (const frame of board.air) {
      const slot = slotOf(frame, vectors[0][0], candidates);
      assert(slot > last && !seen.has(slot), `slot ${slot} after ${last}, battery ${battery}`);
      seen.add(slot);
      last = slot;
    }
  }
  assert(seen.size > 3000);
});

test("power that fails during any write around a change of files costs no slot, and gains none", () => {
  const begin = 1795255200;
  for (let write = 1; write <= 8; write++) {
    for (let complete = 0; complete <= 8; complete++) {
      const flash = provisioned(), board = new Board(flash).boot(begin);
      board.run(begin + 509 * 1024);
      Object.assign(flash, { limit: flash.writes + write, complete });
      board.run(begin + 520 * 1024);
      const last = slotOf(board.air.at(-1), vectors[0][0], [...Array(12).keys()].map((index) => (begin >> 10) + 509 + index));
      flash.limit = Infinity;
      const next = new Board(flash).boot(0);
      const slot = slotOf(next.air[0], vectors[0][0], [1, 2].map((step) => last + step));
      assert(slot, `after a failure in byte ${complete} of write ${write}, slot ${next.time >> 10} followed ${last}`);
    }
  }
});

test("damaged flash neither moves the clock nor ends the beacon", () => {
  for (const damage of ["003fffff", "003fffffffffffff", "00000000ffffffff", "001b00ff00000000"]) {
    const flash = provisioned(), board = new Board(flash).boot(1795255200);
    board.run(1795255200 + 3000);
    const file = [...flash.files.keys()].find((name) => name !== "fmb.key");
    const used = flash.files.get(file).indexOf(Buffer.alloc(8, 0xff));
    Buffer.from(damage, "hex").copy(flash.files.get(file), used);
    const next = new Board(flash).boot(0), writes = flash.writes;
    assert.equal(next.time >> 10, (1795255200 + 3000 >> 10) + 1);
    next.run(next.time + 10240);
    assert(flash.writes - writes <= 11, "a write for each slot");
    assert.equal(next.air.length, 11);
    assert.equal(new Board(flash).boot(0).time >> 10, (next.time >> 10) + 1, "what follows the damage is read");
  }
});

test("the clock ends in 2106 without another change", () => {
  const board = new Board(provisioned()).boot(0x3FFFFF * 1024 - 10);
  board.run(0x3FFFFF * 1024 + 5000);
  assert.equal(board.air.length, 2);
  assert.equal(board.timer, undefined);
});

test("a reset that leaves the clock running goes on in the same slot", () => {
  const flash = provisioned(), board = new Board(flash).boot(1795255200);
  board.run(1795255200 + 5000);
  const again = new Board(flash).boot(1795255200 + 5100);
  assert.equal(slotOf(again.air[0], vectors[0][0], [(1795255200 + 5100) >> 10]), (1795255200 + 5100) >> 10);
});

test("years of slots take turns in two files", () => {
  const flash = provisioned(), board = new Board(flash).boot(1795255200);
  board.run(1795255200 + 5000 * 1024);
  assert.equal(board.air.length, 5001);
  assert([...flash.files.keys()].filter((name) => name !== "fmb.key").length === 1);
  const next = new Board(flash).boot(0);
  assert.equal(next.time >> 10, (1795255200 >> 10) + 5001);
});

test("a board with a damaged key is left alone", () => {
  for (const key of ["abc", "0".repeat(31), "z".repeat(32), 5, null, ["0".repeat(32)]]) {
    assert.equal(new Board(provisioned(key)).boot(5000).air.length, 0);
  }
});

test("a board without a key is left alone", () => {
  const board = new Board(new Flash()).boot(5000);
  assert.equal(board.air.length, 0);
  assert.equal(board.sleeping, false);
});
