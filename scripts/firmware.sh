#!/usr/bin/env bash
# Tests the reference beacons of firmware/: the C on this machine and on an emulated Cortex-M0, the JavaScript in Node.
# Usage: scripts/firmware.sh. Needs the packages of `scripts/prepare.sh firmware`.
set -euo pipefail
cd "$(dirname "$0")/.."
work=.build/firmware
mkdir -p "$work"
checks=Tests/Firmware
python3 "$checks/vectors.py" <Tests/Radio/BeaconsTests/Fixtures/rotating.tsv >"$work/vectors.c"
warnings=(-std=c99 -pedantic -Wall -Wextra -Werror -Wconversion -Wno-sign-conversion -Wshadow "-I$checks")

echo "C on this machine"
gcc "${warnings[@]}" -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o "$work/native" \
    firmware/beacon/beacon.c "$checks/checks.c" "$checks/native.c" "$work/vectors.c"
"$work/native"

echo "C on an emulated Cortex-M0"
arm=(arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -ffreestanding -fno-builtin)
"${arm[@]}" "${warnings[@]}" -Os -c -o "$work/beacon.o" firmware/beacon/beacon.c
"${arm[@]}" "${warnings[@]}" -Os -nostdlib -Wl,--fatal-warnings "-T$checks/microbit.ld" -o "$work/microbit.elf" \
    "$work/beacon.o" "$checks/checks.c" "$checks/microbit.c" "$work/vectors.c" -lgcc
timeout 60 qemu-system-arm -M microbit -nographic -semihosting-config enable=on,target=native -icount shift=6 \
    -kernel "$work/microbit.elf" </dev/null 2>&1 | tee "$work/microbit.log"
read -r instructions _ < <(grep 'instructions a frame' "$work/microbit.log")
grep --quiet '^67 vectors, 0 failures$' "$work/microbit.log"
size=$(arm-none-eabi-size "$work/beacon.o" | awk 'NR == 2 { print $1 + $2 + $3 }')
echo "$size bytes"
# A beacon's battery pays for the instructions; its flash is small. One line for each: ‘set -e’ ignores all but the last of
# several that are joined.
[ "$size" -le 1600 ]
[ "$instructions" -gt 20000 ]
[ "$instructions" -le 100000 ]

echo "JavaScript, on a board as Espruino documents it"
node --test --test-reporter=tap "$checks/espruino.mjs" >"$work/espruino.log" 2>&1 || { cat "$work/espruino.log"; exit 1; }
grep '^# pass' "$work/espruino.log"
