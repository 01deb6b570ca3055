#include "lab/exercise/work_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "device/platform.hpp"
#include "device/unique_fd.hpp"
#include "lab/text/host.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

namespace fs = std::filesystem;
using device::ErrorCode;

constexpr const char* kProgress = "progress.toml";
constexpr int kMostCopies = 10000;

/// TOML's quotation marks around a key or a text of ours, whatever it holds.
std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

/// Ids and gates are words with hyphens, which TOML takes as they are.
std::string toml_key(const std::string& key) {
  const bool bare = !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  return bare ? key : toml_text(key);
}

ExerciseProgress read_progress(const TomlEntry& entry, TomlReader& outer) {
  TomlReader reader(entry.name, entry.value, outer.file());
  ExerciseProgress progress;
  progress.points = static_cast<int>(reader.optional_integer("points").value_or(0));
  progress.possible = static_cast<int>(reader.optional_integer("possible").value_or(0));
  progress.passed = reader.optional_text("passed");
  if (const TomlValue* hints = reader.any("hints")) {
    TomlReader tiers("hints", *hints, outer.file());
    if (const auto* table = std::get_if<TomlTable>(&hints->value)) {
      for (const TomlEntry& gate : *table)
        progress.hints[gate.name] = static_cast<int>(tiers.integer(gate.name));
    }
    if (auto error = tiers.finish()) reader.keep(std::move(*error));
  }
  if (auto error = reader.finish()) outer.keep(std::move(*error));
  return progress;
}

}  // namespace

void ExerciseProgress::merge(const ExerciseProgress& other) {
  if (other.points > points || possible == 0) {
    points = other.points;
    possible = other.possible;
  }
  if (passed.empty() || (!other.passed.empty() && other.passed < passed)) passed = other.passed;
  for (const auto& [gate, tiers] : other.hints) hints[gate] = std::max(hints[gate], tiers);
}

void ExerciseProgress::take(const CheckReport& checked) {
  if (!checked.graded) return;
  merge({checked.points, checked.points_possible, checked.passed ? now_iso() : std::string(), {}});
}

std::string progress_to_toml(const Progress& progress) {
  std::string toml =
      "# What you have reached in Warpbook's exercises. Points are the most that any check of "
      "yours gave.\n";
  for (const auto& [id, reached] : progress) {
    toml += fmt::format("\n[{}]\n", toml_key(id));
    if (reached.possible != 0)
      toml += fmt::format("points = {}\npossible = {}\n", reached.points, reached.possible);
    if (!reached.passed.empty()) toml += fmt::format("passed = {}\n", toml_text(reached.passed));
    if (reached.hints.empty()) continue;
    std::string tiers;
    for (const auto& [gate, seen] : reached.hints)
      tiers += fmt::format("{}{} = {}", tiers.empty() ? "" : ", ", toml_key(gate), seen);
    toml += fmt::format("hints = {{ {} }}\n", tiers);
  }
  return toml;
}

device::Expected<Progress> progress_from_toml(const std::string& text, const std::string& file) {
  const auto table = parse_toml(text, file);
  if (!table) return tl::unexpected(table.error());
  TomlReader reader(kProgress, *table, file);
  Progress progress;
  for (const TomlEntry& entry : std::get<TomlTable>(table->value)) {
    reader.any(entry.name);
    progress[entry.name] = read_progress(entry, reader);
  }
  if (auto error = reader.finish()) return tl::unexpected(std::move(*error));
  return progress;
}

std::string exercise_of_file(std::string_view name) {
  if (name == kProgress) return {};
  const auto dot = name.find('.');
  if (dot == 0 || dot == name.npos) return {};
  const std::string_view ending = name.substr(dot);
  return ending == ".cu" || ending == ".toml" ? std::string(name.substr(0, dot)) : std::string();
}

bool WorkFolder::begun(const ExerciseText& text) const {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(file_of(text), ignored));
}

device::Expected<bool> WorkFolder::begin(const ExerciseText& text) const {
  if (begun(text)) return false;
  if (auto written = device::write_file_atomically(file_of(text), text.starter); !written)
    return tl::unexpected(written.error());
  return true;
}

device::Expected<fs::path> WorkFolder::reset(const ExerciseText& text) const {
  const fs::path file = file_of(text);
  fs::path copy;
  if (begun(text)) {
    const auto mine = device::read_file(file, kLargestSubmission);
    if (!mine) return tl::unexpected(mine.error());
    if (*mine == text.starter) return copy;
    auto kept = keep_copy(file.filename().string(), *mine);
    if (!kept) return kept;
    copy = std::move(*kept);
  }
  if (auto written = device::write_file_atomically(file, text.starter); !written)
    return tl::unexpected(written.error());
  return copy;
}

std::map<std::string, std::string> WorkFolder::files() const {
  std::map<std::string, std::string> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder_, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (exercise_of_file(name).empty()) continue;
    if (auto text = device::read_file(at->path(), kLargestSubmission))
      files[name] = std::move(*text);
  }
  return files;
}

device::Expected<void> WorkFolder::write(const std::string& name, std::string_view text,
                                         std::string_view known) const {
  std::error_code ignored;
  if (fs::exists(folder_ / name, ignored)) {
    const auto theirs = device::read_file(folder_ / name, kLargestSubmission);
    if (!theirs) return tl::unexpected(theirs.error());
    if (*theirs == text) return {};
    if (*theirs != known) {
      if (auto kept = keep_copy(name, *theirs); !kept) return tl::unexpected(kept.error());
    }
  }
  return device::write_file_atomically(folder_ / name, text);
}

device::Expected<fs::path> WorkFolder::keep_copy(const std::string& name,
                                                 std::string_view text) const {
  const fs::path file(name);
  for (int number = 1; number < kMostCopies; ++number) {
    fs::path copy = folder_ / fmt::format("{}.before-{}{}", file.stem().string(), number,
                                          file.extension().string());
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(copy, ignored))) continue;
    if (auto written = device::write_file_atomically(copy, text); !written)
      return tl::unexpected(written.error());
    return copy;
  }
  return device::failure(ErrorCode::file_unwritable,
                         {{"file", (folder_ / name).string()},
                          {"why", device::Message{"phrase.exercise.copies", {}, {}}}});
}

device::Expected<Progress> WorkFolder::progress() const {
  std::error_code ignored;
  const fs::path file = folder_ / kProgress;
  if (!fs::exists(file, ignored)) return Progress();
  const auto text = device::read_file(file, kLargestSubmission);
  if (!text) return tl::unexpected(text.error());
  return progress_from_toml(*text, file.string());
}

device::Expected<void> WorkFolder::change(const std::function<void(Progress&)>& edit) const {
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  // Where no lock can be made, the file itself cannot be written either, and says why.
  const device::UniqueFd lock(
      ::open((folder_ / ".progress.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  while (lock && ::flock(lock.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  auto before = progress();
  if (!before) return tl::unexpected(before.error());
  Progress after = *before;
  edit(after);
  if (after == *before) return {};
  return device::write_file_atomically(folder_ / kProgress, progress_to_toml(after));
}

}  // namespace warpbook::lab
