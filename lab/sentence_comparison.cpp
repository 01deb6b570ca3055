#include <algorithm>
#include <cmath>

#include "lab/comparison_summary.hpp"
#include "lab/phrases.hpp"
#include "lab/sentence_parts.hpp"

namespace warpbook::lab {
namespace {

using Comparison = ComparisonExhibit;

/// What was counted comes before what was estimated; of these, what changed most.
const Comparison::Figure* most_changed(const Comparison& comparison) {
  const auto weight = [](const Comparison::Figure& figure) {
    const auto percent = change_of(figure.a, figure.b);
    const bool counted = figure.evidence == device::Evidence::counted;
    return std::pair(counted, percent ? std::fabs(*percent) : -1.0);
  };
  const Comparison::Figure* most = nullptr;
  for (const Comparison::Figure& figure : comparison.figures) {
    if (differs(figure) && (!most || weight(figure) > weight(*most))) most = &figure;
  }
  return most;
}

std::string of_figures(const Comparison& comparison, const Strings& strings) {
  if (comparison.figures.empty()) return {};
  const Comparison::Figure* most = most_changed(comparison);
  if (!most) return {};
  const auto changed = std::ranges::count_if(
      comparison.figures, [](const Comparison::Figure& figure) { return differs(figure); });
  return strings("comparison.figures", {{"count", grouped(static_cast<std::uint64_t>(changed))},
                                        {"name", name_of(*most, strings)},
                                        {"of", strings(most->of.title)},
                                        {"a", value_text(*most, most->a, strings)},
                                        {"b", value_text(*most, most->b, strings)},
                                        {"change", change_text(most->a, most->b, strings)}});
}

std::string of_outputs(const Comparison& comparison, const Strings& strings) {
  const auto differs_here = [](const Comparison::Output& output) {
    return output.differing != 0 || output.shape_a != output.shape_b;
  };
  const auto found = std::ranges::find_if(comparison.outputs, differs_here);
  if (found != comparison.outputs.end())
    return strings("comparison.output",
                   {{"name", found->name}, {"says", sentence_of(*found, strings)}});
  return comparison.outputs.empty()
             ? std::string()
             : counted(strings, "comparison.same-outputs", comparison.outputs.size());
}

std::string of_check(const Comparison& comparison, const Strings& strings) {
  const auto failed = [](const Comparison::Check& check) {
    return check.a == CheckExhibit::State::failed || check.b == CheckExhibit::State::failed;
  };
  const auto found = std::ranges::find_if(comparison.checks, failed);
  if (found == comparison.checks.end()) return {};
  const bool in_a = found->a == CheckExhibit::State::failed,
             in_b = found->b == CheckExhibit::State::failed;
  return strings("comparison.check-failed", {{"check", strings(found->sentence)},
                                             {"side", in_a && in_b ? strings("comparison.both")
                                                      : in_a       ? "A"
                                                                   : "B"}});
}

/// The first time that is apart; the simulation's own only where nothing else was timed.
std::string of_times(const Comparison& comparison, const Strings& strings) {
  const Comparison::Time* told = nullptr;
  for (const Comparison::Time& time : comparison.times) {
    const bool own = told && told->evidence == device::Evidence::measured &&
                     time.evidence != device::Evidence::measured;
    if (is_apart(time) && (!told || own)) told = &time;
  }
  if (!told) return {};
  return strings("comparison.time", {{"row", strings(told->row)},
                                     {"evidence", evidence_name(strings, told->evidence)},
                                     {"a", duration(told->a->seconds)},
                                     {"b", duration(told->b->seconds)},
                                     {"change", change_text(*told, strings)}});
}

/// Titles of what is said in other words.
std::string of_words(const Comparison& comparison, const Strings& strings) {
  std::vector<std::string> titles;
  for (const Comparison::Words& words : comparison.words) titles.push_back(strings(words.of.title));
  if (titles.empty()) return {};
  return strings("comparison.words", {{"titles", joined(strings, titles)}});
}

std::string of_errors(const Comparison& comparison, const Strings& strings) {
  std::vector<std::string> parts;
  const auto tell = [&](const Comparison::Side& side, const char* letter) {
    if (!side.errors.empty()) {
      parts.push_back(strings("comparison.failed",
                              {{"side", letter}, {"error", strings(side.errors.front())}}));
    }
  };
  tell(comparison.a, "A");
  tell(comparison.b, "B");
  return sentences(strings, parts);
}

}  // namespace

std::string sentence_of(const Comparison& comparison, const Strings& strings) {
  if (!differs(comparison)) return strings("comparison.nothing");
  std::vector<std::string> parts{of_errors(comparison, strings), of_figures(comparison, strings),
                                 of_outputs(comparison, strings), of_check(comparison, strings),
                                 of_times(comparison, strings)};
  for (const Comparison::Source& source : comparison.sources) {
    if (source.removed + source.added == 0) continue;
    parts.push_back(strings("comparison.source", {{"file", strings(source.of.title)},
                                                  {"changes", changes_text(source, strings)}}));
  }
  std::string text = sentences(strings, parts);
  if (text.empty() || most_changed(comparison) == nullptr) {
    parts.push_back(of_words(comparison, strings));
    text = sentences(strings, parts);
  }
  return text.empty() ? strings("comparison.settings-alone") : text;
}

}  // namespace warpbook::lab
