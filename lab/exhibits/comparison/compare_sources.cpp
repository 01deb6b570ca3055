// Sources held against each other, by their lines and by what the lines cost.
#include <algorithm>
#include <map>

#include "lab/exhibits/comparison/comparison.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/text/line_diff.hpp"

namespace warpbook::lab {
namespace {

using Source = ComparisonExhibit::Source;
using Costs = std::map<std::uint32_t, const SourceExhibit::Line*>;

constexpr std::size_t kNeighbours = 3, kMostLines = 400;

Costs costs_of(const SourceExhibit& source) {
  Costs costs;
  for (const SourceExhibit::Line& line : source.lines) costs.try_emplace(line.line, &line);
  return costs;
}

const SourceExhibit::Line* cost_of(const Costs& costs, std::uint32_t line) {
  const auto found = costs.find(line);
  return found == costs.end() ? nullptr : found->second;
}

/// A line that ran is not one that did not, and 12 lanes are not 8.
bool costs_alike(const SourceExhibit::Line* a, const SourceExhibit::Line* b) {
  if (!a || !b) return a == b;
  return a->threads == b->threads && a->counters == b->counters;
}

class SourceComparer {
 public:
  SourceComparer(const SourceExhibit& a, const SourceExhibit& b)
      : lines_a_(lines_of(a.text)),
        lines_b_(lines_of(b.text)),
        costs_a_(costs_of(a)),
        costs_b_(costs_of(b)),
        diff_(diff_of(lines_a_, lines_b_)) {}

  Source make() {
    Source source;
    source.least = diff_.least;
    std::vector<bool> shown(diff_.lines.size(), false);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const DiffLine& line = diff_.lines[i];
      source.removed += line.b == 0 ? 1 : 0;
      source.added += line.a == 0 ? 1 : 0;
      if (line.same() && costs_alike(cost_of(costs_a_, line.a), cost_of(costs_b_, line.b)))
        continue;
      const std::size_t from = i - std::min(i, kNeighbours),
                        to = std::min(shown.size(), i + kNeighbours + 1);
      for (std::size_t near = from; near < to; ++near) shown[near] = true;
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (shown[i])
        keep(source, diff_.lines[i]);
      else
        skip(source);
    }
    return source;
  }

 private:
  void keep(Source& source, const DiffLine& line) const {
    using Kind = Source::Line::Kind;
    if (source.lines.size() >= kMostLines) {
      source.cut = true;
      return;
    }
    const Kind kind = line.same() ? Kind::same : line.b == 0 ? Kind::removed : Kind::added;
    const std::string_view text = line.b != 0 ? lines_b_[line.b - 1] : lines_a_[line.a - 1];
    source.lines.push_back({kind, line.a, line.b, std::string(text)});
    if (const auto* cost = cost_of(costs_a_, line.a)) source.costs_a.push_back(*cost);
    if (const auto* cost = cost_of(costs_b_, line.b)) source.costs_b.push_back(*cost);
  }

  static void skip(Source& source) {
    using Kind = Source::Line::Kind;
    if (source.cut) return;
    if (source.lines.empty() || source.lines.back().kind != Kind::gap)
      source.lines.push_back({Kind::gap, 0, 0, {}});
    ++source.lines.back().a;
  }

  std::vector<std::string_view> lines_a_, lines_b_;
  Costs costs_a_, costs_b_;
  LineDiff diff_;
};

}  // namespace

ComparisonExhibit::Source source_of(const SourceExhibit& a, const SourceExhibit& b) {
  return SourceComparer(a, b).make();
}

}  // namespace warpbook::lab
