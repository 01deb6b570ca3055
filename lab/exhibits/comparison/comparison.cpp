#include "lab/exhibits/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Comparison = ComparisonExhibit;

/// Two values of one thing, the larger first, and whose it is.
struct Unequal {
  std::string more, less;  ///< "A", "B"
  double big = 0, small = 0;
  [[nodiscard]] double ratio() const { return big / small; }  ///< infinite where the smaller is 0
};

/// None where one run does not have it, or a value is no number or below 0.
std::optional<Unequal> unequal(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || *a == *b || !std::isfinite(*a) || !std::isfinite(*b) || *a < 0 || *b < 0)
    return std::nullopt;
  return *a > *b ? Unequal{"A", "B", *a, *b} : Unequal{"B", "A", *b, *a};
}

/// What was counted comes before what was estimated; of these, what is furthest apart as a ratio.
const Comparison::Figure* furthest_apart(const Comparison& comparison) {
  const auto weight = [](const Comparison::Figure& figure) {
    const auto pair = unequal(figure.a, figure.b);
    const bool counted = figure.evidence == device::EvidenceKind::counted,
               has_ratio = pair && pair->small > 0;
    return std::pair(counted, has_ratio ? pair->ratio() : -1.0);
  };
  const Comparison::Figure* most = nullptr;
  for (const Comparison::Figure& figure : comparison.figures) {
    if (differs(figure) && (!most || weight(figure) > weight(*most))) most = &figure;
  }
  return most;
}

/// "8", "4.1", "1,024".
std::string ratio_number(double ratio) {
  constexpr double kWhole = 100;  // from here on digits behind the point say nothing
  return ratio < kWhole ? number(ratio, 2)
                        : grouped(static_cast<std::uint64_t>(std::llround(ratio)));
}

/// "twice", "8 times"; empty where it is better said in per cent.
std::string ratio_text(double ratio, const Strings& strings) {
  constexpr double kTimes = 1.95;
  if (!(ratio >= kTimes)) return {};
  const std::string digits = ratio_number(ratio);
  return digits == "2" ? strings("comparison.ratio.twice")
                       : strings("comparison.ratio.times", {{"ratio", digits}});
}

/// "512 against 64 MiB": the unit once where both have the same.
std::string against(std::string big, const std::string& small, const Strings& strings) {
  const std::size_t unit = big.find(' ');
  if (unit != std::string::npos && small.ends_with(big.substr(unit))) big.resize(unit);
  return strings("comparison.against", {{"big", big}, {"small", small}});
}

/// What a run does with what the figure counts: "moves", "runs".
std::string does(const Comparison::Figure& figure, const Strings& strings) {
  const std::string_view name = figure.name;
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  const char* what = "has";
  if (has("sectors") || name == "bytes_moved" || name == "l2_bytes" || name == "dram_bytes") {
    what = "moves";
  } else if (name.ends_with("_instructions")) {
    what = "runs";
  } else if (name == "blocks" || name == "threads" || name == "warps") {
    what = "starts";
  } else if (has("requests")) {
    what = "makes";
  }
  return strings(std::string("comparison.does.") + what);
}

/// A figure as a person would say it: sectors are bytes, in KiB or MiB.
struct Told {
  std::string name, big, small;
};
Told told(const Comparison::Figure& figure, const Unequal& pair, const Strings& strings) {
  constexpr double kExactIntegers = 9007199254740992.0;
  const std::string noun = "comparison.noun." + figure.name;
  const bool as_bytes = strings.has(noun);
  const double scale =
      as_bytes && figure.name.find("sectors") != std::string::npos ? device::kSectorBytes : 1;
  const auto value = [&](double one) {
    return as_bytes && one * scale < kExactIntegers
               ? byte_count(static_cast<std::uint64_t>(std::llround(one * scale)))
               : value_text(figure, one, strings);
  };
  std::string name = strings(as_bytes ? noun : "comparison.figure." + figure.name);
  if (figure.evidence != device::EvidenceKind::counted)
    name = strings("comparison.by",
                   {{"name", name}, {"evidence", evidence_name(strings, figure.evidence)}});
  return {std::move(name), value(pair.big), value(pair.small)};
}

/// With the row that the words are of before them, where there is one.
std::string led_by(const Message& row, std::string says, const Strings& strings) {
  const std::string name = strings(row);
  return name.empty() ? std::move(says)
                      : strings("comparison.row", {{"row", name}, {"name", says}});
}

