#!/bin/bash
# Opens the real window on a private X server, answers a question by key, and closes it. Usage: smoke.sh WARPBOOK FOLDER
set -eu
warpbook=$1 folder=$2
mkdir -p "$folder/state"
# -noreset: when xdotool goes before the window comes, the server would begin anew, and refuse the window.
coproc XVFB { exec Xvfb -displayfd 1 -screen 0 1440x900x24 -nolisten tcp -noreset 2>/dev/null; }
server=$XVFB_PID
app=
finish() {
  [ -z "$app" ] || kill "$app" 2>/dev/null || true
  kill "$server" 2>/dev/null || true
}
trap finish EXIT
read -r -t 20 number <&"${XVFB[0]}"
export DISPLAY=:$number WARPBOOK_HOME=$folder/state LC_ALL=C.UTF-8
"$warpbook" > "$folder/out" 2> "$folder/err" &
app=$!
window=
for _ in $(seq 100); do
  window=$(xdotool search --name '^Warpbook$' 2>/dev/null | head -1) || true
  [ -n "$window" ] && break
  kill -0 "$app" || { echo "the window is gone"; cat "$folder/err"; exit 1; }
  sleep 0.2
done
[ -n "$window" ] || { echo "no window"; cat "$folder/err"; exit 1; }
xdotool windowfocus "$window" || true
# A busy machine takes its time until the page is there to take the key.
for _ in $(seq 30); do
  sleep 1
  xdotool key --window "$window" 1
  grep -rqs what-is-out "$folder/state" && break
done
grep -rqs what-is-out "$folder/state" || { echo "the answer was not kept"; exit 1; }
kill -0 "$app" || { echo "the window is gone"; cat "$folder/err"; exit 1; }
