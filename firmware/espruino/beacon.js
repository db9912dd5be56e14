/* A bike beacon that changes its identity every 1,024 seconds: FindMyBike's profile "rot 1", for Espruino 2v20 or newer
 * on Puck.js, MDBT42Q or RuuviTag. Save it as the code that runs at boot, in “Flash”, never
 * “Flash (always)”; ../README.md says how.
 *
 * Its key is in the file "fmb.key", which `findmybike beacon provision` writes. Without it, nothing happens, and the
 * board can be connected to as usual. With it, nobody can connect: hold the button while you insert the battery. */
(function() {
  var storage = require("Storage"), crypto = require("crypto");
  var key = storage.readJSON("fmb.key", 1);
  if (typeof key != "string" || key.length != 32) return;
  var secret = new Uint8Array(16);
  for (var i = 0; i < 16; i++) {
    var byte = parseInt(key.substr(2 * i, 2), 16);
    if (isNaN(byte)) return;
    secret[i] = byte;
  }

  // NIST SP 800-56C's one-step key derivation: counter, secret, name of the profile, purpose, number.
  function derive(secret, purpose, number, length) {
    var input = new Uint8Array(41), name = "FindMyBike rot 1" + purpose;
    input[3] = 1;
    input.set(secret, 4);
    for (var i = 0; i < 17; i++) input[20 + i] = name.charCodeAt(i);
    for (i = 0; i < 4; i++) input[37 + i] = number >> (24 - 8 * i);
    return new Uint8Array(crypto.SHA256(input), 0, length);
  }

  // The stored slots, in two files that take turns, because a file can only be filled, not overwritten. A slot takes eight
  // bytes: its number and the number's complement. If power failed during the write, they do not match, and it is left out.
  var file = 0, used = 0, stored = -1, size = 4096;
  function word(text, at) {
    var number = 0;
    for (var i = 0; i < 4; i++) number = number * 256 + text.charCodeAt(at + i);
    return number;
  }
  for (i = 0; i < 2; i++) {
    var text = storage.read("fmb." + i);
    for (var at = 0; text && at + 8 <= text.length; at += 8) {
      var slot = word(text, at), check = word(text, at + 4);
      if (slot == 0xFFFFFFFF && check == 0xFFFFFFFF) break;
      if (slot > stored && slot <= 0x3FFFFF && slot + check == 0xFFFFFFFF) {
        stored = slot;
        file = i;
      }
    }
    if (file == i) used = at;
  }
  function store(slot) {
    var high = slot >> 16 & 255, middle = slot >> 8 & 255, low = slot & 255;
    var bytes = String.fromCharCode(0, high, middle, low, 255, 255 - high, 255 - middle, 255 - low);
    try {
      if (stored >= 0 && used + 8 <= size) {
        storage.write("fmb." + file, bytes, used);
      } else {
        // The new file first, so that the number survives a loss of power at any time.
        var old = file;
        if (stored >= 0) file = 1 - file;
        storage.erase("fmb." + file);
        storage.write("fmb." + file, bytes, 0, size);
        if (old != file) storage.erase("fmb." + old);
        used = 0;
      }
      used += 8;
    } catch (error) {
      // A bike that is silent is not found; a repeated slot only makes one sighting disputed.
    }
    stored = slot;
  }

  // A clock that lost power starts in the past: go on with the first slot that was never used. That is late by the time
  // without power, less what was left of the last slot.
  if (stored >= 0 && getTime() < (stored - 1) * 1024) setTime(stored * 1024);

  function hex(byte) { return (byte + 256).toString(16).substr(1); }

  function change() {
    // Setting an address restarts the radio, which would send the old identity, were it not asleep.
    NRF.sleep();
    // While a phone is connected, Espruino delays the change of the address.
    if (NRF.getSecurityStatus().connected) return setTimeout(change, 500);
    var now = getTime(), slot = Math.min(Math.floor(now / 1024), 0x3FFFFF);
    store(Math.min(slot + 1, 0x3FFFFF));
    var address = derive(secret, "A", slot, 6), data = new Uint8Array(30);
    address[0] |= 0xC0;
    data.set([2, 1, 6, 0x1A, 0xFF, 0x4C, 0, 2, 0x15]);
    data.set(derive(derive(secret, "E", slot >> 6, 16), "L", slot, 16), 9);
    data.set(derive(secret, "T", slot, 4), 25);
    data[29] = 0xC5;
    NRF.setAddress([].map.call(address, hex).join(":") + " random");
    NRF.setAdvertising(data.buffer, {interval: 1000, connectable: false, scannable: false});
    NRF.wake();
    // The last slot ends in 2106, and has no successor.
    if (slot < 0x3FFFFF) setTimeout(change, Math.max(1, ((slot + 1) * 1024 - getTime()) * 1000));
  }
  change();
})();
