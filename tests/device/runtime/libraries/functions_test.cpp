// The functions of the drop-in libraries: what their headers declare, they export, and the page lists.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_vector.hpp>

#include "tests/device/runtime/libraries/libraries_page.hpp"

namespace warpbook::tests::libraries_functions_test {

namespace fs = std::filesystem;

namespace {

const fs::path kFolder = fs::path(WARPBOOK_BINARY).parent_path() / "runtime";

/// The functions that a library exports under its own version: "cublasCreate_v2@@libcublas.so.13".
std::vector<std::string> exports_of(const fs::path& library) {
  const std::string command = "nm -D --defined-only '" + library.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::vector<std::string> names;
  std::array<char, 512> line{};
  while (pipe && std::fgets(line.data(), line.size(), pipe.get())) {
    const std::string text = line.data();
    const auto at = text.find(" T ");
    if (at != text.npos) names.push_back(text.substr(at + 3, text.find('\n') - at - 3));
  }
  return names;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// NVIDIA's headers in a toolkit of the machine's own.
const fs::path kToolkit = "/usr/local/cuda/include";

/// The value of an enumerator, as a header writes it; nothing where it does not.
std::string value_in(const std::string& text, const std::string& name) {
  std::smatch found;
  const std::regex form("\\b" + name + "\\b[ A-Z_]*=\\s*(-?\\w+)");
  return std::regex_search(text, found, form) ? found[1].str() : "";
}

}  // namespace

TEST_CASE("A drop-in library exports what its header declares, under NVIDIA's version") {
  for (const DropIn& library : drop_ins()) {
    CAPTURE(library.name);
    if (!fs::exists(kFolder / library.file))
      SKIP("CUDA's headers or NVRTC were not here when Warpbook was built (./warpbook fetch cuda)");
    std::vector<std::string> declared;
    for (const std::string& function : functions_in(library))
      declared.push_back(function + "@@" + library.file);
    CHECK(declared.size() > 10);
    CHECK_THAT(exports_of(kFolder / library.file), Catch::Matchers::UnorderedEquals(declared));
  }
}

TEST_CASE("Our headers of libraries number everything as NVIDIA's do") {
  if (!fs::exists(kToolkit / "cublas_api.h"))
    SKIP("no CUDA toolkit with its libraries is installed");
  std::string theirs;
  for (const char* header : {"cublas_api.h", "curand.h", "cufft.h", "cudnn_graph_v9.h",
                             "cudnn_ops_v9.h", "cudnn_cnn_v9.h"})
    theirs += text_of(kToolkit / header);
  const std::regex enumerator("\\b((?:CUBLAS|CURAND|CUFFT|CUDNN)_\\w+) = (-?\\w+)");
  std::size_t compared = 0;
  for (const DropIn& library : drop_ins()) {
    const std::string ours =
        text_of(WARPBOOK_SOURCE_DIR "/device/runtime/libraries/include/" + library.headers.front());
    for (std::sregex_iterator at(ours.begin(), ours.end(), enumerator), end; at != end; ++at) {
      CAPTURE((*at)[1].str());
      const std::string value = value_in(theirs, (*at)[1]);
      if (value.empty() && !fs::exists(kToolkit / "cudnn_graph_v9.h")) continue;
      REQUIRE_FALSE(value.empty());
      CHECK(std::stol(value, nullptr, 0) == std::stol((*at)[2], nullptr, 0));
      ++compared;
    }
  }
  CHECK(compared > 100);
}

TEST_CASE(
    "docs/cuda-libraries.md is what the libraries' headers declare; WARPBOOK_FIX=1 writes it") {
  const std::string path = WARPBOOK_SOURCE_DIR "/docs/cuda-libraries.md", page = libraries_page();
  if (std::getenv("WARPBOOK_FIX")) std::ofstream(path, std::ios::binary) << page;
  CHECK(text_of(path) == page);
}

}  // namespace warpbook::tests::libraries_functions_test
