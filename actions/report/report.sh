#!/usr/bin/env bash
# Writes the report, and the job's summary. Values come from the environment, so that nothing an input holds is ever run.
set -euo pipefail

# Only the server that the start action began; also when there is no report to be had.
stop() {
  if [ "${GASOLINE_STOP:-true}" = true ] && [ -n "${GASOLINE_SERVER_PID:-}" ]; then
    kill "$GASOLINE_SERVER_PID" 2> /dev/null || true
  fi
}
trap stop EXIT

binary=${GASOLINE_BINARY:-gasoline}
# Not in every bash; without it `**` is as good as `*`.
shopt -s globstar 2> /dev/null || true

from=()
add() {
  case $1 in
    -*) from+=("./$1") ;;
    *) from+=("$1") ;;
  esac
}
while IFS= read -r path; do
  path=${path#"${path%%[![:space:]]*}"}
  path=${path%"${path##*[![:space:]]}"}
  if [ -z "$path" ]; then continue; fi
  if [ -e "$path" ]; then
    add "$path"
    continue
  fi
  # Patterns are filled in, words are not split. What matches nothing stays, and the report says that it is not there.
  IFS=
  # shellcheck disable=SC2206
  matches=($path)
  unset IFS
  for match in "${matches[@]}"; do add "$match"; done
done <<< "${GASOLINE_INPUT:-}"
if [ "${#from[@]}" -gt 0 ]; then from=(--input "${from[@]}"); fi

report() { "$binary" report --severity "${GASOLINE_SEVERITY:-error}" "$@" ${from[@]+"${from[@]}"}; }

mkdir -p -- "$(dirname -- "$GASOLINE_OUTPUT")"
report --format "$GASOLINE_FORMAT" --output "$GASOLINE_OUTPUT"
echo "The report is in $GASOLINE_OUTPUT."

# A run in which all went well needs no summary.
if [ "${GASOLINE_SUMMARY:-true}" = true ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  counts=$(report --format json | sed -n '/"summary": {/,/}/p')
  if grep -Eq '"(failed|flaky|browser_errors|network_failures)": [1-9]' <<< "$counts"; then
    report --format markdown >> "$GITHUB_STEP_SUMMARY"
  fi
fi
