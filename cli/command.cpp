#include "cli/command.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device/platform.hpp"
#include "lab/text/unicode.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::cli {

using device::ErrorCode;

device::Expected<device::Done> place_source(const lab::Lesson& lesson, const std::string& argument,
                                            lab::Inputs& inputs) {
  if (lesson.slots.empty()) {
    return device::failure(ErrorCode::unknown_name,
                           {{"kind", device::Message{"phrase.kind.source", {}, {}}},
                            {"name", argument},
                            {"known", device::Message{"phrase.words.none", {}, {}}}});
  }
  std::string slot = lesson.slots.front().name, file = argument;
  for (const lab::SourceSlot& candidate : lesson.slots) {
    if (argument.starts_with(candidate.name + "=")) {
      slot = candidate.name;
      file = argument.substr(slot.size() + 1);
    }
  }
  std::error_code ignored;
  const std::filesystem::path in_book = device::root_folder() / file;
  const bool here = std::filesystem::exists(file, ignored),
             of_book = !here && std::filesystem::exists(in_book, ignored);
  if (const auto equals = file.find('='); !here && !of_book && equals != std::string::npos) {
    return tl::unexpected(unknown_name("source", file.substr(0, equals),
                                       names_of(lesson.slots, &lab::SourceSlot::name)));
  }
  const auto text = device::read_file(of_book ? in_book : std::filesystem::path(file), 1u << 20);
  if (!text) return tl::unexpected(text.error());
  // As it is, since its lines of //@ are the reader's own, and a chapter may launch the kernel by them.
  inputs.sources[slot] = *text;
  return device::Done{};
}

device::Expected<device::Done> apply_preset(const lab::Lesson& lesson, const std::string& name,
                                            lab::Inputs& inputs) {
  for (const lab::Preset& preset : lesson.presets) {
    if (preset.name != name) continue;
    inputs.values = lab::defaults(lesson.parameters);
    for (const auto& [parameter, value] : preset.values.all()) inputs.values.set(parameter, value);
    return device::Done{};
  }
  return tl::unexpected(unknown_name("preset", name, names_of(lesson.presets, &lab::Preset::name)));
}

device::Expected<device::Done> apply_gpu(const std::string& name, lab::Inputs& inputs) {
  if (const auto gpu = device::known_gpu(name); !gpu) return tl::unexpected(gpu.error());
  inputs.gpu = name;
  return device::Done{};
}

ExitCode exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_define:
    case ErrorCode::bad_architecture:
    case ErrorCode::bad_argument:
    case ErrorCode::not_text:
    case ErrorCode::not_utf8:
    case ErrorCode::no_such_gpu:
    case ErrorCode::file_unreadable:
    case ErrorCode::file_unwritable:
    case ErrorCode::unknown_name:
    case ErrorCode::toml_syntax:
    case ErrorCode::unknown_key:
    case ErrorCode::missing_key:
    case ErrorCode::bad_value:
    case ErrorCode::bad_assignment:
    case ErrorCode::no_such_parameter:
    case ErrorCode::parameter_out_of_range:
    case ErrorCode::parameter_not_integer:
    case ErrorCode::parameter_not_number:
    case ErrorCode::parameter_not_a_choice:
    case ErrorCode::program_box_folder:
    case ErrorCode::bad_problem: return kBadUsage;
    case ErrorCode::compiler_missing:
    case ErrorCode::no_device:
    case ErrorCode::worker_failed:
    case ErrorCode::box_missing:
    case ErrorCode::program_box_missing:
    case ErrorCode::library_missing:
    case ErrorCode::library_damaged:
    case ErrorCode::library_version:
    case ErrorCode::driver_missing:
    case ErrorCode::driver_too_old:
    case ErrorCode::gpu_self_test:
    case ErrorCode::missing_text: return kMissing;
    default: return kFailed;
  }
}

int complain(const device::Error& error, const lab::Strings* strings) {
  // An error may repeat words of a file or of a program, which must not steer the terminal.
  fmt::print(stderr, "warpbook: {}\n",
             lab::printable(strings ? (*strings)(error) : error.english()));
  return exit_code_of(error.code);
}

