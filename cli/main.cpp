// The program: one verb a command. Without a verb it opens the book's window, or says how to read it without one.
#include <charconv>
#include <clocale>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/demo_chapter.hpp"
#include "cli/known_names.hpp"
#include "device/platform.hpp"
#include "lab/book/place_link.hpp"
#include "lab/document/document.hpp"
#include "lab/document/glossary.hpp"
#include "lab/text/unicode.hpp"
#include "lessons/catalogue.hpp"
#ifdef WARPBOOK_GUI
#include "gui/app.hpp"
#endif

namespace warpbook::cli {
namespace {

struct ShotFlags {
  ChapterFlags chapter;
  std::string out, size = "1440x900", theme = "dark", language = lab::kEnglish, step, thread, find,
                   term, program;
  float scale = 1;
  std::uint32_t line = 0;
  std::optional<std::uint64_t> screen;
  bool ptx = false, sass = false, lab = false;
  std::vector<std::string> answers;
};

struct PresentFlags {
  std::string what, votes, notes = "auto";
};

#ifdef WARPBOOK_GUI

/// "A<between>B", and nothing else.
template <class T>
bool two_numbers(std::string_view text, char between, T& a, T& b) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, a);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != between) return false;
  const auto second = std::from_chars(first.ptr + 1, end, b);
  return second.ec == std::errc() && second.ptr == end;
}

/// The flags that name something of the text, held against it.
device::Expected<device::Done> fits_the_text(const ShotFlags& flags, const std::string& language) {
  const std::string root = device::root_folder().string();
  const auto document = lab::load_document(root, flags.chapter.chapter, language);
  if (!document) return tl::unexpected(document.error());
  if (!flags.step.empty()) {
    if (auto known = known_step(*document, flags.step); !known) return known;
  }
  if (!flags.term.empty()) {
    const auto glossary = lab::load_glossary(root, lessons::catalogue(), language);
    if (!glossary) return tl::unexpected(glossary.error());
    if (auto known = known_term(*glossary, flags.term); !known) return known;
  }
  for (const std::string& answer : flags.answers) {
    if (auto known = known_answer(*document, answer); !known) return known;
  }
  return device::Done{};
}

/// The file of a lecture, where a chapter may be named.
bool is_lecture(const std::string& place) { return place.ends_with(".toml"); }

/// The chapter's demo, held against the chapter.
device::Expected<lab::Demo> known_demo(const std::string& file) {
  auto demo = lab::load_demo(file);
  if (!demo) return demo;
  auto chapter = chapter_of_demo(*demo);
  if (!chapter) return tl::unexpected(chapter.error());
  if (auto problems = lab::validate(*demo, *chapter->lesson, chapter->document); !problems.empty())
    return tl::unexpected(std::move(problems.front()));
  return demo;
}

/// Puts the prepared lecture that the flags name into the options, and its chapter into the flags.
device::Expected<device::Done> take_lecture(ShotFlags& flags, gui::ShotOptions& options) {
  const std::string file = flags.chapter.chapter;
  if (!is_lecture(file)) return device::Done{};
  auto demo = known_demo(file);
  if (!demo) return tl::unexpected(demo.error());
  const ChapterFlags& given = flags.chapter;
  if (!given.preset.empty() || !given.assignments.empty() || !given.sources.empty() ||
      given.gpu != device::kDefaultGpu) {
    return device::failure(device::ErrorCode::bad_value,
                           {{"key", "--set, --preset, --source, --gpu"},
                            {"what", "warpbook shot"},
                            {"got", file},
                            {"expected", device::Message{"phrase.demo.sets-itself", {}, {}}}});
  }
  flags.chapter.chapter = demo->chapter;
  if (!flags.screen) flags.screen = 1;
  options.demo = std::move(*demo);
  return device::Done{};
}

