#!/bin/bash
# Holds a lecture in the real window on a private X server, with the notes in a second one, and ends it. Usage: two_windows.sh WARPBOOK FOLDER
set -eu
warpbook=$1 folder=$2
mkdir -p "$folder/state"
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
"$warpbook" present first-kernel --notes window --votes "$folder/votes.csv" > "$folder/out" 2> "$folder/err" &
app=$!
windows() { xdotool search --name '^Warpbook$' 2>/dev/null | wc -l; }
# Waits until the window count is $1.
until_windows() {
  for _ in $(seq 100); do
    [ "$(windows)" = "$1" ] && return
    kill -0 "$app" || { echo "the window is gone"; cat "$folder/err"; exit 1; }
    sleep 0.2
  done
  echo "there are $(windows) windows, not $1"
  exit 1
}
until_windows 2
notes=$(xdotool search --name '^Warpbook$' | tail -1)
xdotool windowfocus "$notes" || true
# The keys come to the notes, and count in the lecture. A busy machine takes its time until it takes them.
for _ in $(seq 30); do
  sleep 1
  for key in v a 4 2 s; do xdotool key --clearmodifiers "$key"; sleep 0.2; done
  grep -qs ',1,A,6 8 10 12,yes,42' "$folder/votes.csv" && break
done
grep -qs ',1,A,6 8 10 12,yes,42' "$folder/votes.csv" || { echo "the votes were not kept"; exit 1; }
# Each press closes what is open: the votes, if they are, and then the lecture with its notes.
for _ in $(seq 30); do
  xdotool key --clearmodifiers Escape
  sleep 1
  [ "$(windows)" = 1 ] && break
done
until_windows 1
kill -0 "$app" || { echo "the window is gone"; cat "$folder/err"; exit 1; }
