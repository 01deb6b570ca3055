#include "device/compiler/program_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <vector>

#include "device/compiler/messages.hpp"
#include "device/platform.hpp"
#include "device/worker/wire.hpp"

namespace warpbook::device {
namespace {

namespace fs = std::filesystem;

// Stands in the file's name as well, so that two versions of Warpbook neither read nor drop each
// other's entries.
constexpr std::uint32_t kSchema = 1;
constexpr std::string_view kMagic = "warpbook program";
constexpr std::uint64_t kMostEntryBytes = 256ull << 20;
constexpr auto kAbandoned = std::chrono::hours(1);  // a temporary file this old was left by a kill

std::string hash_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string suffix() { return fmt::format(".v{}", kSchema); }

std::string entry_bytes(std::string_view key, const Program& program) {
  WireWriter body;
  body.put(key).put(to_bytes(program));
  WireWriter entry;
  entry.put(kMagic).put(kSchema).put(hash_of(body.bytes())).put(body.bytes());
  return entry.take();
}

enum class Found : std::uint8_t { program, another_key, damaged };

Found read_entry(std::string_view bytes, std::string_view key, Program& program) {
  WireReader entry(bytes);
  const std::string magic = entry.get_text();
  const auto schema = entry.get<std::uint32_t>();
  const std::string hash = entry.get_text();
  const std::string body = entry.get_text();
  if (!entry.done() || magic != kMagic || schema != kSchema || hash != hash_of(body))
    return Found::damaged;
  WireReader reader(body);
  if (reader.get_text() != key) return reader.ok() ? Found::another_key : Found::damaged;
  auto stored = program_from(reader.get_text());
  if (!stored || !reader.done()) return Found::damaged;
  program = std::move(*stored);
  return Found::program;
}

}  // namespace

fs::path ProgramCache::file_of(std::string_view key) const {
  const std::string hash = hash_of(key);
  return folder_ / hash.substr(0, 2) / (hash + suffix());
}

std::optional<Program> ProgramCache::find(std::string_view key) {
  if (folder_.empty()) return std::nullopt;
  const fs::path file = file_of(key);
  const auto bytes = read_file(file, kMostEntryBytes);
  if (!bytes) return std::nullopt;
  Program program;
  switch (read_entry(*bytes, key, program)) {
    case Found::another_key: return std::nullopt;
    case Found::damaged: {
      std::error_code ignored;
      fs::remove(file, ignored);
      return std::nullopt;
    }
    case Found::program: break;
  }
  // The time of last use, which eviction goes by; a folder that is read-only keeps the old one.
  ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  program.cached = true;
  return program;
}

void ProgramCache::store(std::string_view key, const Program& program) {
  if (folder_.empty()) return;
  const std::string bytes = entry_bytes(key, program);
  if (bytes.size() > std::min(most_bytes_, kMostEntryBytes)) return;
  const auto written = write_file_atomically(file_of(key), bytes);
  const std::lock_guard lock(mutex_);
  if (!written) {
    note_ = fmt::format("compiled programs are not kept: {}", written.error().english());
    return;
  }
  note_.clear();
  unchecked_bytes_ = unchecked_bytes_ == UINT64_MAX ? UINT64_MAX : unchecked_bytes_ + bytes.size();
  // Others store as well: the folder is measured again whenever this process alone has added a
  // sixteenth.
  if (unchecked_bytes_ > most_bytes_ / 16) evict();
}

void ProgramCache::evict() {
  struct File {
    fs::path path;
    std::uint64_t bytes;
    fs::file_time_type used;
  };
  std::vector<File> files;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  auto walk = fs::recursive_directory_iterator(
      folder_, fs::directory_options::skip_permission_denied, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    std::error_code gone;  // another process may evict at the same time
    if (!walk->is_regular_file(gone) || gone) continue;
    const auto used = walk->last_write_time(gone);
    const auto bytes = walk->file_size(gone);
    if (gone) continue;
    if (walk->path().filename().string().starts_with(".tmp-") && now - used > kAbandoned) {
      fs::remove(walk->path(), gone);
      continue;
    }
    files.push_back({walk->path(), bytes, used});
    total += bytes;
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });
  // Down to a little less than the bound, so that not every store has to evict.
  const std::uint64_t aim = total > most_bytes_ ? most_bytes_ - most_bytes_ / 8 : total;
  for (const File& file : files) {
    if (total <= aim) break;
    std::error_code gone;
    fs::remove(file.path, gone);
    total -= file.bytes;
  }
  unchecked_bytes_ = 0;
}

std::string ProgramCache::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

}  // namespace warpbook::device
