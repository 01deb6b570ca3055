// The table of the runtime's functions, against what the libraries export.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "tests/device/runtime/runtime_page.hpp"

namespace warpbook::tests::functions_test {

namespace fs = std::filesystem;

namespace {

/// The functions that a library exports, with their versions: "cudaMalloc@@libcudart.so.13".
std::set<std::string> exports_of(const fs::path& library) {
  const std::string command = "nm -D --defined-only '" + library.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::set<std::string> names;
  std::array<char, 512> line{};
  while (pipe && std::fgets(line.data(), line.size(), pipe.get())) {
    const std::string text = line.data();
    const auto at = text.find(" T ");
    if (at != text.npos) names.insert(text.substr(at + 3, text.find('\n') - at - 3));
  }
  return names;
}

/// The table's names, as NVIDIA's library versions them.
std::set<std::string> names_in_table() {
  std::set<std::string> names;
  for (const RuntimeFunction& f : runtime_functions())
    names.insert(std::string(f.name) + "@@libcudart.so.13");
  return names;
}

std::string difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::string text;
  for (const std::string& name : a)
    if (!b.contains(name)) text += name + "\n";
  return text;
}

const fs::path kOurs = fs::path(WARPBOOK_BINARY).parent_path() / "runtime/libcudart.so.13";

/// NVIDIA's library of CUDA 13.0, where it is installed or was fetched.
fs::path real_library() {
  const std::array places = {fs::path("/usr/local/cuda-13.0/lib64"),
                             fs::path("/usr/local/cuda-13.0/lib"),
                             fs::path("/usr/local/cuda-13.0/targets/x86_64-linux/lib"),
                             fs::path(WARPBOOK_SOURCE_DIR "/build/deps/nvcc/nvidia/cu13/lib"),
                             fs::path(WARPBOOK_SOURCE_DIR "/build/deps/cuda/nvidia/cu13/lib")};
  std::error_code ignored;
  for (const fs::path& place : places)
    if (fs::exists(place / "libcudart.so.13", ignored)) return place / "libcudart.so.13";
  return {};
}

}  // namespace

TEST_CASE("The table has every function that NVIDIA's library exports, and no other") {
  const fs::path real = real_library();
  if (real.empty()) SKIP("no libcudart.so.13 of NVIDIA's is installed");
  const auto theirs = exports_of(real), table = names_in_table();
  CHECK(difference(theirs, table).empty());
  CHECK(difference(table, theirs).empty());
}

TEST_CASE("Our library exports every function of the table under NVIDIA's version") {
  if (!fs::exists(kOurs))
    SKIP("CUDA's headers were not here when Warpbook was built (./warpbook fetch cuda)");
  auto ours = exports_of(kOurs);
  // Besides them, what `warpbook program` has code call that nvcc compiled with -rdc=true.
  CHECK(ours.erase("__warpbookRegisterLinked@@libcudart.so.13") == 1);
  CHECK(difference(names_in_table(), ours).empty());
  CHECK(difference(ours, names_in_table()).empty());
}

TEST_CASE("A second name is that of a function in the table, and every part says what is missing") {
  std::set<std::string_view> first;
  for (const RuntimeFunction& f : runtime_functions())
    if (f.support != Support::same) first.insert(f.name);
  for (const RuntimeFunction& f : runtime_functions()) {
    CAPTURE(f.name);
    if (f.support == Support::same) CHECK(first.contains(f.note));
    if (f.support == Support::part) CHECK(f.note.size() > 10);
  }
}

TEST_CASE("docs/cuda-runtime.md is what the table says; WARPBOOK_FIX=1 writes it") {
  const std::string path = WARPBOOK_SOURCE_DIR "/docs/cuda-runtime.md", page = runtime_page();
  if (std::getenv("WARPBOOK_FIX")) std::ofstream(path, std::ios::binary) << page;
  std::ifstream stream(path, std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == page);
}

}  // namespace warpbook::tests::functions_test
