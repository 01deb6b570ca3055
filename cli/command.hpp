// The verbs of the command line. Each is one file under commands/ that adds itself to the program in one line of main.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/verb.hpp"
#include "device/compiler/compiler.hpp"
#include "device/error.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::cli {

enum ExitCode : int {
  kDone = 0,
  kFailed =
      1,  ///< ran and failed: a check, a kernel error, a compile error, a launch that CUDA would refuse
  kBadUsage = 2,  ///< flags, unreadable or binary files
  kMissing = 3,   ///< something is missing from the machine, with the remedy
  kUnwritten =
      4  ///< what was to be printed could not be: what the command found out is not known to anybody
};

void add_demo(CommandLine& line);
void add_list(CommandLine& line);
void add_run(CommandLine& line);
void add_check(CommandLine& line);
void add_exercises(CommandLine& line);  ///< exercises, next, start, hint, reset
void add_watch(CommandLine& line);
void add_grade(CommandLine& line);  ///< grade, regrade
void add_course(CommandLine& line);
void add_new(CommandLine& line);
void add_gradescope(CommandLine& line);
void add_mutants(CommandLine& line);
void add_read(CommandLine& line);
void add_export(CommandLine& line);
void add_glossary(CommandLine& line);
void add_doctor(CommandLine& line);
void add_launch(CommandLine& line);
void add_program(CommandLine& line);
void add_exec(CommandLine& line);
void add_ladder(CommandLine& line);
void add_train(CommandLine& line);
void add_engines(CommandLine& line);
void add_workers(CommandLine& line);  ///< the hidden verbs in which children run

/// The code that suits an error.
ExitCode exit_code_of(device::ErrorCode code);
/// One line on standard error, "warpbook: <sentence>"; gives back exit_code_of.
int complain(const device::Error& error, const lab::Strings* strings = nullptr);

/// There is no `kind` ("chapter") of that name; says which there are.
device::Error unknown_name(const char* kind, std::string name,
                           const std::vector<std::string>& known);
/// The names of all of `things`, by a member.
template <class Things, class Member>
std::vector<std::string> names_of(const Things& things, Member member) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.*member);
  return names;
}

/// An error where a file to be written is not called so: ".png".
device::Expected<device::Done> ends_in(const std::string& file, std::string_view ending);

/// --check: the checkers that device::parse_checks knows, into `words`, whose text is the default.
void add_checks(Verb& verb, std::string& words);
/// The checkers that lessons and exercises run with unless --check names others.
inline constexpr const char* kLessonCheckWords = "memcheck,initcheck,racecheck,synccheck";

/// The help of --gpu: what it chooses, and the default.
std::string gpu_help(std::string_view what = "The simulated GPU");

/// The language of --lang, else of the locale.
struct LanguageFlag {
  std::string code;
  void add_to(Verb& verb);
  [[nodiscard]] std::string language() const;
  /// The strings in that language; complains and ends the program with kMissing where they cannot be read.
  [[nodiscard]] std::shared_ptr<const lab::Strings> strings() const;
};

// What the flags of a run mean, one by one; each checks what it is given.
/// "FILE" or "SLOT=FILE" into the inputs. A file that is not here is looked for below the book's root.
device::Expected<device::Done> place_source(const lab::Lesson& lesson, const std::string& argument,
                                            lab::Inputs& inputs);
/// All parameters as the preset has them, the others at their defaults.
device::Expected<device::Done> apply_preset(const lab::Lesson& lesson, const std::string& name,
                                            lab::Inputs& inputs);
device::Expected<device::Done> apply_gpu(const std::string& name, lab::Inputs& inputs);

/// The chapter, or an error that names those there are.
device::Expected<const lab::Lesson*> find_chapter(const std::string& slug);

/// The flags that choose a chapter and what it runs with.
struct ChapterFlags {
  std::string chapter, preset, drawing, gpu{device::kDefaultGpu};
  std::vector<std::string> assignments, sources;
  std::uint64_t seed = 0;
  void add_to(Verb& verb);
  [[nodiscard]] device::Expected<const lab::Lesson*> lesson() const {
    return find_chapter(chapter);
  }
  /// Defaults, then the preset, then --set and --source, all checked.
  [[nodiscard]] device::Expected<lab::Inputs> inputs(const lab::Lesson& lesson) const;
};

/// The compiler that this process's verbs share.
std::shared_ptr<device::Compiler> compiler();

}  // namespace warpbook::cli