std::string of_figures(const Comparison& comparison, const Strings& strings) {
  const Comparison::Figure* most = furthest_apart(comparison);
  if (!most) return {};
  const auto pair = unequal(most->a, most->b);
  if (!pair) {
    return strings("comparison.figure-other", {{"name", name_of(*most, strings)},
                                               {"a", value_text(*most, most->a, strings)},
                                               {"b", value_text(*most, most->b, strings)}});
  }
  const Told says = told(*most, *pair, strings);
  const auto say = [&](const char* key, const std::string& ratio) {
    return led_by(most->row,
                  strings(key, {{"more", pair->more},
                                {"less", pair->less},
                                {"does", does(*most, strings)},
                                {"name", says.name},
                                {"ratio", ratio},
                                {"big", says.big},
                                {"values", against(says.big, says.small, strings)}}),
                  strings);
  };
  if (pair->small == 0) return say("comparison.more-alone", {});
  const std::string ratio = ratio_text(pair->ratio(), strings);
  return ratio.empty() ? say("comparison.more-percent", number(100 * (pair->ratio() - 1), 3))
                       : say("comparison.more-times", ratio);
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

/// The first time that is apart. Where a run has an estimate, what its simulation took says nothing.
std::string of_times(const Comparison& comparison, const Strings& strings) {
  const bool estimated = std::ranges::find(comparison.times, device::EvidenceKind::estimated,
                                           &Comparison::Time::evidence) != comparison.times.end();
  const auto tells = [&](const Comparison::Time& time) {
    return is_apart(time) && !(estimated && time.evidence == device::EvidenceKind::measured);
  };
  const auto longest = std::ranges::find_if(comparison.times, tells);
  if (longest == comparison.times.end()) return {};
  const auto pair = unequal(longest->a->seconds, longest->b->seconds);
  if (!pair || pair->small == 0) return {};
  const std::string ratio = ratio_text(pair->ratio(), strings);
  std::string says =
      strings(ratio.empty() ? "comparison.longer-percent" : "comparison.longer-times",
              {{"more", pair->more},
               {"less", pair->less},
               {"ratio", ratio.empty() ? number(100 * (pair->ratio() - 1), 3) : ratio},
               {"values", against(duration(pair->big), duration(pair->small), strings)},
               {"evidence", evidence_name(strings, longest->evidence)}});
  // The one estimate of a run is the run's; what else was timed is named.
  const auto of_its_kind = [&](const Comparison::Time& time) {
    return time.evidence == longest->evidence;
  };
  const bool alone = longest->evidence == device::EvidenceKind::estimated &&
                     std::ranges::count_if(comparison.times, of_its_kind) == 1;
  return alone ? says : led_by(longest->row, std::move(says), strings);
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
  if (text.empty() || furthest_apart(comparison) == nullptr) {
    parts.push_back(of_words(comparison, strings));
    text = sentences(strings, parts);
  }
  return text.empty() ? strings("comparison.settings-alone") : text;
}

/// What both runs have as numbers; changed lines of sources are left to the other forms.
Table table_of(const ComparisonExhibit& comparison, const Strings& strings) {
  Table table{{strings("table.what"), strings("table.quantity"), strings("table.evidence"), "A",
               "B", strings("table.change")},
              {}};
  const auto known = [](const std::optional<double>& value) {
    return value ? exact_text(*value) : std::string();
  };
  for (const ComparisonExhibit::Setting& setting : comparison.settings)
    table.rows.push_back(
        {strings("comparison.part.settings"), setting.name, "", setting.a, setting.b, ""});
  for (const ComparisonExhibit::Figure& figure : comparison.figures) {
    table.rows.push_back({strings(figure.of.title), name_of(figure, strings),
                          std::string(device::name_of(figure.evidence)), known(figure.a),
                          known(figure.b), known(change_of(figure.a, figure.b))});
  }
  for (const ComparisonExhibit::Time& time : comparison.times) {
    table.rows.push_back(
        {strings(time.of.title), strings(time.row), std::string(device::name_of(time.evidence)),
         time.a ? exact_text(time.a->seconds) : "", time.b ? exact_text(time.b->seconds) : "",
         is_apart(time) ? known(change_of(time.a->seconds, time.b->seconds)) : ""});
  }
  for (const ComparisonExhibit::Output& output : comparison.outputs)
    table.rows.push_back({strings(output.of.title), output.name, "", output.shape_a, output.shape_b,
                          sentence_of(output, strings)});
  return table;
}

// A comparison is of two reports; there is none of two comparisons.
void compare(const ComparisonExhibit&, const ComparisonExhibit&, Comparer&) {}

void extras(JsonExtras& json, const ComparisonExhibit& comparison) {
  json("differs", [&] { return differs(comparison); });
}

void extras(JsonExtras& json, const ComparisonExhibit::Figure& figure) {
  json("change_percent", [&] { return change_of(figure.a, figure.b); });
}

void extras(JsonExtras& json, const ComparisonExhibit::Time& time) {
  json("apart", [&] { return is_apart(time); });
  json("change_percent",
       [&] { return is_apart(time) ? change_of(time.a->seconds, time.b->seconds) : std::nullopt; });
}

void extras(JsonExtras& json, const ComparisonExhibit::Side& side) {
  json("inputs_hash", [&] { return hash_text(side.inputs_hash); });
}

bool valid(const ComparisonExhibit::Source& v) {
  return std::max(v.costs_a.size(), v.costs_b.size()) <= v.lines.size();
}

std::string_view style_of(std::type_identity<ComparisonExhibit> /*kind*/) {
  return R"css(.wb-comparison h4 { margin: 12px 0 4px; font-size: 14px; clear: both; }
.wb-comparison .wb-badge { float: none; font-weight: 400; }
.wb-comparison td.wb-says { text-align: left; font-family: inherit; }
.wb-removed td { background: color-mix(in srgb, var(--c0) 16%, transparent); }
.wb-added td { background: color-mix(in srgb, var(--c1) 16%, transparent); }
)css";
}

}  // namespace warpbook::lab
