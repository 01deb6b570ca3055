// warpbook list: the chapters in their order, with their exercises.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/document/document.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::cli {
namespace {

struct ListFlags {
  LanguageFlag language;
  bool json = false;
};

int list(const ListFlags& flags) {
  const auto strings = flags.language.strings();
  nlohmann::json chapters = nlohmann::json::array();
  std::size_t number = 1;
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const std::string title = (*strings)(lesson.slug + ".title");
    if (flags.json) {
      nlohmann::json parameters = nlohmann::json::array();
      for (const lab::Parameter& parameter : lesson.parameters) {
        parameters.push_back(
            {{"name", parameter.name}, {"default", lab::to_text(parameter.initial)}});
      }
      nlohmann::json presets = nlohmann::json::array();
      for (const lab::Preset& preset : lesson.presets) presets.push_back(preset.name);
      chapters.push_back({{"number", number},
                          {"slug", lesson.slug},
                          {"title", title},
                          {"parameters", parameters},
                          {"presets", presets},
                          {"exercises", lesson.exercises}});
    } else {
      fmt::print("{:>3}  {:<20} {}\n", number, lesson.slug, title);
      for (const lab::Parameter& parameter : lesson.parameters) {
        fmt::print("       --set {}={}  {}\n", parameter.name, lab::to_text(parameter.initial),
                   (*strings)(parameter.label));
      }
      for (const lab::Preset& preset : lesson.presets) {
        fmt::print("       --preset {}  {}\n", preset.name, (*strings)(preset.label));
      }
      for (const std::string& exercise : lesson.exercises)
        fmt::print("       warpbook check {}\n", exercise);
    }
    ++number;
  }
  if (flags.json) fmt::print("{}\n", chapters.dump(2));
  return kDone;
}

}  // namespace

void add_list(CommandLine& line) {
  auto flags = std::make_shared<ListFlags>();
  Verb verb = line.add("list", "List the chapters, their parameters and exercises");
  flags->language.add_to(verb);
  verb.flag("--json", flags->json, "As JSON");
  verb.does([flags] { return list(*flags); });
}

}  // namespace warpbook::cli
