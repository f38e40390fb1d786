#!/usr/bin/env bash
# Writes the report, and the job's summary. Values come from the environment, so that nothing an input holds is ever run.
set -euo pipefail

binary=${GASOLINE_BINARY:-gasoline}
from=()
if [ -n "${GASOLINE_INPUT:-}" ]; then
  from=(--input)
  while IFS= read -r path; do
    if [ -n "$path" ]; then from+=("$path"); fi
  done <<< "$GASOLINE_INPUT"
fi

"$binary" report --severity "${GASOLINE_SEVERITY:-error}" --format "$GASOLINE_FORMAT" --output "$GASOLINE_OUTPUT" ${from[@]+"${from[@]}"}
if [ "${GASOLINE_SUMMARY:-true}" = true ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  "$binary" report --severity "${GASOLINE_SEVERITY:-error}" --format markdown ${from[@]+"${from[@]}"} >> "$GITHUB_STEP_SUMMARY"
fi
echo "The report is in $GASOLINE_OUTPUT."

# Only the server that the start action began.
if [ "${GASOLINE_STOP:-true}" = true ] && [ -n "${GASOLINE_SERVER_PID:-}" ]; then
  kill "$GASOLINE_SERVER_PID" 2> /dev/null || true
fi
