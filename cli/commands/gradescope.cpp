// warpbook gradescope ID FILE: an autograder for Gradescope, with all that it needs.
#include <link.h>

#include <fmt/format.h>

#include "cli/checking.hpp"
#include "device/compiler/toolkit.hpp"
#include "device/platform.hpp"
#include "lab/grading/autograder.hpp"
#include "lab/grading/course.hpp"
#include "lab/text/host.hpp"

namespace warpbook::cli {
namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string exercise, out, course;
  std::optional<std::uint64_t> seed;
  LanguageFlag language;
};

/// What this process has loaded, the loader among it: what any process of this program needs.
std::vector<fs::path> loaded_libraries() {
  std::vector<fs::path> libraries;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* list) {
        // The program itself has no name, and the kernel's own library no folder.
        const fs::path path = info->dlpi_name;
        if (path.is_absolute()) static_cast<std::vector<fs::path>*>(list)->push_back(path);
        return 0;
      },
      &libraries);
  return libraries;
}

/// --seed, else the course's key, else a new one.
device::Expected<std::uint64_t> key_of(const Flags& flags) {
  if (flags.seed) return *flags.seed;
  if (flags.course.empty()) return lab::seed_of_this_check();
  const auto course = lab::load_course(flags.course);
  if (!course) return tl::unexpected(course.error());
  return course->seed.value_or(lab::seed_of_this_check());
}

int write_autograder(const Flags& flags) {
  const auto strings = flags.language.strings();
  if (const auto named = ends_in(flags.out, ".zip"); !named)
    return complain(named.error(), strings.get());
  const auto exercise = exercise_named(flags.exercise, flags.language.language());
  if (!exercise) return complain(exercise.error(), strings.get());
  if (exercise->submission != lab::Submission::kernel) {
    fmt::print(stderr, "warpbook: {}\n",
               (*strings)("cli.gradescope.no-kernel", {{"exercise", exercise->id}}));
    return kBadUsage;
  }
  const auto key = key_of(flags);
  if (!key) return complain(key.error(), strings.get());
  const auto toolkit = device::find_toolkit();
  if (!toolkit) return complain(toolkit.error(), strings.get());
  const auto entries = lab::autograder_files(
      {*exercise, *key, flags.language.language(), (*strings)("cli.gradescope.no-source"),
       device::root_folder(), device::executable_path(), loaded_libraries(), *toolkit});
  if (!entries) return complain(entries.error(), strings.get());
  if (const auto written = lab::write_zip(flags.out, *entries); !written)
    return complain(written.error(), strings.get());
  std::error_code ignored;
  fmt::print("{}\n", (*strings)("cli.gradescope.written",
                                {{"file", flags.out},
                                 {"size", lab::byte_count(fs::file_size(flags.out, ignored))},
                                 {"points", exercise->points},
                                 {"key", std::to_string(*key)}}));
  return kDone;
}

}  // namespace

void add_gradescope(CommandLine& line) {
  auto flags = std::make_shared<Flags>();
  Verb verb = line.add("gradescope", "Write an exercise's autograder for Gradescope");
  verb.option("exercise", flags->exercise, "The exercise").required();
  verb.option("out", flags->out, "The file to write, .zip").required();
  verb.option("--seed", flags->seed,
              "The key of the hidden cases, which each student has for themselves (default: the "
              "course's, else a new one)");
  verb.option("--course", flags->course, "A folder with course.toml, which may hold the key");
  flags->language.add_to(verb);
  verb.does([flags] { return write_autograder(*flags); });
}

}  // namespace warpbook::cli
