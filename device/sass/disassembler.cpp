#include "device/sass/disassembler.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "device/compiler/toolkit.hpp"
#include "device/file_cache.hpp"
#include "device/platform.hpp"
#include "device/unique_fd.hpp"
#include "device/worker/limited_child.hpp"

namespace warpbook::device {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "nvdisasm";
constexpr FileCache::Form kDisassemblerForm{"warpbook listing", 1, "listings of machine code"};
constexpr std::uint64_t kCacheBytes = 64u << 20;

tl::unexpected<Error> disassembler_missing(Message detail) {
  return failure(
      ErrorCode::library_missing,
      {{"library", kName}, {"detail", std::move(detail)}, {"command", kDisassemblerCommand}});
}

tl::unexpected<Error> died(Message detail) {
  return failure(ErrorCode::library_died, {{"library", kName}, {"detail", std::move(detail)}});
}

/// In a toolkit's own layout, or a wheel's.
fs::path in_folder(const fs::path& folder) {
  for (const char* layout : {"bin", "nvidia/cu13/bin"}) {
    std::error_code error;
    fs::path file = folder / layout / kName;
    if (fs::is_regular_file(file, error)) return file;
  }
  return {};
}

/// The first line that says anything; its own words come before ours.
Message first_words(const std::string& text) {
  constexpr std::size_t kMost = 200;
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return {"phrase.words.none", {}, {}};
  std::string line = text.substr(begin, std::min(kMost, text.find_first_of("\r\n", begin) - begin));
  for (char& c : line) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return Message::plain(std::move(line));
}

/// Its output, if it ended well.
Expected<std::string> run(const fs::path& disassembler, std::vector<std::string> arguments,
                          int file, const DisassemblerLimits& limits, const std::stop_token& stop) {
  using End = ChildOutcome::End;
  ChildOutcome outcome = run_limited({.program = disassembler,
                                      .arguments = std::move(arguments),
                                      .file = file,
                                      .seconds = limits.seconds,
                                      .output_bytes = limits.output_bytes,
                                      .memory_bytes = limits.memory_bytes},
                                     stop);
  switch (outcome.end) {
    case End::stopped: return failure(ErrorCode::cancelled, {});
    case End::not_started:
      return failure(
          ErrorCode::library_damaged,
          {{"library", kName}, {"detail", outcome.errors}, {"command", kDisassemblerCommand}});
    case End::signalled:
      return died(Message{"phrase.detail.signal", {{"number", outcome.code}}, {}});
    case End::out_of_time:
      return died(Message{
          "phrase.detail.ran-too-long", {{"seconds", fmt::format("{:g}", limits.seconds)}}, {}});
    case End::too_much_output:
      return died(
          Message{"phrase.detail.wrote-too-much", {{"megabytes", limits.output_bytes >> 20}}, {}});
    case End::exited: break;
  }
  if (outcome.code == 0) return std::move(outcome.output);
  return failure(ErrorCode::library_refused,
                 {{"library", kName},
                  {"why", Message{"phrase.why.ended-with", {{"code", outcome.code}}, {}}},
                  {"words", first_words(outcome.errors)}});
}

/// The bytes as an open file without a name.
UniqueFd file_of(std::span<const std::uint8_t> bytes) {
  UniqueFd file(::memfd_create("cubin", MFD_CLOEXEC));
  for (std::size_t at = 0; file && at < bytes.size();) {
    const ssize_t written = ::write(file.get(), bytes.data() + at, bytes.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return {};
    at += static_cast<std::size_t>(written);
  }
  return file;
}

/// All that a listing depends on.
std::string key_of(const fs::path& disassembler, std::span<const std::uint8_t> cubin) {
  struct stat about {};
  ::stat(disassembler.c_str(), &about);
  return fmt::format("{} {}:{}.{}\n", disassembler.string(), about.st_size, about.st_mtim.tv_sec,
                     about.st_mtim.tv_nsec) +
         std::string(cubin.begin(), cubin.end());
}

}  // namespace

Expected<fs::path> find_disassembler() {
  std::error_code error;
  if (const char* only = std::getenv("WARPBOOK_NVDISASM"); only != nullptr && only[0] != '\0') {
    if (fs::is_regular_file(only, error)) return fs::path(only);
    return disassembler_missing(Message{"phrase.detail.no-file", {{"file", only}}, {}});
  }
  if (const char* only = std::getenv("WARPBOOK_CUDA"); only != nullptr && only[0] != '\0') {
    if (fs::path file = in_folder(only); !file.empty()) return file;
    return disassembler_missing(Message{"phrase.detail.not-under", {{"folder", only}}, {}});
  }
  if (fs::path file = in_folder(root_folder() / "build" / "deps" / "disassembler"); !file.empty())
    return file;
  for (const fs::path& folder : toolkit_folders()) {
    if (fs::path file = in_folder(folder); !file.empty()) return file;
  }
  return disassembler_missing(Message{"phrase.detail.not-in-usual-places", {}, {}});
}

Expected<std::string> disassembled(const fs::path& disassembler,
                                   std::span<const std::uint8_t> cubin,
                                   const DisassemblerLimits& limits, const std::stop_token& stop) {
  const UniqueFd file = file_of(cubin);
  if (!file) return died(Message::plain(std::generic_category().message(errno)));
  // Without the analysis of data flow, which some cubins make fail and nothing here needs.
  return run(disassembler,
             {"--print-code", "--print-instruction-encoding", "--no-dataflow",
              fmt::format("/proc/self/fd/{}", kChildFileFd)},
             file.get(), limits, stop);
}

Expected<std::string> disassembled(std::span<const std::uint8_t> cubin,
                                   const std::stop_token& stop) {
  const auto disassembler = find_disassembler();
  if (!disassembler) return tl::unexpected(disassembler.error());
  FileCache cache(cache_folder() / "listings", kCacheBytes, kDisassemblerForm);
  const std::string key = key_of(*disassembler, cubin);
  if (auto known = cache.find(key)) return std::move(*known);
  auto listing = disassembled(*disassembler, cubin, {}, stop);
  if (listing) cache.store(key, *listing);
  return listing;
}

Expected<std::string> version_of_disassembler(const fs::path& disassembler,
                                              const DisassemblerLimits& limits) {
  auto said = run(disassembler, {"--version"}, -1, limits, {});
  if (!said) return said;
  // "Cuda compilation tools, release 13.2, V13.2.86"
  const std::size_t begin = said->find(", V");
  std::string version;
  for (std::size_t at = begin + 3; begin != std::string::npos && at < said->size(); ++at) {
    const char c = (*said)[at];
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.') break;
    version += c;
  }
  if (!version.empty()) return version;
  return failure(ErrorCode::library_refused, {{"library", kName},
                                              {"why", Message{"phrase.why.no-version", {}, {}}},
                                              {"words", first_words(*said)}});
}

}  // namespace warpbook::device
