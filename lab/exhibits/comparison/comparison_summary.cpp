#include "lab/exhibits/comparison/comparison_summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "lab/exhibits/comparison/comparison.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Comparison = ComparisonExhibit;

constexpr double kMostExact = 9007199254740992.0;  // 2^53: from here on a double skips integers

std::string place_text(const Comparison::Output& output, const Comparison::Output::Element& at) {
  return output.name + "[" + std::to_string(at.index) + "]";
}

std::string percent_text(double percent) {
  return (percent < 0 ? "−" : "+") + number(std::fabs(percent), 3) + " %";
}

}  // namespace

std::optional<double> change_of(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || !std::isfinite(*a) || !std::isfinite(*b)) return std::nullopt;
  if (*a == *b) return 0;
  const double percent = 100 * ((*b - *a) / std::fabs(*a));
  return std::isfinite(percent) ? std::optional(percent) : std::nullopt;
}

std::string change_text(const std::optional<double>& a, const std::optional<double>& b,
                        const Strings& strings) {
  if (!a || !b) return strings(a ? "comparison.only-a" : "comparison.only-b");
  if (*a == *b) return strings("comparison.same");
  if (const auto percent = change_of(a, b)) return percent_text(*percent);
  return strings(*a == 0 ? "comparison.from-zero" : "comparison.no-number");
}

bool differs(const Comparison::Figure& figure) { return figure.a != figure.b; }
bool differs(const Comparison::Check& check) { return check.a != check.b; }

bool is_apart(const Comparison::Time& time) {
  if (!time.a || !time.b) return false;
  const auto &a = *time.a, &b = *time.b;
  return std::max(a.seconds, a.high) < std::min(b.seconds, b.low) ||
         std::max(b.seconds, b.high) < std::min(a.seconds, a.low);
}

std::string change_text(const Comparison::Time& time, const Strings& strings) {
  if (!time.a || !time.b) return strings(time.a ? "comparison.only-a" : "comparison.only-b");
  if (!is_apart(time) && time.a->seconds != time.b->seconds) return strings("comparison.overlap");
  return change_text(std::optional(time.a->seconds), std::optional(time.b->seconds), strings);
}

bool differs(const Comparison& comparison) {
  const auto any = [](const auto& rows) {
    return std::ranges::any_of(rows, [](const auto& row) { return differs(row); });
  };
  const auto output_differs = [](const Comparison::Output& output) {
    return output.differing != 0 || output.shape_a != output.shape_b;
  };
  return !comparison.settings.empty() || any(comparison.figures) || any(comparison.checks) ||
         std::ranges::any_of(comparison.outputs, output_differs) || !comparison.words.empty() ||
         !comparison.sources.empty() || !comparison.only.empty() ||
         std::ranges::any_of(comparison.times, is_apart) ||
         comparison.a.errors != comparison.b.errors;
}

std::string name_of(const Comparison::Figure& figure, const Strings& strings) {
  const std::string name = strings("comparison.figure." + figure.name), row = strings(figure.row);
  return row.empty() ? name : strings("comparison.row", {{"row", row}, {"name", name}});
}

std::string value_text(const Comparison::Figure& figure, const std::optional<double>& value,
                       const Strings&) {
  if (!value) return "–";
  const bool whole = *value >= 0 && *value < kMostExact && std::trunc(*value) == *value;
  if (figure.evidence == device::EvidenceKind::estimated && *value >= 0 && *value < kMostExact &&
      figure.name.find("bytes") != std::string::npos)
    return byte_count(static_cast<std::uint64_t>(std::llround(*value)));
  return whole ? grouped(static_cast<std::uint64_t>(*value)) : number(*value, 4);
}

