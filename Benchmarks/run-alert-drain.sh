#!/usr/bin/env bash
# Measures how many alerts a second leave the queue over HTTP/2 to one local server, beside what h2load and libcurl alone
# send to it. Usage: Benchmarks/run-alert-drain.sh [ALERTS]. Needs nginx, h2load (nghttp2-client) and openssl.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
count=${1:-10000}
build=(swift build --package-path "$here" --configuration release)
"${build[@]}" --product alert-drain
programs=$("${build[@]}" --show-bin-path)

folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>/dev/null
port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$folder/nginx.conf" <<CONF
daemon off;
worker_processes 1;
pid $folder/pid;
error_log $folder/error.log;
events { worker_connections 1024; }
http {
    access_log off;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy; fastcgi_temp_path $folder/fastcgi; uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
    keepalive_requests 100000000;
    http2_max_concurrent_streams 1000;
    server {
        listen 127.0.0.1:$port ssl http2;
        ssl_certificate $folder/certificate.pem;
        ssl_certificate_key $folder/key.pem;
        location / { return 200; }
    }
}
CONF
nginx -c "$folder/nginx.conf" -p "$folder" 2>"$folder/start.log" &
server=$!
until curl --silent --cacert "$folder/certificate.pem" "https://localhost:$port/" >/dev/null; do
    kill -0 "$server" || { cat "$folder/start.log"; exit 1; }
done

head -c 600 /dev/zero >"$folder/alert"
h2load --requests "$count" --clients 1 --max-concurrent-streams 500 --data "$folder/alert" \
    "https://localhost:$port/3/device/00" | grep -E "^finished"
"$programs/alert-drain" "https://localhost:$port" "$folder/certificate.pem" "$folder" "$count"
