// The parts of a comparison as tables, which the panel, the text and the HTML all show.
#include <algorithm>

#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Comparison = ComparisonExhibit;
using ComparisonTable = ComparisonTable;

std::string state_text(const std::optional<CheckExhibit::State>& state, const Strings& strings) {
  if (!state) return "–";
  switch (*state) {
    case CheckExhibit::State::passed: return strings("check.state-passed");
    case CheckExhibit::State::failed: return strings("check.state-failed");
    case CheckExhibit::State::warning: return strings("check.state-warning");
    case CheckExhibit::State::waiting: return strings("check.state-waiting");
  }
  __builtin_unreachable();
}

/// "1.9 – 3.44 µs"; with both units where they are not the same.
std::string band_text(double from, double to, const Strings& strings) {
  const std::string low = duration(from), high = duration(to);
  const std::size_t low_unit = low.find(' '), high_unit = high.find(' ');
  if (low_unit == std::string::npos || high_unit == std::string::npos ||
      low.substr(low_unit) != high.substr(high_unit))
    return strings("timings.band", {{"low", low}, {"high", high}});
  return low.substr(0, low_unit) + " – " + high;
}

std::string time_text(const std::optional<Comparison::Time::Span>& span,
                      device::EvidenceKind evidence, const Strings& strings) {
  if (!span) return "–";
  if (evidence != device::EvidenceKind::estimated || span->low == span->high)
    return duration(span->seconds);
  return band_text(span->low, span->high, strings);
}

class ComparisonTableMaker {
 public:
  ComparisonTableMaker(const Comparison& comparison, const Strings& strings)
      : comparison_(comparison), strings_(strings) {}

  std::vector<ComparisonTable> run() {
    add_settings();
    add_figures();
    add_times();
    add_outputs();
    add_checks();
    add_words();
    add_only();
    add_errors();
    add_same();
    return std::move(tables_);
  }

 private:
  /// The table of this subject and evidence; rows of one stand together.
  ComparisonTable& table_of(const Comparison::Subject& subject, device::EvidenceKind evidence) {
    const std::string title =
        strings_(subject.title).empty() ? subject.id : strings_(subject.title);
    const auto same = [&](const ComparisonTable& table) {
      return table.title == title && table.evidence == evidence;
    };
    const auto found = std::ranges::find_if(tables_, same);
    if (found != tables_.end()) return *found;
    return tables_.emplace_back(ComparisonTable{
        title, evidence, {"", "A", "B", strings_("comparison.head.change")}, {}, {}});
  }

  void add_settings() {
    if (comparison_.settings.empty()) return;
    ComparisonTable table{strings_("comparison.part.settings"), {}, {"", "A", "B"}, {}, {}};
    for (const Comparison::Setting& setting : comparison_.settings)
      table.rows.push_back({{setting.name, setting.a, setting.b}});
    table.said = true;
    tables_.push_back(std::move(table));
  }

  void add_figures() {
    std::vector<std::pair<std::string, std::uint64_t>> alike;  // by title
    for (const Comparison::Figure& figure : comparison_.figures) {
      if (!differs(figure)) {
        const std::string title = strings_(figure.of.title);
        const auto found =
            std::ranges::find(alike, title, &std::pair<std::string, std::uint64_t>::first);
        if (found == alike.end())
          alike.emplace_back(title, 1);
        else
          ++found->second;
        continue;
      }
      table_of(figure.of, figure.evidence)
          .rows.push_back({{name_of(figure, strings_), value_text(figure, figure.a, strings_),
                            value_text(figure, figure.b, strings_),
                            change_text(figure.a, figure.b, strings_)}});
    }
    std::vector<std::string> same;
    for (const auto& [title, count] : alike) {
      const auto with_title = [&](const ComparisonTable& table) {
        return table.title == title && table.evidence;
      };
      const auto found = std::find_if(tables_.rbegin(), tables_.rend(), with_title);
      if (found == tables_.rend())
        same.push_back(title);
      else
        found->note = counted(strings_, "comparison.alike", count);
    }
    same_ = joined(strings_, same);
  }

