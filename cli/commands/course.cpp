// warpbook course link FOLDER: an instructor's own chapters and exercises become part of this Warpbook. warpbook course export FILE: what
// students get of it.
#include <fmt/format.h>

#include "cli/checking.hpp"
#include "cli/own_folders.hpp"
#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/exercise/sealed_solution.hpp"
#include "lab/grading/students_copy.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/text/host.hpp"

namespace warpbook::cli {
namespace {

namespace fs = std::filesystem;
using device::Expected;

struct Flags {
  std::string what, path;
  LanguageFlag language;
};

int link(const Flags& flags, const lab::Strings& strings) {
  const fs::path root = device::root_folder();
  const auto links = link_course(root, flags.path);
  if (!links) return complain(links.error(), &strings);
  if (const auto listed = list_own_chapters(root); !listed)
    return complain(listed.error(), &strings);
  for (const fs::path& each : *links) fmt::print("  {}\n", each.string());
  fmt::print("{}\n", lab::counted(strings, "cli.course.linked", links->size()));
  return kDone;
}

/// Of every exercise of this Warpbook.
Expected<std::vector<lab::ExerciseText>> all_exercises(const std::string& language) {
  std::vector<lab::ExerciseText> texts;
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    auto text = exercise_named(exercise.id, language);
    if (!text) return tl::unexpected(text.error());
    texts.push_back(std::move(*text));
  }
  return texts;
}

Expected<std::string> sealed(const lab::ExerciseText& exercise) {
  const auto solution = lab::load_solution(device::root_folder().string(), exercise);
  if (!solution) return tl::unexpected(solution.error());
  auto ptx = lab::seal_solution(*compiler(), *solution);
  if (!ptx) return tl::unexpected(ptx.error().error);
  return *ptx;
}

int export_copy(const Flags& flags, const lab::Strings& strings) {
  if (const auto named = ends_in(flags.path, ".zip"); !named)
    return complain(named.error(), &strings);
  // Its solution would be missing, and nobody has seen its check run.
  if (const auto unbuilt = unbuilt_exercises(); !unbuilt.empty())
    return complain(not_built(unbuilt.front()), &strings);
  const auto texts = all_exercises(flags.language.language());
  if (!texts) return complain(texts.error(), &strings);
  const auto entries = lab::students_copy(device::root_folder(), *texts, sealed);
  if (!entries) return complain(entries.error(), &strings);
  if (const auto written = lab::write_zip(flags.path, *entries); !written)
    return complain(written.error(), &strings);
  std::error_code ignored;
  fmt::print("{}\n", strings("cli.course.exported",
                             {{"file", flags.path},
                              {"count", entries->size()},
                              {"size", lab::byte_count(fs::file_size(flags.path, ignored))}}));
  return kDone;
}

int course(const Flags& flags) {
  const auto strings = flags.language.strings();
  return flags.what == "link" ? link(flags, *strings) : export_copy(flags, *strings);
}

}  // namespace

void add_course(CommandLine& line) {
  auto flags = std::make_shared<Flags>();
  Verb verb = line.add("course", "Take a course's own folders in, or give students their copy");
  verb.option("what", flags->what,
              "link: the chapters and exercises of a course's folder become part of this Warpbook; "
              "export: write the students' copy, without solutions, hidden cases and notes")
      .required()
      .one_of({"link", "export"});
  verb.option("path", flags->path, "The course's folder; or the file to write, .zip").required();
  flags->language.add_to(verb);
  verb.does([flags] { return course(*flags); });
}

}  // namespace warpbook::cli
