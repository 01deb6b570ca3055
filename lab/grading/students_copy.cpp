#include "lab/grading/students_copy.hpp"

#include <algorithm>
#include <array>

#include "device/platform.hpp"
#include "lab/exercise/sealed_solution.hpp"

namespace warpbook::lab {
namespace {

namespace fs = std::filesystem;

const std::string kTop = "warpbook/";
constexpr std::array kTree{"CMakeLists.txt",
                           "CMakePresets.json",
                           "CONTRIBUTING.md",
                           "LICENSE",
                           "README.md",
                           "README.zh.md",
                           "THIRD_PARTY.md",
                           "cli",
                           "cmake",
                           "device",
                           "docs",
                           "exercises",
                           "gui",
                           "kernels",
                           "lab",
                           "lang",
                           "lessons",
                           "ranks",
                           "training",
                           "warpbook"};

/// Of the tree's paths: what is the instructor's alone, and what editors and file managers leave behind.
bool stays_here(const fs::path& path) {
  const std::string name = path.filename().string(), room = path.begin()->string();
  if (name.starts_with('.') || name.ends_with('~')) return true;
  if (room == "lessons") return name == "teach.md";
  return room == "exercises" &&
         (name == "mutants" || name == "alternatives" || name == "hidden.toml");
}

bool is_answer(std::string_view table) {
  return table.starts_with("[[mutant]]") || table.starts_with("[[alternative]]") ||
         table.starts_with("[[equal]]");
}

device::Expected<void> strip_exercises(std::vector<ZipEntry>& entries) {
  for (ZipEntry& entry : entries) {
    if (entry.file.filename() != "exercise.toml") continue;
    auto text = device::read_file(entry.file);
    if (!text) return tl::unexpected(text.error());
    entry = {entry.path, without_answers(*text), {}, false};
  }
  return {};
}

}  // namespace

std::string without_answers(std::string_view exercise_toml) {
  std::string kept;
  bool answers = false;
  while (!exercise_toml.empty()) {
    const std::size_t end = std::min(exercise_toml.find('\n'), exercise_toml.size() - 1) + 1;
    const std::string_view line = exercise_toml.substr(0, end);
    exercise_toml.remove_prefix(end);
    if (line.starts_with('[')) answers = is_answer(line);
    if (!answers) kept += line;
  }
  return kept;
}

device::Expected<std::vector<ZipEntry>> students_copy(const fs::path& root,
                                                      const std::vector<ExerciseText>& exercises,
                                                      const Seal& seal) {
  std::vector<ZipEntry> entries;
  for (const std::string name : kTree) {
    const auto leaves_out = [&](const fs::path& path) { return stays_here(name / path); };
    if (auto added = add_tree(entries, root / name, kTop + name, leaves_out); !added)
      return tl::unexpected(added.error());
  }
  if (auto stripped = strip_exercises(entries); !stripped) return tl::unexpected(stripped.error());
  for (const ExerciseText& exercise : exercises) {
    // Of settings and of whole programs a check looks at no solution.
    if (exercise.submission != Submission::kernel) continue;
    auto sealed = seal(exercise);
    if (!sealed) return tl::unexpected(sealed.error());
    entries.push_back({kTop + sealed_solution(exercise.id), std::move(*sealed), {}, false});
  }
  std::ranges::sort(entries, {}, &ZipEntry::path);
  return entries;
}

}  // namespace warpbook::lab