  void add_times() {
    for (const Comparison::Time& time : comparison_.times) {
      ComparisonTable& table = table_of(time.of, time.evidence);
      table.rows.push_back(
          {{strings_(time.row), time_text(time.a, time.evidence, strings_),
            time_text(time.b, time.evidence, strings_), change_text(time, strings_)}});
      if (time.a && time.b && time.a->on != time.b->on) {
        table.note = strings_("comparison.devices", {{"a", time.a->on}, {"b", time.b->on}});
      }
    }
  }

  void add_outputs() {
    if (comparison_.outputs.empty()) return;
    ComparisonTable table{strings_("comparison.part.outputs"), {}, {}, {}, {}};
    for (const Comparison::Output& output : comparison_.outputs) {
      const std::string name = output.name.empty() ? strings_(output.of.title) : output.name;
      table.rows.push_back({{name, sentence_of(output, strings_)}});
    }
    tables_.push_back(std::move(table));
  }

  void add_checks() {
    ComparisonTable table{strings_("comparison.part.checks"), {}, {"", "A", "B"}, {}, {}};
    std::uint64_t alike = 0;
    for (const Comparison::Check& check : comparison_.checks) {
      const bool failed =
          check.a == CheckExhibit::State::failed || check.b == CheckExhibit::State::failed;
      if (!failed && !differs(check)) {
        ++alike;
        continue;
      }
      table.rows.push_back(
          {{strings_(check.sentence), state_text(check.a, strings_), state_text(check.b, strings_)},
           failed ? ComparisonTable::Tone::bad : ComparisonTable::Tone::plain});
    }
    if (alike != 0) table.note = counted(strings_, "comparison.checks-alike", alike);
    if (!comparison_.checks.empty()) tables_.push_back(std::move(table));
  }

  void add_words() {
    for (const Comparison::Words& words : comparison_.words) {
      if (words.code) continue;
      ComparisonTable table{strings_(words.of.title), {}, {}, {}, {}};
      table.rows = {{{"A", strings_(words.a)}}, {{"B", strings_(words.b)}}};
      table.said = true;
      tables_.push_back(std::move(table));
    }
  }

  void add_only() {
    if (comparison_.only.empty()) return;
    ComparisonTable table{strings_("comparison.part.only"), {}, {}, {}, {}};
    for (const Comparison::Only& one : comparison_.only) {
      const std::string title = strings_(one.of.title);
      table.rows.push_back({{title.empty() ? one.of.id : title,
                             strings_(one.in_b ? "comparison.only-b" : "comparison.only-a")}});
    }
    tables_.push_back(std::move(table));
  }

  void add_errors() {
    ComparisonTable table{strings_("comparison.part.errors"), {}, {}, {}, {}};
    const auto add = [&](const Comparison::Side& side, const char* letter) {
      for (const device::Error& error : side.errors)
        table.rows.push_back({{letter, strings_(error)}, ComparisonTable::Tone::bad});
    };
    add(comparison_.a, "A");
    add(comparison_.b, "B");
    if (!table.rows.empty()) tables_.push_back(std::move(table));
  }

  void add_same() {
    if (same_.empty()) return;
    ComparisonTable table{strings_("comparison.part.alike"), {}, {}, {}, {}};
    table.note = same_;
    tables_.push_back(std::move(table));
  }

  const Comparison& comparison_;
  const Strings& strings_;
  std::vector<ComparisonTable> tables_;
  std::string same_;  // of which all figures are
};

}  // namespace

std::vector<ComparisonTable> tables_of(const Comparison& comparison, const Strings& strings) {
  return ComparisonTableMaker(comparison, strings).run();
}

}  // namespace warpbook::lab