int shot(ShotFlags flags) {
  gui::ShotOptions options;
  if (const auto taken = take_lecture(flags, options); !taken) return complain(taken.error());
  const auto lesson = flags.chapter.lesson();
  if (!lesson) return complain(lesson.error());
  auto inputs = flags.chapter.inputs(**lesson);
  if (!inputs) return complain(inputs.error());
  if (const auto named = ends_in(flags.out, ".png"); !named) return complain(named.error());
  options.chapter = (*lesson)->slug;
  options.out = flags.out;
  if (!two_numbers(flags.size, 'x', options.width, options.height) || options.width < 320 ||
      options.height < 240 || options.width > 8192 || options.height > 8192) {
    fmt::print(stderr,
               "warpbook: --size is \"{}\"; write WIDTHxHEIGHT, from 320x240 to 8192x8192\n",
               flags.size);
    return kBadUsage;
  }
  options.scale = flags.scale;
  options.theme = flags.theme;
  options.language = flags.language;
  if (const auto fits = fits_the_text(flags, options.language); !fits)
    return complain(fits.error());
  options.inputs = *inputs;
  options.step = flags.step;
  options.find = flags.find;
  options.term = flags.term;
  options.program = flags.program;
  options.line = flags.line;
  options.ptx = flags.ptx;
  options.sass = flags.sass;
  options.lab_alone = flags.lab;
  options.screen = flags.screen;
  options.root = device::root_folder().string();
  for (const std::string& answer : flags.answers) {
    const auto equals = answer.find('=');
    options.answers[answer.substr(0, equals)] =
        equals == std::string::npos ? "" : answer.substr(equals + 1);
  }
  if (!flags.thread.empty()) {
    std::uint32_t block = 0, thread = 0;
    if (!two_numbers(flags.thread, ':', block, thread)) {
      fmt::print(stderr, "warpbook: --thread is \"{}\"; write BLOCK:THREAD, as 1:2\n",
                 flags.thread);
      return kBadUsage;
    }
    options.thread = {block, thread};
  }
  return gui::shot(options);
}

/// Holds what a link names against its chapter.
device::Expected<lab::PlaceLink> known_link(const std::string& text) {
  auto link = lab::place_link_of(text);
  if (!link) return link;
  const auto lesson = find_chapter(link->chapter);
  if (!lesson) return tl::unexpected(lesson.error());
  lab::Values values = lab::defaults((*lesson)->parameters);
  for (const auto& [name, value] : link->values) {
    if (auto taken = lab::assign((*lesson)->parameters, values, name + "=" + value); !taken)
      return tl::unexpected(taken.error());
  }
  if (!link->gpu.empty()) {
    if (auto known = device::known_gpu(link->gpu); !known) return tl::unexpected(known.error());
  }
  if (link->step.empty()) return link;
  const std::string root = device::root_folder().string();
  const auto document = lab::load_document(root, link->chapter, lab::language_of_locale(root));
  if (!document) return tl::unexpected(document.error());
  if (auto known = known_step(*document, link->step); !known) return tl::unexpected(known.error());
  return link;
}

/// A file of CUDA that somebody names where a chapter may be named.
bool names_a_file(const std::string& place) {
  return place.ends_with(".cu") || place.ends_with(".cuh");
}

/// Whether a source is a program by itself, and not only a kernel.
bool has_main(const std::string& source) {
  static const std::regex main_function(R"(\bmain\s*\()");
  return std::regex_search(source, main_function);
}

/// A program opens on the page of programs, a kernel on the scratch page.
device::Expected<device::Done> put_file(const std::string& file, gui::OpenOptions& options) {
  auto source = device::read_file(file);
  if (!source) return tl::unexpected(source.error());
  if (lab::valid_utf8(*source) != *source)
    return device::failure(device::ErrorCode::not_utf8, {{"file", file}});
  if (has_main(*source)) {
    options.program = file;
  } else {
    options.chapter = lessons::scratch().slug;
    options.snippet = std::move(*source);
  }
  return device::Done{};
}

int open_book(const std::string& place, const std::string& program) {
  gui::OpenOptions options{{},
                           device::root_folder().string(),
                           device::state_folder().string(),
                           device::work_folder().string(),
                           program};
  if (names_a_file(place)) {
    if (const auto put = put_file(place, options); !put) return complain(put.error());
  } else if (!place.empty()) {
    auto link = known_link(place);
    if (!link) return complain(link.error());
    options.chapter = link->chapter;
    // A chapter's name alone opens it where the reader left off.
    if (place != link->chapter) options.link = std::move(*link);
  }
  return gui::open_window(options);
}

int present(const PresentFlags& flags) {
  gui::OpenOptions options{{},
                           device::root_folder().string(),
                           device::state_folder().string(),
                           device::work_folder().string(),
                           {}};
  options.lecture.emplace();
  options.lecture->votes = flags.votes;
  using gui::NotesPlace;
  options.lecture->notes = flags.notes == "window" ? NotesPlace::window
                           : flags.notes == "pane" ? NotesPlace::pane
                           : flags.notes == "none" ? NotesPlace::none
                                                   : NotesPlace::automatic;
  if (is_lecture(flags.what)) {
    auto demo = known_demo(flags.what);
    if (!demo) return complain(demo.error());
    options.chapter = demo->chapter;
    options.lecture->demo = std::move(*demo);
  } else if (!flags.what.empty()) {
    const auto lesson = find_chapter(flags.what);
    if (!lesson) return complain(lesson.error());
    options.chapter = (*lesson)->slug;
  }
  return gui::open_window(options);
}

