#include "lab/grading/placing.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "lab/exercise/source_tokens.hpp"

namespace warpbook::lab {
namespace {

/// "Saxpy-2.cu" and "saxpy (2).cu" -> "saxpy" and 2: how often it was handed in before is no part of a name.
struct Stem {
  std::string name;  ///< in small letters, words joined by "-"
  std::uint64_t attempt = 0;
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

Stem stem_of(const std::string& file) {
  Stem stem;
  for (const char c : file.substr(0, file.find_last_of('.'))) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0 || letter >= 0x80) {
      stem.name += static_cast<char>(std::tolower(letter));
    } else if (!stem.name.empty() && stem.name.back() != '-') {
      stem.name += '-';
    }
  }
  while (stem.name.ends_with('-')) stem.name.pop_back();
  const std::size_t dash = stem.name.find_last_of('-');
  const std::string digits = dash == stem.name.npos ? "" : stem.name.substr(dash + 1);
  constexpr std::size_t kMostDigits = 9;
  if (!digits.empty() && digits.size() <= kMostDigits && std::ranges::all_of(digits, is_digit)) {
    stem.attempt = std::stoull(digits);
    stem.name.resize(dash);
  }
  return stem;
}

/// `id` as whole words of `name`: "warp-sum" in "my-warp-sum-final", and not "crop" in "microprocessor".
bool names(const std::string& name, const std::string& id) {
  return ("-" + name + "-").find("-" + id + "-") != std::string::npos;
}

/// The names of the kernels that a source defines.
std::set<std::string> kernels_of(std::string_view source) {
  std::set<std::string> kernels;
  const std::vector<SourceToken> tokens = source_tokens(source);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != "__global__") continue;
    // The name is the last word before the parameters; __launch_bounds__ has parentheses of its own.
    for (std::size_t next = i + 1; next + 1 < tokens.size(); ++next) {
      const bool called = tokens[next + 1].text == "(";
      if (!called || tokens[next].kind != SourceToken::Kind::name ||
          tokens[next].text == "__launch_bounds__")
        continue;
      kernels.emplace(tokens[next].text);
      break;
    }
  }
  return kernels;
}

class Placer {
 public:
  explicit Placer(std::span<const ExerciseText> exercises) : exercises_(exercises) {
    for (const ExerciseText& exercise : exercises)
      kernels_[exercise.id] = kernels_of(exercise.starter);
  }

  /// The exercise of this file, or why there is none.
  [[nodiscard]] const ExerciseText* exercise_of(const HandedIn& file, Message& why) const {
    if (!has_ending(file) && kernels_of(file.text).empty()) {
      why = {"phrase.handed.no-source", {}, {}};
      return nullptr;
    }
    if (const ExerciseText* named = by_name(file)) return named;
    if (exercises_.size() == 1) return &exercises_.front();
    if (const ExerciseText* defined = by_kernel(file)) return defined;
    why = {"phrase.handed.no-exercise", {}, {}};
    return nullptr;
  }

  /// Of a source, or of an archive that could not be read and so stands for what was in it.
  [[nodiscard]] static bool has_ending(const HandedIn& file) {
    const std::string ending =
        file.name.substr(std::min(file.name.find_last_of('.'), file.name.size()));
    return ending == ".cu" || ending == ".toml" || !file.problem.empty();
  }

 private:
  /// The longest id is meant: "warp-uniform" rather than "warp".
  [[nodiscard]] const ExerciseText* by_name(const HandedIn& file) const {
    const std::string name = stem_of(file.name).name;
    const ExerciseText* best = nullptr;
    for (const ExerciseText& exercise : exercises_) {
      if (names(name, exercise.id) && (!best || exercise.id.size() > best->id.size()))
        best = &exercise;
    }
    return best;
  }
  [[nodiscard]] const ExerciseText* by_kernel(const HandedIn& file) const {
    const ExerciseText* found = nullptr;
    const std::set<std::string> defined = kernels_of(file.text);
    for (const ExerciseText& exercise : exercises_) {
      const auto shared = [&](const std::string& kernel) { return defined.contains(kernel); };
      if (!std::ranges::any_of(kernels_.at(exercise.id), shared)) continue;
      if (found) return nullptr;  // two exercises have a kernel of that name
      found = &exercise;
    }
    return found;
  }

  std::span<const ExerciseText> exercises_;
  std::map<std::string, std::set<std::string>> kernels_;
};

/// Later files come last: by the time, by the system's number, by the number in the name.
auto attempt_of(const HandedIn& file) {
  return std::tuple(file.when.value_or(0), file.number, stem_of(file.name).attempt, file.path);
}

}  // namespace

Placing place(const Download& download, std::span<const ExerciseText> exercises) {
  const Placer placer(exercises);
  Placing placing;
  std::vector<HandedIn> files = download.files;
  std::ranges::sort(files, {}, attempt_of);
  // A text with a kernel in it counts where no source file was handed in; beside one it may well be notes.
  std::ranges::stable_partition(files,
                                [](const HandedIn& file) { return !Placer::has_ending(file); });
  for (HandedIn& file : files) {
    Message why;
    const ExerciseText* exercise = placer.exercise_of(file, why);
    if (!exercise) {
      placing.unplaced.push_back({file.student, file.path, file.name, std::move(why)});
      continue;
    }
    const auto [at, fresh] = placing.placed.try_emplace({file.student, exercise->id});
    if (!fresh) at->second.earlier.push_back(at->second.counts.path);
    at->second.counts = std::move(file);
  }
  return placing;
}

}  // namespace warpbook::lab
