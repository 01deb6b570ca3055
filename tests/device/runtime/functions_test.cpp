// The table of the runtime's functions, against what the libraries export.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

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

/// A table's names, with the version under which a library exports them.
std::set<std::string> names_in(const std::vector<TableFunction>& table,
                               const std::string& version) {
  std::set<std::string> names;
  for (const TableFunction& f : table) names.insert(std::string(f.name) + version);
  return names;
}

const std::string kRuntimeVersion = "@@libcudart.so.13", kDriverVersion = "@@libcuda.so.1";

std::string difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::string text;
  for (const std::string& name : a)
    if (!b.contains(name)) text += name + "\n";
  return text;
}

const fs::path kOurs = fs::path(WARPBOOK_BINARY).parent_path() / "runtime/libcudart.so.13";

/// A file of CUDA 13.0, where it is installed or was fetched.
fs::path real_file(const char* name) {
  const std::array places = {fs::path("/usr/local/cuda-13.0/lib64"),
                             fs::path("/usr/local/cuda-13.0/lib"),
                             fs::path("/usr/local/cuda-13.0/targets/x86_64-linux/lib"),
                             fs::path(WARPBOOK_SOURCE_DIR "/build/deps/nvcc/nvidia/cu13/lib"),
                             fs::path(WARPBOOK_SOURCE_DIR "/build/deps/cuda/nvidia/cu13/lib")};
  std::error_code ignored;
  for (const fs::path& place : places)
    if (fs::exists(place / name, ignored)) return place / name;
  return {};
}

}  // namespace

TEST_CASE("The table has every function that NVIDIA's library exports, and no other") {
  const fs::path real = real_file("libcudart.so.13");
  if (real.empty()) SKIP("no libcudart.so.13 of NVIDIA's is installed");
  const auto theirs = exports_of(real), table = names_in(runtime_functions(), kRuntimeVersion);
  CHECK(difference(theirs, table).empty());
  CHECK(difference(table, theirs).empty());
}

TEST_CASE("The driver's table has every function that NVIDIA's library exports, and no other") {
  // What a toolkit has for linking exports what the driver does.
  const fs::path real = real_file("stubs/libcuda.so");
  if (real.empty()) SKIP("no stubs/libcuda.so of NVIDIA's is installed");
  const auto theirs = exports_of(real), table = names_in(driver_functions(), "");
  CHECK(difference(theirs, table).empty());
  CHECK(difference(table, theirs).empty());
}

TEST_CASE("Our library exports every function of the tables under NVIDIA's versions") {
  if (!fs::exists(kOurs))
    SKIP("CUDA's headers were not here when Warpbook was built (./warpbook fetch cuda)");
  auto ours = exports_of(kOurs);
  // Besides them, what `warpbook program` has code call that nvcc compiled with -rdc=true, and what stands in front of NVRTC.
  CHECK(ours.erase("__warpbookRegisterLinked" + kRuntimeVersion) == 1);
  CHECK(ours.erase("nvrtcGetCUBIN@@libnvrtc.so.13") == 1);
  auto tables = names_in(runtime_functions(), kRuntimeVersion);
  tables.merge(names_in(driver_functions(), kDriverVersion));
  CHECK(difference(tables, ours).empty());
  CHECK(difference(ours, tables).empty());
}

TEST_CASE("The driver's name leads to our library as well") {
  if (!fs::exists(kOurs))
    SKIP("CUDA's headers were not here when Warpbook was built (./warpbook fetch cuda)");
  CHECK(fs::equivalent(kOurs, kOurs.parent_path() / "libcuda.so.1"));
}

TEST_CASE("A second name is that of a function in the table, and every part says what is missing") {
  const auto& table = GENERATE(std::cref(runtime_functions()), std::cref(driver_functions())).get();
  std::set<std::string_view> first;
  for (const TableFunction& f : table)
    if (f.support != Support::same) first.insert(f.name);
  for (const TableFunction& f : table) {
    CAPTURE(f.name);
    if (f.support == Support::same) CHECK(first.contains(f.note));
    if (f.support == Support::part) CHECK(f.note.size() > 10);
  }
}

namespace {

void check_page(const std::string& name, const std::string& page) {
  const std::string path = WARPBOOK_SOURCE_DIR "/docs/" + name;
  if (std::getenv("WARPBOOK_FIX")) std::ofstream(path, std::ios::binary) << page;
  std::ifstream stream(path, std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == page);
}

}  // namespace

TEST_CASE("docs/cuda-runtime.md is what the table says; WARPBOOK_FIX=1 writes it") {
  check_page("cuda-runtime.md", runtime_page());
}

TEST_CASE("docs/cuda-driver.md is what the table says; WARPBOOK_FIX=1 writes it") {
  check_page("cuda-driver.md", driver_page());
}

}  // namespace warpbook::tests::functions_test
