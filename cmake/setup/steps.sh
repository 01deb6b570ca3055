# How ./warpbook speaks, fails, waits and shows a long step. Sourced by it.

say() { printf '%s\n' "$@"; }

# fail CODE SENTENCE [REMEDY]: 2 is bad usage, 3 something missing from the machine.
fail() {
  printf 'warpbook: %s\n' "$2" >&2
  [[ -z ${3-} ]] || printf 'Remedy: %s\n' "$3" >&2
  exit "$1"
}

# Work in progress lies under build/deps/.work.PID and goes with the script, however that ends.
work=build/deps/.work.$$
step_pid=
leave() {
  local code=$?
  [[ -z $step_pid ]] || kill -TERM -- "-$step_pid" 2>/dev/null
  rm -rf "$root/$work"
  exit "$code"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# One ./warpbook at a time sets up and builds in a clone: two would write the same folders. The lock's file says what is being
# done, for those who wait.
doing() {
  local what
  read -r what <build/.lock
  printf '%s' "${what:-setting up}"
}
lock() {
  mkdir -p build/deps || fail 3 "The folder $root cannot be written to." "clone Warpbook into a folder of your own."
  exec {lock_file}>>build/.lock
  if ! flock --nonblock "$lock_file"; then
    say "Another ./warpbook is at work in this folder ($(doing)); waiting for it." >&2
    flock "$lock_file"
  fi
  rm -rf build/deps/.work.*
}
unlock() {
  : >build/.lock
  exec {lock_file}>&-
}

# step NAME REMEDY COMMAND...: runs the command with its output in build/log, shows how long it takes and what it said
# last, and on failure its last words and the remedy.
step() {
  local name=$1 remedy=$2 log started=$SECONDS
  shift 2
  mkdir -p build/log
  log=build/log/${name//[^a-zA-Z0-9]/-}.log
  printf '%s\n' "$name" >build/.lock
  # A process group of its own, so that leave() ends all of it; it must not keep the lock when it outlives us.
  set -m
  "$@" >"$log" 2>&1 </dev/null {lock_file}>&- &
  step_pid=$!
  set +m
  local next=30
  while kill -0 "$step_pid" 2>/dev/null; do
    if [[ -t 1 ]]; then
      printf '\r\e[K%s: %d s  %.*s' "$name" $((SECONDS - started)) $((${COLUMNS:-80} - ${#name} - 12)) "$(progress "$log")"
      sleep 0.3
    else
      sleep 0.1
      if ((SECONDS - started >= next)); then
        say "$name: $((SECONDS - started)) s  $(progress "$log")"
        ((next += 30))
      fi
    fi
  done
  [[ ! -t 1 ]] || printf '\r\e[K'
  local code=0
  wait "$step_pid" || code=$?
  step_pid=
  if ((code)); then
    tail -n 40 "$log" >&2
    fail 3 "$name failed after $((SECONDS - started)) s (all it said: $root/$log)." "$remedy"
  fi
  say "$name: done in $((SECONDS - started)) s"
}

# The last line of a log; for a download, how much has arrived.
progress() {
  if [[ -d $work/arriving ]]; then
    du -sm "$work/arriving" 2>/dev/null | awk '{ print $1 " MB" }'
  else
    tail -c 400 "$1" | tr '\r' '\n' | tail -n 1
  fi
}

check_platform() {
  [[ $(uname -s) == Linux ]] || fail 3 "Warpbook runs on Linux, and on Windows through WSL 2; $(uname -s) is not supported."
  [[ $(uname -m) == x86_64 ]] || fail 3 "Warpbook runs on x86-64 processors; $(uname -m) is not supported."
}
