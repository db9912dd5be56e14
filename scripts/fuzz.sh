#!/usr/bin/env bash
# Feeds random bytes to the parsers, guided by coverage (libFuzzer), and hostile requests to a running registry. It stops at
# the first crash.
#
# Usage: scripts/fuzz.sh [SECONDS [TARGET …]]
#        scripts/fuzz.sh check  checks the types of all targets, with the modules of scripts/build.sh, and runs none
#   SECONDS  for each target; 60 if not given
#   TARGET   events (H4 streams of HCI events), frames (advertising data), captures (btsnoop), photos (JPEG headers),
#            proxies (ESPHome's native API, plain and encrypted), home-assistant (its WebSocket, and its messages),
#            forwarding (X-Forwarded-For and Forwarded before a proxy's entry) or registry (every call of the contract, as
#            each principal and as none); all if not given
# The corpus is seeded from the tests' fixtures and grows in .build/fuzz; a crash leaves its input there.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# As the package has them, so that a target compiles against the modules of its build, too.
language=(
    -swift-version 6 -parse-as-library -enable-testing -package-name FindMyBike
    -Xcc "-fmodule-map-file=$here/Sources/Radio/CBluetooth/module.modulemap"
    -Xcc "-fmodule-map-file=$here/Sources/Radio/CClock/module.modulemap"
    -Xcc "-fmodule-map-file=$here/Sources/Base/CCurl/module.modulemap"
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault
)
if [ "${1-}" = check ]; then
    modules=$("$here/scripts/build.sh" findmybike-registry findmybike-monitor)/Modules
    for target in "$here"/scripts/fuzz/*.swift; do
        name=$(basename "$target" .swift)
        swiftc -typecheck "${language[@]}" -module-name "Fuzz_${name//-/_}" -I "$modules" "$target"
    done
    exit
fi

seconds=${1:-60}
[ "$#" -eq 0 ] || shift
[ "$#" -gt 0 ] || set -- events frames captures photos proxies home-assistant forwarding registry

targets=()
for target in "$@"; do
    if [ "$target" != registry ]; then targets+=("$target"); continue; fi
    echo "== registry"
    programs=$("$here/scripts/build.sh" findmybike-registry)
    python3 "$here/scripts/fuzz/registry.py" --seconds "$seconds" --program "$programs/findmybike-registry"
done
[ "${#targets[@]}" -gt 0 ] || exit 0

work="$here/.build/fuzz"
mkdir -p "$work"
cd "$work"

options=(
    "${language[@]}" -O -g -whole-module-optimization -sanitize=fuzzer,address -use-ld=lld -I "$work"
)
# ESPHome and HomeAssistant use swift-crypto, which is built as always.
swift build --package-path "$here" --quiet --target Crypto
built=$(swift build --package-path "$here" --show-bin-path)
options+=(-I "$built/Modules")
mapfile -t crypto < <(find "$built"/{Crypto,CryptoBoringWrapper,CCryptoBoringSSL{,Shims},CXKCP{,Shims}}.build -name '*.o')
rooms=(Syntax OperatingSystem Beacons Scanning HCI Photos ESPHome HTTPClient HomeAssistant)
for room in "${rooms[@]}"; do
    mapfile -t sources < <(find "$here"/Sources/*/"$room" -name '*.swift' | sort)
    swiftc "${options[@]}" -module-name "$room" -emit-module -emit-object -o "$room.o" "${sources[@]}"
done
python3 "$here/scripts/fuzz/seed.py" "$here" corpus

for target in "${targets[@]}"; do
    swiftc "${options[@]}" -module-name "Fuzz_${target//-/_}" -o "fuzz-$target" "$here/scripts/fuzz/$target.swift" \
        "${rooms[@]/%/.o}" "${crypto[@]}" -lcurl
    echo "== $target"
    "./fuzz-$target" -max_total_time="$seconds" -max_len=8192 -timeout=10 -print_final_stats=1 "corpus/$target" 2>"$target.log" ||
        { tail -40 "$target.log" >&2; echo "fuzz.sh: ‘$target’ failed; the input is in $work" >&2; exit 1; }
    grep -E '^#[0-9]+.DONE|^Done' "$target.log"
done
