#include "device/runtime/host_lines.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "device/runtime/boxed_tool.hpp"
#include "device/worker/limited_child.hpp"

namespace warpbook::device::runtime {
namespace {

constexpr const char* kProgram = "/usr/bin/addr2line";
constexpr const char* kStub = ".stub.c";
constexpr std::size_t kAtOnce = 4000;  ///< addresses in one command line

/// The address of the call, which is before that of the return.
std::uint64_t in_file(std::uint64_t frame, std::uint64_t base) { return frame - 1 - base; }

/// nvcc compiles a file that it makes of the source, and for members of classes and templates the line table names that file, with the
/// lines of the source: "/tmp/tmpxft_0000002a_00000000-6_NAME.cudafe1.cpp" is NAME.cu.
std::string source_of(const std::string& file) {
  constexpr std::string_view kMade = "tmpxft_", kEnding = ".cudafe1.cpp";
  const auto made = file.rfind(kMade);
  const auto name = made == file.npos ? made : file.find('_', file.find('-', made));
  if (name == file.npos || !file.ends_with(kEnding)) return file;
  return file.substr(name + 1, file.size() - kEnding.size() - name - 1) + ".cu";
}

/// "/home/me/x.cu:12 (discriminator 2)" or "??:0"
SourcePlace place_in(std::string_view line) {
  if (const auto note = line.find(" ("); note != line.npos) line = line.substr(0, note);
  const auto colon = line.rfind(':');
  SourcePlace place;
  if (colon == line.npos || line.starts_with("??")) return place;
  std::from_chars(line.data() + colon + 1, line.data() + line.size(), place.line);
  if (place.line != 0)
    place.file =
        source_of(std::filesystem::path(line.substr(0, colon)).lexically_normal().string());
  return place;
}

}  // namespace

HostLines::HostLines(std::filesystem::path executable, std::vector<std::string> foreign)
    : executable_(std::move(executable)), foreign_(std::move(foreign)) {}

bool HostLines::is_foreign(const std::string& file) const {
  if (file.empty() || file.starts_with("/usr/")) return true;
  return std::ranges::any_of(foreign_,
                             [&](const auto& folder) { return file.starts_with(folder); });
}

void HostLines::look_up(const std::vector<std::uint64_t>& addresses) {
  for (std::size_t first = 0; first < addresses.size(); first += kAtOnce) {
    ChildRequest request;
    request.program = kProgram;
    // -a begins what belongs to an address, -i names what was inlined there.
    request.arguments = {"-a", "-i", "-e", executable_.string()};
    const std::size_t end = std::min(addresses.size(), first + kAtOnce);
    for (std::size_t i = first; i < end; ++i) {
      request.arguments.push_back(fmt::format("{:#x}", addresses[i]));
      known_[addresses[i]] = {};
    }
    // A line table is the program's, and may name other files.
    const auto box = ToolBox::make();
    const ChildOutcome outcome =
        box ? box->run(request, {{executable_}, {}}) : run_limited(request);
    if (outcome.end != ChildOutcome::End::exited || outcome.code != 0) continue;
    std::vector<SourcePlace>* places = nullptr;
    for (std::string_view rest = outcome.output; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (line.starts_with("0x")) {
        std::uint64_t address = 0;
        std::from_chars(line.data() + 2, line.data() + line.size(), address, 16);
        places = &known_[address];
      } else if (places) {
        places->push_back(place_in(line));
      }
    }
  }
}

void HostLines::prepare(std::span<const std::array<std::uint64_t, kFrames>> frames,
                        std::uint64_t base) {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint64_t> missing;
  for (const auto& of_call : frames) {
    for (const std::uint64_t frame : of_call) {
      if (frame > base && !known_.contains(in_file(frame, base)))
        missing.push_back(in_file(frame, base));
    }
  }
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  look_up(missing);
}

SourcePlace HostLines::place_of(const std::array<std::uint64_t, kFrames>& frames,
                                std::uint64_t base) {
  prepare(std::span(&frames, 1), base);
  const std::lock_guard lock(mutex_);
  bool launches = false;
  for (const std::uint64_t frame : frames) {
    if (frame <= base) continue;
    const auto& places = known_[in_file(frame, base)];
    const bool in_stub = std::ranges::any_of(
        places, [](const SourcePlace& place) { return place.file.ends_with(kStub); });
    // A launch goes through a function in a file that nvcc made, called by one that stands at the kernel's own line.
    if (std::exchange(launches, in_stub) || in_stub) continue;
    for (const SourcePlace& place : places) {
      if (!is_foreign(place.file)) return place;
    }
  }
  return {};
}

}  // namespace warpbook::device::runtime
