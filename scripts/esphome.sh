#!/usr/bin/env bash
# Makes Sources/ESPHome/Messages/proxy.pb.swift from scripts/esphome/proxy.proto. Needs protoc (Debian: protobuf-compiler).
# protoc-gen-swift is built from the swift-protobuf that the package uses, in a folder outside the project.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
command -v protoc >/dev/null || { echo "esphome.sh: as root, run: apt-get install protobuf-compiler" >&2; exit 69; }

source="$here/.build/checkouts/swift-protobuf"
[ -d "$source" ] || swift package --package-path "$here" resolve
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
swift build --package-path "$source" --scratch-path "$built" --product protoc-gen-swift
protoc --plugin="$built/debug/protoc-gen-swift" --proto_path="$here/scripts/esphome" \
    --swift_opt=UseAccessLevelOnImports=true --swift_out="$here/Sources/ESPHome/Messages" proxy.proto