std::string sentence_of(const Comparison::Output& output, const Strings& strings) {
  if (output.shape_a != output.shape_b) {
    return strings("comparison.shapes", {{"a", output.shape_a}, {"b", output.shape_b}});
  }
  if (output.compared == 0) return strings("comparison.no-elements");
  if (output.differing == 0) return counted(strings, "comparison.same-elements", output.compared);
  std::vector<std::string> parts{
      strings("comparison.differing",
              {{"count", grouped(output.differing)}, {"total", grouped(output.compared)}})};
  const auto tell = [&](const char* key, const Comparison::Output::Element& at,
                        const std::string& apart) {
    parts.push_back(strings(
        key, {{"place", place_text(output, at)}, {"a", at.a}, {"b", at.b}, {"apart", apart}}));
  };
  if (output.absolute)
    tell("comparison.absolute", *output.absolute, number(output.absolute->difference, 4));
  if (output.relative && (!output.absolute || output.relative->index != output.absolute->index))
    tell("comparison.relative", *output.relative, number(100 * output.relative->difference, 3));
  if (output.first_incomparable) {
    parts.push_back(strings("comparison.incomparable",
                            {{"count", grouped(output.incomparable)},
                             {"place", place_text(output, *output.first_incomparable)},
                             {"a", output.first_incomparable->a},
                             {"b", output.first_incomparable->b}}));
  }
  return sentences(strings, parts);
}

std::string changes_text(const Comparison::Source& source, const Strings& strings) {
  if (source.removed == 0 && source.added == 0) return strings("comparison.costs-alone");
  return strings("comparison.lines", {{"removed", counted(strings, "count.lines", source.removed)},
                                      {"added", grouped(source.added)}});
}

std::string side_name(const Comparison::Side& side, std::string_view letter,
                      const Strings& strings) {
  const std::string name = strings(side.name);
  return name.empty()
             ? std::string(letter)
             : strings("comparison.side", {{"letter", std::string(letter)}, {"name", name}});
}

ComparisonExhibit::Source lines_of(const Comparison::Words& words, const Strings& strings) {
  SourceExhibit a, b;
  a.text = strings(words.a);
  b.text = strings(words.b);
  Comparison::Source source = source_of(a, b);
  source.of = words.of;
  return source;
}

SourceExhibit joint_costs(const Comparison::Source& source) {
  SourceExhibit joint;
  joint.file = source.of.id;
  joint.text.assign(2 * source.lines.size(), '\n');
  const auto put = [&](const std::vector<SourceExhibit::Line>& costs, bool of_b) {
    std::map<std::uint32_t, const SourceExhibit::Line*> by_line;
    for (const SourceExhibit::Line& cost : costs) by_line[cost.line] = &cost;
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const Comparison::Source::Line& line = source.lines[i];
      const auto found = by_line.find(of_b ? line.b : line.a);
      if (cost_line(source, i, of_b) == 0 || found == by_line.end()) continue;
      joint.lines.push_back(*found->second);
      joint.lines.back().line = cost_line(source, i, of_b);
    }
  };
  put(source.costs_a, false);
  put(source.costs_b, true);
  return joint;
}

Heat telling_heat(const Comparison::Source& source) {
  const auto total = [](const std::vector<SourceExhibit::Line>& costs, Heat heat) {
    std::uint64_t sum = 0;
    for (const SourceExhibit::Line& line : costs) sum += heat_of(heat, line);
    return static_cast<double>(sum);
  };
  Heat telling = Heat::instructions;
  double furthest = 1;
  for (const Heat heat : kHeats) {
    if (heat == Heat::time) continue;  // an estimate within its band, and no count
    const double a = total(source.costs_a, heat), b = total(source.costs_b, heat);
    const double apart = std::max(a, b) / std::max(1.0, std::min(a, b));
    if (apart <= furthest) continue;
    telling = heat;
    furthest = apart;
  }
  return telling;
}

std::uint32_t cost_line(const Comparison::Source& source, std::size_t line, bool of_b) {
  using Kind = Comparison::Source::Line::Kind;
  const Kind kind = source.lines[line].kind;
  if (kind == Kind::gap || kind == (of_b ? Kind::removed : Kind::added)) return 0;
  return static_cast<std::uint32_t>(line + 1 + (of_b ? source.lines.size() : 0));
}

}  // namespace warpbook::lab