#else

constexpr const char* kNoWindow =
    "warpbook: this build has no window; build it with -DWARPBOOK_GUI=ON, or use `warpbook run` "
    "and `warpbook read`\n";

int shot(const ShotFlags&) {
  fmt::print(stderr, kNoWindow);
  return kMissing;
}

int open_book(const std::string&, const std::string&) {
  fmt::print(stderr, kNoWindow);
  return kMissing;
}

int present(const PresentFlags&) {
  fmt::print(stderr, kNoWindow);
  return kMissing;
}

#endif

void add_shot(CommandLine& line) {
  auto flags = std::make_shared<ShotFlags>();
  Verb verb = line.add("shot", "Draw a chapter into a PNG; needs no display");
  flags->chapter.add_to(verb);
  verb.option("out", flags->out, "The file to write, .png").required();
  verb.option("--size", flags->size, "WIDTHxHEIGHT in points (default: 1440x900)");
  verb.option("--scale", flags->scale, "Pixels a point (default: 1)").between(0.5, 4);
  verb.option("--theme", flags->theme, "dark, light or contrast")
      .one_of({"dark", "light", "contrast"});
  const auto codes = lab::language_codes(device::root_folder().string());
  verb.option("--lang", flags->language, fmt::format("{}", fmt::join(codes, ", "))).one_of(codes);
  verb.option("--step", flags->step, "The chapter's step to show: ask, predict, run, ...");
  verb.option("--find", flags->find, "Words to find in the chapter");
  verb.option("--term", flags->term, "A term at which to open the glossary");
  verb.option("--program", flags->program,
              "The page of your own program instead, with this .cu file and its run");
  verb.option("--thread", flags->thread,
              "A thread to link, as if it were pointed at: BLOCK:THREAD");
  verb.option("--line", flags->line, "A line of the source to link, likewise");
  verb.flag("--ptx", flags->ptx, "With the PTX beside the source");
  verb.flag("--sass", flags->sass, "With its machine code beside it");
  verb.flag("--lab", flags->lab, "The lab, where the window is too narrow for it beside the text");
  verb.option("--screen", flags->screen,
              "This screen of a lecture instead, from 1: of one on the chapter, or of one that you "
              "prepared, "
              "whose file then stands in the chapter's place");
  verb.option("--answer", flags->answers,
              "A question answered beforehand: ID=VALUE, or ID to show what the run says (may "
              "be repeated)");
  verb.does([flags] { return shot(*flags); });
}

void add_open(CommandLine& line) {
  auto chapter = std::make_shared<std::string>(), program = std::make_shared<std::string>();
  Verb verb = line.add("open", "Open the book's window");
  verb.option(
      "chapter", *chapter,
      "Where to open it, also with parameters and a step: "
      "'coalescing?stride=8&step=compare'; or a .cu file of yours: a kernel opens on the "
      "scratch page, a whole program on the page of programs (default: where you left off)");
  verb.option("--program", *program, "A .cu file of yours, to work at in the window");
  verb.does([chapter, program] { return open_book(*chapter, *program); });
}

void add_present(CommandLine& line) {
  auto flags = std::make_shared<PresentFlags>();
  Verb verb = line.add("present", "Hold a lecture: one step a screen, answers covered");
  verb.option("what", flags->what,
              "A chapter, or a lecture that you prepared, demo.toml (default: where you left off)");
  verb.option("--votes", flags->votes,
              "The file that votes are kept in when you ask for it (default: votes.csv in the "
              "folder of your state)");
  verb.option("--notes", flags->notes,
              "Where your notes are: window, pane, none, or auto, which is a window on a second "
              "monitor if there is one (default: auto)")
      .one_of({"auto", "window", "pane", "none"});
  verb.does([flags] { return present(*flags); });
}

int main(int argc, char** argv) {
  std::setlocale(LC_CTYPE, "");
  CommandLine line;
  add_open(line);
  add_present(line);
  add_demo(line);
  add_list(line);
  add_run(line);
  add_check(line);
  add_exercises(line);
  add_watch(line);
  add_grade(line);
  add_course(line);
  add_new(line);
  add_gradescope(line);
  add_mutants(line);
  add_read(line);
  add_export(line);
  add_glossary(line);
  add_shot(line);
  add_launch(line);
  add_program(line);
  add_exec(line);
  add_ladder(line);
  add_train(line);
  add_engines(line);
  add_doctor(line);
  add_workers(line);
  return line.run(argc, argv, [] { return open_book("", ""); });
}

}  // namespace
}  // namespace warpbook::cli

int main(int argc, char** argv) { return warpbook::cli::main(argc, argv); }
