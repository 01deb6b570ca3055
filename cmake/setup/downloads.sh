# What pip fetches into build/deps: versions and hashes stand in cmake/requirements. Sourced by ./warpbook.

# Each set: the folder in build/deps that it fills.
declare -A folder_of=([cuda]=cuda [window]=imgui_bundle [libraries]=libraries [disassembler]=disassembler [nvcc]=nvcc [tidy]=clang-tidy)
declare -A megabytes_of=([cuda]=96 [window]=49 [libraries]=847 [disassembler]=5 [nvcc]=105 [tidy]=36)

stamp_of() { sha256sum <"cmake/requirements/$1.txt"; }

is_fetched() { [[ $(cat "build/deps/${folder_of[$1]}/.fetched" 2>/dev/null) == "$(stamp_of "$1")" ]]; }

# A CUDA 13 toolkit of the machine's own serves as well as the wheels (the same places as device/compiler/toolkit.cpp).
has_toolkit() {
  local folder library
  local -a folders=("${CUDA_HOME-}" "${CUDA_PATH-}" /usr/local/cuda /usr/local/cuda-13 /usr/local/cuda-13.[0-9] /opt/cuda)
  [[ -z ${WARPBOOK_CUDA-} ]] || folders=("$WARPBOOK_CUDA")
  for folder in "${folders[@]}"; do
    [[ $folder == /* ]] || continue
    for library in lib64:include targets/x86_64-linux/lib:targets/x86_64-linux/include nvidia/cu13/lib:nvidia/cu13/include lib:include; do
      [[ -e $folder/${library%:*}/libnvrtc.so.13 && -e $folder/${library#*:}/cuda_runtime_api.h ]] && return 0
    done
  done
  return 1
}

needs() { ! is_fetched "$1" && { [[ $1 != cuda ]] || ! has_toolkit; }; }

fetch_toolkit() { ! needs cuda || fetch cuda; }

# fetch SET: the set's files, unpacked into its folder of build/deps. The folder appears whole or not at all.
fetch() {
  local set=$1
  ! is_fetched "$set" || return 0
  step "Fetching $set (${megabytes_of[$set]} MB)" \
    "check the connection and call again; behind a proxy or a mirror, configure pip; without internet, use --from FOLDER." \
    fetch_and_unpack "$set"
}

fetch_and_unpack() {
  local set=$1 target=build/deps/${folder_of[$1]}
  mkdir -p "$work/new" && download "$set" "$work/arriving" && unpack "$set" "$work/arriving" "$work/new" || return
  stamp_of "$set" >"$work/new/.fetched"
  rm -rf "$work/arriving" "$target" && mv "$work/new" "$target"
}

# download SET FOLDER: the files that the set's requirements name, each with the hash that stands there.
download() {
  local set=$1 folder=$2 requirements=cmake/requirements/$1.txt
  mkdir -p "$folder"
  if [[ -n $from ]]; then
    local hash file
    for hash in $(grep -o 'sha256:[0-9a-f]*' "$requirements"); do
      for file in "$from/$set"/*; do
        [[ $(sha256sum <"$file") == "${hash#sha256:}  -" ]] && cp "$file" "$folder/" && continue 2
      done
      echo "No file in $from/$set has the hash $hash."
      return 1
    done
    return
  fi
  local python
  for python in python3 /usr/bin/python3; do $python -m pip --version >/dev/null 2>&1 && break; done
  # A wheel is a file to unpack. Of a source distribution, pip asks the metadata first, and would fetch and run what builds
  # them, without any hash of ours; nothing is to be built here, so it is told the name and version that it asked for.
  local kind="--only-binary :all:" temporary=$root/$folder/.pip
  mkdir -p "$temporary"
  if [[ $set == window ]]; then
    kind="--no-binary :all: --no-build-isolation"
    answer_for_build_backend "$temporary" "$requirements"
  fi
  TMPDIR=$temporary PYTHONPATH=$temporary $python -m pip download --no-cache-dir --disable-pip-version-check --no-deps \
    --require-hashes $kind -r "$requirements" -d "$folder" || return
  rm -rf "$folder/.pip"
}

answer_for_build_backend() {
  local folder=$1 name version
  read -r name version < <(grep -v '^#' "$2" | sed 's/==/ /; s/--hash.*//')
  mkdir -p "$folder/scikit_build_core"
  cat >"$folder/scikit_build_core/build.py" <<PYTHON
import pathlib

def prepare_metadata_for_build_wheel(folder, settings=None):
    info = pathlib.Path(folder, "${name//-/_}-$version.dist-info")
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: $name\nVersion: $version\n")
    return info.name
PYTHON
}

unpack() {
  local set=$1 from_folder=$2 into=$3 file
  for file in "$from_folder"/*; do
    case $file in
      *.whl) python3 -m zipfile -e "$file" "$into" || return ;;
      *.tar.gz)
        tar -xzf "$file" -C "$into" --strip-components=1 --wildcards '*/LICENSE' '*/external/imgui/imgui' \
          '*/external/glfw/glfw' '*/external/ImGuiColorTextEdit/ImGuiColorTextEdit' \
          '*/external/imgui_test_engine/imgui_test_engine' '*/nanovg/example/Roboto-*.ttf' \
          '*/external/imgui_microtex/MicroTeX/lib' '*/assets/fonts/latex' || return
        ;;
    esac
  done
  case $set in
    # The second build of the compiler and the static libraries are two thirds of the bytes, and nothing loads them.
    cuda) rm -f "$into"/nvidia/cu13/lib/*.alt.so* "$into"/nvidia/cu13/lib/*.a ;;
    disassembler) chmod +x "$into"/nvidia/cu13/bin/nvdisasm ;;
    nvcc) prepare_nvcc "$into"/nvidia/cu13 ;;
    tidy) chmod +x "$into"/clang_{tidy,format}/data/bin/* ;;
  esac
}

# What compiles to PTX stays, and can be run. A wheel's files cannot. The linker of machine code, the compiler as a library and the
# static libraries are half of the bytes, and programs that are linked with a runtime of ours need none of them.
prepare_nvcc() {
  rm -f "$1"/bin/{nvlink,bin2c,__nvcc_device_query} "$1"/lib/libnvvm.so* "$1"/lib/*.a
  chmod +x "$1"/bin/{nvcc,cudafe++,ptxas,fatbinary} "$1"/nvvm/bin/cicc
}

fetch_by_name() {
  case ${1-} in
    cuda | window | libraries | disassembler | nvcc | tidy)
      [[ $1 != libraries || -z $lean ]] || fail 2 "--lean leaves cuDNN, cuBLAS and cuRAND out."
      if is_fetched "$1"; then say "$1 is there already."; else fetch "$1"; fi
      ;;
    '') fail 2 "fetch needs cuda, window, libraries, disassembler, nvcc, or a folder to fill." ;;
    *) fill_folder "$1" ;;
  esac
}

# For a classroom without internet: every file that set-up would fetch. `./warpbook --from FOLDER` then uses it.
fill_folder() {
  mkdir -p "$1" || fail 3 "The folder $1 cannot be made." "name a folder that you may write to."
  local folder set
  folder=$(readlink -f "$1")
  command -v dpkg-scanpackages >/dev/null || install_packages core
  for set in cuda window disassembler nvcc ${lean:-libraries}; do
    [[ $set != 1 ]] || continue
    step "Fetching $set (${megabytes_of[$set]} MB)" "check the connection and call again." fill_set "$set" "$folder/$set"
  done
  step "Fetching Debian's packages" "check the connection and apt's sources, and call again." fill_packages "$folder/debian"
  say "$folder is filled ($(du -sm "$folder" | cut -f1) MB). In the classroom: ./warpbook --from FOLDER"
}

fill_set() {
  download "$1" "$work/arriving" || return
  rm -rf "$2" && mv "$work/arriving" "$2"
}

fill_packages() {
  mkdir -p "$work/arriving"
  fetch_packages "$root/$work/arriving" || return
  rm -rf "$1" && mv "$work/arriving" "$1"
}