device::Error unknown_name(const char* kind, std::string name,
                           const std::vector<std::string>& known) {
  return {ErrorCode::unknown_name,
          {{"kind", device::Message{std::string("phrase.kind.") + kind, {}, {}}},
           {"name", std::move(name)},
           {"known", fmt::format("{}", fmt::join(known, ", "))}},
          {}};
}

device::Expected<device::Done> ends_in(const std::string& file, std::string_view ending) {
  if (std::filesystem::path(file).extension() == ending) return device::Done{};
  return device::failure(
      ErrorCode::file_unwritable,
      {{"file", file},
       {"why",
        device::Message{"phrase.why.named-otherwise", {{"ending", std::string(ending)}}, {}}}});
}

void add_checks(Verb& verb, std::string& words) {
  verb.option("--check", words,
              "What to check for: some of memcheck,initcheck,racecheck,synccheck,leaks, or all, "
              "or none (default: " +
                  words + ")");
}

void LanguageFlag::add_to(Verb& verb) {
  const std::vector<std::string> codes = lab::language_codes(device::root_folder().string());
  verb.option("--lang", code,
              fmt::format("Language: {} (default: that of the locale)", fmt::join(codes, ", ")))
      .one_of(codes);
}

std::string LanguageFlag::language() const {
  return code.empty() ? lab::language_of_locale(device::root_folder().string()) : code;
}

std::shared_ptr<const lab::Strings> LanguageFlag::strings() const {
  auto strings = lab::Strings::load(language(), device::root_folder().string());
  if (!strings) {
    complain(strings.error());
    std::exit(kMissing);
  }
  return *strings;
}

device::Expected<const lab::Lesson*> find_chapter(const std::string& slug) {
  if (const lab::Lesson* found = lessons::find(slug)) return found;
  return tl::unexpected(
      unknown_name("chapter", slug, names_of(lessons::catalogue(), &lab::Lesson::slug)));
}

std::string gpu_help(std::string_view what) {
  return fmt::format("{} (default: {})", what, device::kDefaultGpu);
}

void ChapterFlags::add_to(Verb& verb) {
  verb.option("chapter", chapter, "The chapter, as `warpbook list` names it").required();
  verb.option("--preset", preset, "A named set of parameters");
  verb.option("--set", assignments, "A parameter: name=value (may be repeated)");
  verb.option(
      "--drawing", drawing,
      "A PNG or JPEG of your own drawing, for a chapter that looks at one: as --set drawing=FILE");
  verb.option("--source", sources,
              "A kernel's source instead of the chapter's: FILE, or SLOT=FILE where there are "
              "several (may be repeated)");
  verb.option("--gpu", gpu, gpu_help());
  verb.option("--seed", seed, "The schedule: 0 is the canonical order");
}

device::Expected<lab::Inputs> ChapterFlags::inputs(const lab::Lesson& lesson) const {
  lab::Inputs inputs;
  inputs.values = lab::defaults(lesson.parameters);
  inputs.seed = seed;
  if (auto applied = apply_gpu(gpu, inputs); !applied) return tl::unexpected(applied.error());
  if (!preset.empty()) {
    if (auto applied = apply_preset(lesson, preset, inputs); !applied)
      return tl::unexpected(applied.error());
  }
  if (!drawing.empty()) {
    const auto drawn = lab::assign(lesson.parameters, inputs.values, "drawing=" + drawing);
    if (!drawn) return tl::unexpected(drawn.error());
  }
  for (const std::string& assignment : assignments) {
    if (auto assigned = lab::assign(lesson.parameters, inputs.values, assignment); !assigned) {
      return tl::unexpected(assigned.error());
    }
  }
  for (const std::string& source : sources) {
    if (auto placed = place_source(lesson, source, inputs); !placed)
      return tl::unexpected(placed.error());
  }
  return inputs;
}

std::shared_ptr<device::Compiler> compiler() {
  static const auto shared = std::make_shared<device::Compiler>();
  return shared;
}

}  // namespace warpbook::cli
