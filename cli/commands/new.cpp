// warpbook new exercise|chapter ID: a folder that explains itself and passes the tests, to be changed from there.
#include <filesystem>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/own_folders.hpp"
#include "device/platform.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::cli {
namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string what, id, chapter, course;
  LanguageFlag language;
};

/// Where the files go: the tree, or the course's folder.
fs::path place_of(const Flags& flags) {
  return flags.course.empty() ? device::root_folder() : fs::path(flags.course);
}

int write_new(const Flags& flags) {
  const auto strings = flags.language.strings();
  if (!is_own_name(flags.id)) {
    return complain({device::ErrorCode::file_unwritable,
                     {{"file", flags.id}, {"why", device::Message{"phrase.own.name", {}, {}}}},
                     {}},
                    strings.get());
  }
  if (const auto chapter = find_chapter(flags.chapter); !chapter)
    return complain(chapter.error(), strings.get());
  const fs::path root = device::root_folder();
  const auto files = write_templates(root, flags.what, {flags.id, flags.chapter}, place_of(flags));
  if (!files) return complain(files.error(), strings.get());
  for (const fs::path& file : *files) fmt::print("  {}\n", file.string());
  if (!flags.course.empty()) {
    if (const auto linked = link_course(root, flags.course); !linked)
      return complain(linked.error(), strings.get());
  }
  if (const auto listed = list_own_chapters(root); !listed)
    return complain(listed.error(), strings.get());
  // Where the link leads, since a check takes no link.
  const std::string place = flags.course.empty() ? "" : (fs::path(flags.course) / "").string();
  fmt::print("\n{}\n",
             (*strings)("cli.new." + flags.what,
                        {{"id", flags.id}, {"chapter", flags.chapter}, {"place", place}}));
  return kDone;
}

}  // namespace

void add_new(CommandLine& line) {
  auto flags = std::make_shared<Flags>();
  Verb verb = line.add("new", "Begin an exercise or a chapter of your own");
  verb.option("what", flags->what, "exercise or chapter")
      .required()
      .one_of({"exercise", "chapter"});
  verb.option("id", flags->id, "Its name: small letters, digits and hyphens").required();
  flags->chapter = lessons::catalogue().front().slug;
  verb.option("--chapter", flags->chapter,
              "The chapter that an exercise is for (default: " + flags->chapter + ")");
  verb.option("--course", flags->course,
              "Write into this folder of a course, and link it into Warpbook (default: into "
              "Warpbook itself)");
  flags->language.add_to(verb);
  verb.does([flags] { return write_new(*flags); });
}

}  // namespace warpbook::cli
