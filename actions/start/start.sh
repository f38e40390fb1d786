#!/usr/bin/env bash
# Starts the server and tells the next steps where it is. Values come from the environment, so that nothing an input
# holds is ever run.
set -euo pipefail

binary=${GASOLINE_GIVEN_BINARY:-gasoline}
if ! command -v "$binary" > /dev/null; then
  echo "::error::There is no \`$binary\`. Leave \`binary\` out to have gasoline-mcp installed, or build it first."
  exit 1
fi

export GASOLINE_STATE_DIR="$RUNNER_TEMP/gasoline"
mkdir -p "$GASOLINE_STATE_DIR"
log="$GASOLINE_STATE_DIR/ci-server.log"
nohup "$binary" serve --ci --port "${GASOLINE_WANTED_PORT:-7890}" > /dev/null 2> "$log" &
server=$!

said() { sed -n "s|^$1||p" "$log" | head -n 1; }

for _ in $(seq 100); do
  port=$(said 'listening on http://127.0.0.1:')
  ingest=$(said 'ingest token ')
  if [ -n "$port" ] && [ -n "$ingest" ]; then break; fi
  if ! kill -0 "$server" 2> /dev/null; then
    echo "::error::The server did not start: $(tr '\n' ' ' < "$log")"
    exit 1
  fi
  sleep 0.1
done
if [ -z "${port:-}" ]; then
  echo "::error::The server did not say where it listens within ten seconds."
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
