#include "device/file_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <vector>

#include "device/platform.hpp"
#include "device/replace_file.hpp"
#include "device/wire/bytes.hpp"

namespace warpbook::device {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostEntryBytes = 256ull << 20;
constexpr auto kAbandoned = std::chrono::hours(1);  // a temporary file this old was left by a kill

std::string hash_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// A file of the cache. Its body, of which it keeps the hash, is the key with what is kept under it.
struct EntryFile {
  std::string magic;
  std::uint32_t schema = 0;
  std::string hash, body;
};
template <class V>
void fields(V&& visit, Is<EntryFile> auto& v) {
  visit("magic", v.magic);
  visit("schema", v.schema);
  visit("hash", v.hash);
  visit("body", v.body);
}
using KeyAndEntry = std::pair<std::string, std::string>;

enum class Found : std::uint8_t { entry, another_key, damaged };

Found read_entry(std::string_view bytes, const FileCache::Form& form, std::string_view key,
                 std::string& found) {
  const auto file = from_bytes<EntryFile>(bytes);
  if (!file || file->magic != form.magic || file->schema != form.schema ||
      file->hash != hash_of(file->body))
    return Found::damaged;
  auto body = from_bytes<KeyAndEntry>(file->body);
  if (!body) return Found::damaged;
  if (body->first != key) return Found::another_key;
  found = std::move(body->second);
  return Found::entry;
}

}  // namespace

fs::path FileCache::file_of(std::string_view key) const {
  const std::string hash = hash_of(key);
  return folder_ / hash.substr(0, 2) / fmt::format("{}.v{}", hash, form_.schema);
}

std::optional<std::string> FileCache::find(std::string_view key) {
  if (folder_.empty()) return std::nullopt;
  const fs::path file = file_of(key);
  const auto bytes = read_file(file, kMostEntryBytes);
  if (!bytes) return std::nullopt;
  std::string found;
  switch (read_entry(*bytes, form_, key, found)) {
    case Found::another_key: return std::nullopt;
    case Found::damaged: drop(key); return std::nullopt;
    case Found::entry: break;
  }
  // The time of last use, which eviction goes by; a folder that is read-only keeps the old one.
  ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  return found;
}

void FileCache::drop(std::string_view key) {
  std::error_code ignored;
  fs::remove(file_of(key), ignored);
}

void FileCache::store(std::string_view key, std::string_view entry) {
  if (folder_.empty()) return;
  std::string body = to_bytes(std::pair(key, entry));
  std::string hash = hash_of(body);
  const std::string bytes =
      to_bytes(EntryFile{std::string(form_.magic), form_.schema, std::move(hash), std::move(body)});
  if (bytes.size() > std::min(most_bytes_, kMostEntryBytes)) return;
  // Nobody is to wait for the disk. What a loss of power leaves of it, its hash tells from what was written.
  const auto written = replace_file(file_of(key), bytes);
  const std::lock_guard lock(mutex_);
  if (!written) {
    note_ = fmt::format("{} are not kept: {}", form_.kept, written.error().english());
    return;
  }
  note_.clear();
  unchecked_bytes_ = unchecked_bytes_ == UINT64_MAX ? UINT64_MAX : unchecked_bytes_ + bytes.size();
  // Others store as well: the folder is measured again whenever this process alone has added a
  // sixteenth.
  if (unchecked_bytes_ > most_bytes_ / 16) evict();
}

void FileCache::evict() {
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

std::string FileCache::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

}  // namespace warpbook::device
