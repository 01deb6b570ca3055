#include "device/compiler/composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "device/characters.hpp"
#include "device/compiler/host_code.hpp"
#include "device/compiler/host_headers.hpp"
#include "device/compiler/include_line.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMaxNameBytes = 128;
constexpr std::size_t kMaxDefineBytes = 4096;

// Each alone takes NVRTC 0.9 s or more to read.
constexpr std::array kSlowHeaders{
    "cooperative_groups.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "cooperative_groups/memcpy_async.h",
    "cuda/barrier",
    "cuda/pipeline",
    "cuda/atomic",
    "cuda/semaphore",
    "cuda/latch",
    "cuda/ptx",
    "cuda/std/atomic",
    "cub/block/block_load.cuh",
    "cub/block/block_store.cuh",
    "cub/block/block_reduce.cuh",
    "cub/block/block_scan.cuh",
    "cub/block/block_radix_sort.cuh",
    "cub/block/block_exchange.cuh",
    "cub/block/block_histogram.cuh",
    "cub/warp/warp_reduce.cuh",
    "cub/warp/warp_scan.cuh",
};

// "#include <x>" -> "x"; anything else -> "".
std::string_view angle_include(std::string_view line) {
  const IncludeLine include = include_in(line);
  const std::string_view after = trimmed(include.rest);
  if (include.quoted || (!after.empty() && !after.starts_with("//"))) return {};
  return include.name;
}

}  // namespace

std::string name_in_box(std::string_view name) {
  std::string safe;
  for (const char c : name.substr(0, kMaxNameBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool harmful = byte < 0x20 || byte == 0x7f ||
                         std::string_view("/\\\"'<>:?*|%$`").find(c) != std::string_view::npos;
    safe += harmful ? '_' : c;
  }
  if (safe.empty() || safe.starts_with('.') || safe.starts_with('-')) safe.insert(0, "source");
  return safe;
}

Expected<void> check_defines(const CompileRequest& request) {
  for (const auto& define : request.defines) {
    const auto& [name, value] = define;
    const auto fail = [&](Message why) {
      return failure(
          ErrorCode::bad_define,
          {{"define", fmt::format("{}={}", define.first, define.second)}, {"why", std::move(why)}});
    };
    if (!is_identifier(name)) return fail(Message{"phrase.why.no-identifier", {}, {}});
    if (name.size() + value.size() > kMaxDefineBytes)
      return fail(Message{"phrase.why.too-long", {}, {}});
    if (std::any_of(value.begin(), value.end(),
                    [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; })) {
      return fail(Message{"phrase.why.control-character", {}, {}});
    }
    if (value.ends_with('\\') || value.ends_with("?\?/"))
      return fail(Message{"phrase.why.backslash", {}, {}});
    if (value.find("/*") != std::string::npos || value.find("//") != std::string::npos) {
      return fail(Message{"phrase.why.comment", {}, {}});
    }
  }
  return {};
}

std::vector<std::string> leading_slow_headers(std::string_view source) {
  std::vector<std::string> found;
  while (!source.empty()) {
    const std::size_t end = source.find('\n');
    const std::string_view line = source.substr(0, end);
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    const std::string_view content = trimmed(line);
    if (content.ends_with('\\')) break;
    if (content.empty() || content.starts_with("//")) continue;
    const std::string_view header = angle_include(line);
    if (header.empty()) break;
    const bool slow =
        std::find(kSlowHeaders.begin(), kSlowHeaders.end(), header) != kSlowHeaders.end();
    const bool repeated = std::find(found.begin(), found.end(), header) != found.end();
    if (slow && !repeated) found.emplace_back(header);
  }
  return found;
}

std::string precompiled_source(const std::vector<std::string>& slow_headers) {
  std::string text;
  for (const std::string& header : slow_headers) text += fmt::format("#include <{}>\n", header);
  return text;
}

std::string composed_source(const CompileRequest& request,
                            const std::vector<std::string>& slow_headers) {
  std::string source = without_host_code(request.source, request.name_expressions);
  std::string text = precompiled_source(slow_headers);
  text += fmt::format("#include <{}>\n", request.foreign ? kUnaskedByPrograms : kUnasked);
  // Where all is device code, what says that it is only the host's is too: NVRTC refuses the mark.
  if (request.default_device) text += "#undef __host__\n#define __host__\n";
  for (const auto& [name, value] : request.defines)
    text += fmt::format("#define {} {}\n", name, value);
  text += fmt::format("#line 1 \"{}\"\n", name_in_box(request.name));
  return text + source;
}

std::vector<std::string> options_of(const CompileRequest& request,
                                    const std::vector<std::string>& include_folders) {
  std::vector<std::string> options{
      fmt::format("--gpu-architecture={}_{}", request.cubin ? "sm" : "compute",
                  request.architecture),
      "--std=c++17",
      "--no-cache",
      "--modify-stack-limit=false",
      "--device-int128",  // nvcc has __int128 without being asked
      request.fmad ? "--fmad=true" : "--fmad=false",
  };
  if (request.default_device) options.emplace_back("--device-as-default-execution-space");
  if (request.debug) {
    options.emplace_back("--device-debug");
  } else if (request.line_info) {
    options.emplace_back("--generate-line-info");
  }
  for (const std::string& folder : include_folders) options.push_back("--include-path=" + folder);
  return options;
}

}  // namespace warpbook::device
