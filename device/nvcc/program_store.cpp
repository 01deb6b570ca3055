#include "device/nvcc/program_store.hpp"

#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "device/platform.hpp"
#include "device/wire/bytes.hpp"

namespace warpbook::device {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kStoreBytes = 1ull << 30;
constexpr FileCache::Form kForm{"warpbook built program", 1, "built programs"};
constexpr std::string_view kBuildFolders = ".tmp-build-";
constexpr auto kAbandoned = std::chrono::hours(24);  // a build folder this old was left by a kill

/// What is kept of a program beside its file.
struct Entry {
  std::string file;  ///< below the store's folder
  std::uint64_t bytes = 0;
  std::string said;
};
template <class V>
void fields(V&& visit, Is<Entry> auto& v) {
  visit("file", v.file);
  visit("bytes", v.bytes);
  visit("said", v.said);
}

std::string hash_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// Under which the names of the files that a request's last build read are kept, and under which its program is.
std::string files_key(std::string_view request) { return fmt::format("files\n{}", request); }
std::string program_key(std::string_view request, std::string_view state) {
  return fmt::format("program\n{}\n{}", request, state);
}

tl::unexpected<Error> unwritable(const fs::path& path, const std::error_code& error) {
  return failure(ErrorCode::file_unwritable,
                 {{"file", path.string()}, {"why", Message::plain(error.message())}});
}

bool is_below(const fs::path& folder, const fs::path& file) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

bool changed_since(const std::vector<std::string>& files, fs::file_time_type begun) {
  return std::any_of(files.begin(), files.end(), [begun](const std::string& file) {
    std::error_code error;
    const auto changed = fs::last_write_time(file, error);
    return error || changed > begun;
  });
}

void remove_abandoned(const fs::path& folder) {
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::error_code gone;  // another process may remove it at the same time
    const bool ours = entry.path().filename().string().starts_with(kBuildFolders);
    if (ours && now - entry.last_write_time(gone) > kAbandoned && !gone)
      fs::remove_all(entry.path(), gone);
  }
}

}  // namespace

std::vector<std::string> dependencies_in(std::string_view rule) {
  std::vector<std::string> files;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) files.push_back(std::exchange(word, {}));
  };
  rule.remove_prefix(std::min(rule.size(), rule.find(": ")));  // the target
  for (std::size_t at = 1; at < rule.size(); ++at) {
    const char c = rule[at], next = at + 1 < rule.size() ? rule[at + 1] : '\0';
    if (c == '\\' && (next == ' ' || next == '#')) {
      word += next;
      ++at;
    } else if (c == '\\' && next == '\n') {
      end_word();
      ++at;
    } else if (c == '$' && next == '$') {
      word += c;
      ++at;
    } else if (c == ' ' || c == '\n') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return files;
}

BuildFolder::~BuildFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

ProgramStore::ProgramStore(fs::path folder, std::vector<fs::path> system)
    : folder_(std::move(folder)),
      system_(std::move(system)),
      entries_(folder_, kStoreBytes, kForm) {}

std::optional<BuiltProgram> ProgramStore::find(std::string_view request) {
  const auto names = entries_.find(files_key(request));
  if (!names) return std::nullopt;
  const auto files = from_bytes<std::vector<std::string>>(*names);
  if (!files) return std::nullopt;
  const auto found = entries_.find(program_key(request, state_of(*files)));
  if (!found) return std::nullopt;
  const auto entry = from_bytes<Entry>(*found);
  if (!entry) return std::nullopt;
  const fs::path executable = folder_ / entry->file;
  std::error_code error;
  if (fs::file_size(executable, error) != entry->bytes || error) return std::nullopt;
  fs::last_write_time(executable, fs::file_time_type::clock::now(), error);  // eviction goes by it
  return BuiltProgram{.executable = executable, .cached = true, .said = entry->said};
}

Expected<BuildFolder> ProgramStore::new_build_folder() {
  std::error_code error;
  fs::create_directories(folder_, error);
  remove_abandoned(folder_);
  std::string name = (folder_ / fmt::format("{}XXXXXX", kBuildFolders)).string();
  if (::mkdtemp(name.data()) != nullptr) return BuildFolder(name);
  return unwritable(name, {errno, std::generic_category()});
}

Expected<BuiltProgram> ProgramStore::keep(std::string_view request, const Result& result) {
  std::vector<std::string> files = result.files;
  const std::vector<std::string> absent = absent_namesakes(result);
  files.insert(files.end(), absent.begin(), absent.end());
  const std::string key = program_key(request, state_of(files));
  const std::string hash = hash_of(key);
  Entry entry{.file = fmt::format("{}/{}-{}", hash.substr(0, 2), result.name, hash),
              .said = result.said};
  const fs::path executable = folder_ / entry.file;
  std::error_code error;
  entry.bytes = fs::file_size(result.executable, error);
  fs::create_directories(executable.parent_path(), error);
  fs::rename(result.executable, executable, error);
  if (error) return unwritable(executable, error);
  if (!changed_since(result.files, result.begun)) {
    entries_.store(key, to_bytes(entry));
    entries_.store(files_key(request), to_bytes(files));
  }
  return BuiltProgram{.executable = executable, .said = result.said};
}

bool ProgramStore::is_systems(const fs::path& file) const {
  return std::any_of(system_.begin(), system_.end(),
                     [&file](const fs::path& folder) { return is_below(folder, file); });
}

/// Files that are not there, and that a compiler would take for one of the user's that were read: of the same name, below another
/// of the folders that are searched.
std::vector<std::string> ProgramStore::absent_namesakes(const Result& result) const {
  std::set<std::string> absent;
  for (const std::string& file : result.files) {
    if (is_systems(file)) continue;
    for (const fs::path& home : result.search) {
      if (!is_below(home, file)) continue;
      for (const fs::path& folder : result.search) {
        const fs::path namesake = folder / fs::path(file).lexically_relative(home);
        std::error_code error;
        if (!fs::exists(namesake, error)) absent.insert(namesake.string());
      }
    }
  }
  return {absent.begin(), absent.end()};
}

std::string ProgramStore::state_of(const std::vector<std::string>& files) const {
  std::string state;
  for (const std::string& file : files) {
    struct stat about {};
    if (!is_systems(file)) {
      const auto content = read_file(file);
      state += fmt::format("{} {}\n", file, content ? hash_of(*content) : "none");
    } else if (::stat(file.c_str(), &about) == 0) {
      state += fmt::format("{} {} {}.{}\n", file, about.st_size, about.st_mtim.tv_sec,
                           about.st_mtim.tv_nsec);
    } else {
      state += fmt::format("{} none\n", file);
    }
  }
  return state;
}

}  // namespace warpbook::device
