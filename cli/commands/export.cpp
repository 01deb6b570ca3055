// warpbook export CHAPTER FILE: the chapter as one HTML file, with its pictures and the results of its runs; or its whole program
// as a .cu file.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/book/chapter_page.hpp"
#include "lab/program/chapter_program.hpp"
#include "lab/render/render.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::cli {
namespace {

struct ExportFlags {
  ChapterFlags chapter;
  LanguageFlag language;
  std::string out, theme = "auto";
};

lab::PageTheme theme_of(const std::string& word) {
  if (word == "dark") return lab::PageTheme::dark;
  return word == "light" ? lab::PageTheme::light : lab::PageTheme::automatic;
}

/// Complains with one of the strings of this verb.
int refuse(const char* why, const std::string& name, const lab::Strings& strings) {
  fmt::print(stderr, "warpbook: {}\n", strings(std::string("cli.export.") + why, {{"name", name}}));
  return kBadUsage;
}

/// Flags of which a whole program, which has kernels and sizes of its own, would show nothing.
bool chooses_a_run(const ChapterFlags& flags) {
  return !flags.sources.empty() || !flags.assignments.empty() || !flags.preset.empty() ||
         !flags.drawing.empty();
}

/// The chapter's whole program, for the reader to change. So a file that is there already may be theirs, and stays.
int export_program(const std::string& root, const std::string& slug, const std::string& out,
                   const lab::Strings& strings) {
  const auto file = lab::program_of_chapter(root, slug);
  if (!file) return refuse("no-program", slug, strings);
  const auto text = lab::read_source_file(root, *file);
  if (!text) return complain(text.error(), &strings);
  std::error_code absent;
  if (std::filesystem::exists(out, absent) && device::read_file(out).value_or("") != *text)
    return refuse("exists", out, strings);
  if (const auto written = device::write_file_atomically(out, *text); !written)
    return complain(written.error(), &strings);
  fmt::print("{}\n", strings("cli.export.program", {{"file", out}}));
  return kDone;
}

int export_chapter(const ExportFlags& flags) {
  const auto strings = flags.language.strings();
  const std::string root = device::root_folder().string();
  const auto lesson = flags.chapter.lesson();
  if (!lesson) return complain(lesson.error(), strings.get());
  if (flags.out.ends_with(".cu")) {
    if (chooses_a_run(flags.chapter)) return refuse("own-kernels", flags.out, *strings);
    return export_program(root, (*lesson)->slug, flags.out, *strings);
  }
  const auto inputs = flags.chapter.inputs(**lesson);
  if (!inputs) return complain(inputs.error(), strings.get());
  // Before the runs, which take a while.
  if (const auto named = ends_in(flags.out, ".html"); !named)
    return complain(named.error(), strings.get());
  auto document = lab::load_document(root, (*lesson)->slug, flags.language.language());
  if (!document) return complain(document.error(), strings.get());

  const auto runs = lab::run_chapter(*document, **lesson, *inputs, compiler(), root);
  if (!runs) return complain(runs.error(), strings.get());
  int code = kDone;
  for (const device::Error& error : runs->shown->errors)
    code = std::max(code, complain(error, strings.get()));
  // Without what runs need there is nothing to show; what a kernel did wrong is a result.
  if (code >= kBadUsage) return code;
  const auto glossary = lab::load_glossary(root, lessons::catalogue(), flags.language.language());
  if (!glossary) return complain(glossary.error(), strings.get());
  lab::link_terms(*document, (*lesson)->slug, *glossary);
  const std::string page =
      lab::to_html_page(*document, **lesson, *runs, *strings, theme_of(flags.theme), *glossary);
  if (const auto written = device::write_file_atomically(flags.out, page); !written)
    return complain(written.error(), strings.get());
  fmt::print("{}\n", (*strings)("cli.export.written", {{"chapter", document->title},
                                                       {"file", flags.out},
                                                       {"size", lab::byte_count(page.size())}}));
  return code;
}

}  // namespace

void add_export(CommandLine& line) {
  auto flags = std::make_shared<ExportFlags>();
  Verb verb = line.add("export",
                       "Write a chapter into one HTML file, with its results, or its whole "
                       "program into a .cu file");
  flags->chapter.add_to(verb);
  verb.option("out", flags->out, "The file to write, .html or .cu").required();
  flags->language.add_to(verb);
  verb.option("--theme", flags->theme, "auto (as the reader's system has it), dark or light")
      .one_of({"auto", "dark", "light"});
  verb.does([flags] { return export_chapter(*flags); });
}

}  // namespace warpbook::cli
