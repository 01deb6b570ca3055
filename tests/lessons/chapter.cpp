#include "tests/lessons/chapter.hpp"

#include <algorithm>

#include "device/platform.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::tests::chapter {
namespace {

std::string named(const auto& list, const lab::Report& report, std::string_view name) {
  const auto found = std::ranges::find_if(list, [&](const auto& one) { return one.name == name; });
  REQUIRE(found != list.end());
  return found->value(report);
}

}  // namespace

Values values_of(const lab::Preset& preset) {
  return {preset.values.all().begin(), preset.values.all().end()};
}

lab::Report run(std::string_view slug, const Values& values, const Circumstances& with) {
  const lab::Lesson& lesson = *lessons::find(slug);
  lab::Inputs inputs;
  inputs.gpu = with.gpu;
  inputs.values = lab::defaults(lesson.parameters);
  for (const auto& [name, value] : values) inputs.values.set(name, value);
  if (!with.source.empty()) inputs.sources[with.slot] = with.source;
  device::Checks all = device::kLessonChecks;
  all.racecheck = all.synccheck = true;
  return lab::run(lesson, inputs, compiler(), WARPBOOK_SOURCE_DIR, with.stop, with.progress, all);
}

const std::shared_ptr<device::Compiler>& compiler() {
  static const auto one = std::make_shared<device::Compiler>();
  return one;
}

std::string answer(const lab::Report& report, std::string_view name) {
  return named(lessons::find(report.subject)->answers, report, name);
}
std::string figure(const lab::Report& report, std::string_view name) {
  return named(lessons::find(report.subject)->figures, report, name);
}

std::string variant(const std::string& slug, const std::string& name) {
  const auto text = device::read_file(std::string(WARPBOOK_SOURCE_DIR) + "/lessons/" + slug +
                                      "/variants/" + name + ".cu");
  REQUIRE(text);
  return *text;
}

}  // namespace warpbook::tests::chapter
