# The Debian packages that Warpbook is built from. Sourced by ./warpbook.

listed() { grep -v '^#' "cmake/requirements/debian-$1.txt"; }

# The packages of a set that are not installed, and Catch2 where it is older than 3.
missing_packages() {
  local set=$1 package
  command -v dpkg-query >/dev/null || return 0
  local -A installed=()
  while read -r package; do installed[$package]=1; done < <(
    dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Version}\n' $(listed "$set") 2>/dev/null |
      awk '$1 == "ii" && !($2 == "catch2" && $3 ~ /^[012]\./) { print $2 }'
  )
  for package in $(listed "$set"); do [[ -n ${installed[$package]-} ]] || echo "$package"; done
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

# Without apt we can but name what is needed and go on: CMake says what it does not find.
install_packages() {
  local set=$1
  if ! command -v apt-get >/dev/null; then
    say "This system has no apt. Warpbook needs, under the names that Debian gives them:" "$(listed "$set" | paste -sd' ')"
    return
  fi
  local missing
  missing=$(missing_packages "$set" | paste -sd' ')
  [[ -n $missing ]] || return 0
  local by_hand="run as root: apt-get install --no-install-recommends $missing"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail 3 "Packages are missing, and there is no sudo here: $missing" "$by_hand"
    say "Installing packages needs your password for sudo."
    sudo -v || fail 3 "Packages are missing, and sudo was refused: $missing" "$by_hand"
  fi
  step "Installing packages ($set)" "look at the lines above; then $by_hand" apt_install $missing
}

# Packages that one command alone needs: without them, all else works.
offer_packages() {
  local set=$1 command=$2
  (install_packages "$set") || say "Without these packages, \`$command\` is left out; all else works."
}

apt_install() {
  local -a options=(--yes --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120)
  export DEBIAN_FRONTEND=noninteractive
  if [[ -n $from ]]; then
    use_folder_as_archive
    options+=("${folder_options[@]}")
  fi
  as_root apt-get "${folder_options[@]}" update || return
  [[ " $* " != *" catch2 "* || -n $from ]] || offer_catch2 || return
  local -a names=()
  local package
  for package; do
    # A backport is taken only when named: the suite is marked as not automatic.
    [[ $package != catch2 || -z $backports ]] || package=catch2/$backports
    names+=("$package")
  done
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "${names[@]}"
}

folder_options=()
backports=

# Debian 12 has Catch2 3 in its backports suite only. That suite is added from the address and with the key which the
# machine's own Debian entry uses, so that a local mirror stays the one used.
offer_catch2() {
  local candidate
  # What apt would choose if none were installed.
  candidate=$(apt-cache -o Dir::State::Status=/dev/null policy catch2 | awk '$1 == "Candidate:" { print $2 }')
  [[ $candidate == [3-9]* ]] && return
  local codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
  if ! apt-cache policy catch2 | grep -q "$codename-backports/main"; then
    local address key
    read -r address key < <(apt-get indextargets --format '$(REPO_URI) $(SIGNED_BY) $(CODENAME)/$(COMPONENT)' 'Created-By: Packages' |
      awk -v want="$codename/main" '$NF == want { print $1, (NF > 2 ? $2 : ""); exit }')
    # Without a key of its own, apt leaves the field's name standing, and its common keys serve.
    [[ $key == /* ]] || key=
    [[ -n $address ]] || { echo "No apt source of $codename/main found, beside which to add its backports."; return 1; }
    as_root tee /etc/apt/sources.list.d/warpbook-backports.list >/dev/null <<<"deb ${key:+[signed-by=$key] }$address $codename-backports main" || return
    if ! as_root apt-get update; then
      as_root rm -f /etc/apt/sources.list.d/warpbook-backports.list
      return 1
    fi
  fi
  backports=$codename-backports
}

# `fetch FOLDER` leaves an archive that apt reads: only that one is asked, and the machine's own lists stay as they are.
use_folder_as_archive() {
  mkdir -p "$work/apt/lists/partial"
  echo "deb [trusted=yes] file:$from/debian ./" >"$work/apt/sources.list"
  folder_options=(-o "Dir::Etc::SourceList=$root/$work/apt/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$root/$work/apt/lists")
}

# fetch_packages FOLDER: the packages of all sets with all they depend on, as if nothing were installed, and an index.
fetch_packages() {
  local folder=$1 package
  local -a names=()
  as_root apt-get update || return
  offer_catch2 || return
  for package in $(listed core) $(listed ranks) $(listed window); do
    [[ $package != catch2 || -z $backports ]] || package=catch2/$backports
    names+=("$package")
  done
  mkdir -p "$folder/partial"
  : >"$work/status"
  apt-get install --yes --download-only --no-install-recommends -o Dir::State::Status="$root/$work/status" \
    -o Dir::Cache::Archives="$folder" -o Debug::NoLocking=1 -o APT::Sandbox::User=root "${names[@]}" || return
  rm -rf "$folder/partial" "$folder/lock"
  (cd "$folder" && dpkg-scanpackages --multiversion . >Packages)
}
