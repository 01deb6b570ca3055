# Says what set-up will do, and builds. Sourced by ./warpbook.

binary=$root/build/release/warpbook

# What the last complete set-up was made from: a change in what is required sets up again.
ready_key() { cat cmake/requirements/*.txt cmake/setup/*.sh CMakePresets.json | sha256sum; }
is_ready() { [[ -x $binary && $(cat build/release/.ready 2>/dev/null) == "$(ready_key)" ]]; }
mark_ready() { ready_key >build/release/.ready; }

# One screen: what comes, how much and how long; then one question.
plan() {
  local core window long= packages
  core=$(missing_packages core | paste -sd' ')
  window=$(missing_packages window | paste -sd' ')
  [[ $tests != long ]] || long=$(missing_packages long | paste -sd' ')
  packages=$(echo $core $window $long)
  local -a lines=()
  local megabytes=0
  if [[ -n $packages ]]; then
    local size=$(((${#core} ? 122 : 0) + (${#window} ? 60 : 0) + (${#long} ? 100 : 0)))
    lines+=("- Debian packages through apt (at most $size MB):" "$(fold -sw 90 <<<"$packages" | sed 's/^/    /')")
    ((megabytes += size))
    [[ " $packages " != *" catch2 "* ]] || lines+=("    (on Debian 12, Catch2 from its backports suite, added from the address your apt uses)")
  fi
  if needs cuda; then
    lines+=("- NVIDIA's CUDA compiler library NVRTC 13.0 and headers, into build/deps (${megabytes_of[cuda]} MB)")
    ((megabytes += megabytes_of[cuda]))
  fi
  if needs window; then
    lines+=("- the sources that the window is drawn with (Dear ImGui and others), into build/deps (${megabytes_of[window]} MB)")
    ((megabytes += megabytes_of[window]))
  fi
  if [[ -n $testing && -z $lean ]] && needs nvcc; then
    lines+=("- NVIDIA's compiler nvcc, which the tests of whole programs compile with, into build/deps (${megabytes_of[nvcc]} MB)")
    ((megabytes += megabytes_of[nvcc]))
  fi
  [[ -x $binary ]] || lines+=("- the build itself, into build/release")
  ((${#lines[@]})) || return 0
  say "Warpbook sets itself up. What comes:" "${lines[@]}" "" \
    "$megabytes MB to download, about $(((megabytes + 59) / 60 + 8)) minutes on two cores. Outside this folder, apt's packages alone change."
  if [[ -z $assume_yes && -t 0 && -t 1 ]]; then
    local answer
    read -r -p "Go on? [Y/n] " answer
    [[ $answer == [Nn]* ]] && fail 3 "Nothing was changed."
  fi
  return 0
}

configure() {
  local preset=$1
  shift
  local cache=build/$preset/CMakeCache.txt
  # A cache made in another folder (the clone was moved or copied) serves no more.
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then rm -rf "build/$preset"; fi
  # Only a configuration that ended well counts: a failed one leaves its settings in the cache all the same. Which files are compiled
  # as one depends on the names in them (cmake/unity_batches.py), so a source that changed since configures again. A course's own folders are
  # links, and a students' copy has no tests.
  if [[ $(cat "build/$preset/.configured" 2>/dev/null) == "$*" ]] &&
    [[ -z $(find -L device lab lessons exercises gui cli tests*/ -name '*.[ch]pp' -newer "build/$preset/.configured" -print -quit) ]]; then
    return 0
  fi
  rm -f "build/$preset/.configured"
  step "Configuring $preset" "if a package is named above, install it; if not, delete build/$preset and call again." \
    cmake --preset "$preset" "$@"
  echo "$*" >"build/$preset/.configured"
}

# One job for each processor, because more (ninja's own choice is one or two more) share its caches, and all of them take longer: on two
# processors by 6 %.
make_targets() { ninja -j "${WARPBOOK_JOBS:-$(nproc)}" "$@"; }

# build PRESET WHAT TARGET...
build() {
  local preset=$1 what=$2
  shift 2
  step "Building $what" "if the lines above name one of our files, it does not compile: see them; if memory ran out, set WARPBOOK_JOBS=1." \
    make_targets -C "build/$preset" "$@"
}

# Before each later call: nothing in the usual case, and that in well under a second.
bring_up_to_date() {
  printf 'building what has changed\n' >build/.lock
  update() { make_targets -C build/release --quiet warpbook; }
  # A changed source may have a name by now that clashes in its batch, so the second attempt makes the batches anew.
  if ! { update || { cmake build/release && update; }; } >build/release/update.log 2>&1; then
    tail -n 40 build/release/update.log >&2
    fail 3 "Warpbook changed and no longer builds (all it said: $root/build/release/update.log)." "mend the lines above, or go back with git."
  fi
}
