#!/usr/bin/env bash
# Starts the server and tells the next steps where it is. Values come from the environment, so that nothing an input
# holds is ever run.
set -euo pipefail

binary=${GASOLINE_GIVEN_BINARY:-gasoline}
if ! command -v "$binary" > /dev/null; then
  echo "::error::There is no \`$binary\`. Leave \`binary\` out to have gasoline-eyes installed, or build it first."
  exit 1
fi
# The next steps may work in another folder.
case $binary in
  /*) ;;
  */*) binary="$(cd -- "$(dirname -- "$binary")" && pwd)/$(basename -- "$binary")" ;;
esac

export GASOLINE_STATE_DIR="${RUNNER_TEMP:-$(mktemp -d)}/gasoline"
mkdir -p "$GASOLINE_STATE_DIR"
log="$GASOLINE_STATE_DIR/ci-server.log"
# It is read before the server has begun to write.
: > "$log"
nohup "$binary" serve --ci --port "${GASOLINE_WANTED_PORT:-7890}" > /dev/null 2> "$log" &
server=$!

said() { sed -n "s|^$1||p" "$log" | head -n 1; }

# A token that is given is not said again.
ingest=${GASOLINE_INGEST_TOKEN:-}
for _ in $(seq 100); do
  port=$(said 'listening on http://127.0.0.1:')
  if [ -z "${GASOLINE_INGEST_TOKEN:-}" ]; then ingest=$(said 'ingest token '); fi
  if [ -n "$port" ] && [ -n "$ingest" ]; then break; fi
  if ! kill -0 "$server" 2> /dev/null; then
    echo "::error::The server did not start: $(tr '\n' ' ' < "$log")"
    exit 1
  fi
  sleep 0.1
done
if [ -z "$port" ] || [ -z "$ingest" ]; then
  echo "::error::The server did not say within ten seconds where it listens and which token pages send with."
  kill "$server"
  exit 1
fi

echo "::add-mask::$ingest"
{
  echo "GASOLINE_BINARY=$binary"
  echo "GASOLINE_PORT=$port"
  echo "GASOLINE_STATE_DIR=$GASOLINE_STATE_DIR"
  echo "GASOLINE_INGEST_TOKEN=$ingest"
  echo "GASOLINE_SERVER_PID=$server"
} >> "$GITHUB_ENV"
{
  echo "port=$port"
  echo "ingest-token=$ingest"
} >> "$GITHUB_OUTPUT"
echo "Gasoline listens on port $port."
