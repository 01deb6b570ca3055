#include "lab/exhibits/check/check.hpp"

#include <algorithm>
#include <iterator>

#include "lab/markup/html_parts.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

struct StateLook {
  std::string_view mark;
  Ink ink;
};

StateLook look_of(CheckExhibit::State state) {
  switch (state) {
    case CheckExhibit::State::passed: return {"✓", Ink::good};
    case CheckExhibit::State::failed: return {"✗", Ink::bad};
    case CheckExhibit::State::warning: return {"!", Ink::warn};
    case CheckExhibit::State::waiting: return {"·", Ink::quiet};
  }
  __builtin_unreachable();
}

/// One sign a part.
std::string signs_of(const CheckExhibit::Spread& spread) {
  static constexpr std::string_view kSigns[] = {"·", "▒", "█", "?"};
  std::string signs;
  for (const CheckExhibit::Part& part : spread.parts)
    signs += kSigns[static_cast<std::size_t>(look_of(part))];
  return signs;
}

constexpr int kTitleColumns = 48;      ///< to which short titles are filled up
constexpr std::size_t kMostCases = 8;  ///< that are all listed
constexpr std::size_t kMostWrong =
    5;  ///< wrong ones that are listed by name, where there are more cases

void draw_item(const CheckExhibit::Item& item, const Strings& strings, Page& page) {
  const StateLook look = look_of(item.state);
  std::string right = strings(item.got);
  if (item.line != 0 && item.state != CheckExhibit::State::passed) {
    right +=
        (right.empty() ? "" : " · ") + strings("check.line", {{"line", std::to_string(item.line)}});
  }
  // What was found goes beside its title where both have room on one line, and else below it.
  const std::string title = strings(item.sentence);
  const int room = page.width() - 6 - columns_of(right);
  const bool beside = columns_of(title) <= room;
  page.line("  " + page.ink(look.ink, look.mark) + " " +
            page.ink(Ink::plain, beside ? padded(title, std::min(room, kTitleColumns))
                                        : clipped(title, page.width() - 4)) +
            (beside ? page.ink(Ink::quiet, " " + right) : ""));
  if (!beside) page.paragraph(right, 4, Ink::quiet);
  if (item.state == CheckExhibit::State::passed) return;
  std::string cases;
  for (const CaseLabel& one : labels_of(item.cases, strings))
    cases += (cases.empty() ? "" : "   ") + one.text + (one.passed ? " ✓" : " ✗");
  if (!cases.empty()) page.paragraph(cases, 4);
  if (!item.inputs.calls.empty()) {
    page.paragraph(strings("check.inputs", {{"name", item.inputs.name}}), 4);
    for (const std::string& call : item.inputs.calls) page.paragraph(call, 6);
    for (const CheckExhibit::Values& values : item.inputs.arrays)
      page.paragraph(values_text(values, strings), 6);
  }
  for (const CheckExhibit::Mismatch& mismatch : item.mismatches) {
    page.paragraph(strings(mismatch.written_by.empty() ? "check.mismatch" : "check.mismatch-by",
                           {{"index", std::to_string(mismatch.index)},
                            {"expected", mismatch.expected},
                            {"got", mismatch.got},
                            {"who", mismatch.written_by}}),
                   4);
  }
  if (!item.spread.parts.empty()) {
    page.paragraph(spread_caption(item.spread, strings), 4);
    page.line("    " + page.ink(Ink::plain, signs_of(item.spread)));
    page.paragraph(strings("check.spread-legend"), 4, Ink::quiet);
  }
  if (!item.advice.empty()) page.paragraph("→ " + strings(item.advice), 4, Ink::accent);
}

std::string_view state_class(CheckExhibit::State state) {
  switch (state) {
    case CheckExhibit::State::passed: return "wb-good";
    case CheckExhibit::State::failed: return "wb-bad";
    case CheckExhibit::State::warning: return "wb-warn";
    case CheckExhibit::State::waiting: return "wb-quiet";
  }
  __builtin_unreachable();
}

/// An icon that says the state by its shape, and in words to those who cannot see it.
std::string state_icon(CheckExhibit::State state, const Strings& strings) {
  const auto icon = [&](std::string_view shape, std::string_view word) {
    return "<span class=\"wb-icon " + std::string(state_class(state)) +
           "\" role=\"img\" aria-label=\"" + escaped(strings(word)) + "\">" + std::string(shape) +
           "</span>";
  };
  switch (state) {
    case CheckExhibit::State::passed: return icon("✓", "check.state-passed");
    case CheckExhibit::State::failed: return icon("✗", "check.state-failed");
    case CheckExhibit::State::warning: return icon("!", "check.state-warning");
    case CheckExhibit::State::waiting: return icon("○", "check.state-waiting");
  }
  __builtin_unreachable();
}

std::string item_html(const CheckExhibit::Item& item, const Strings& strings) {
  std::string right = strings(item.got);
  const bool passed = item.state == CheckExhibit::State::passed;
  if (item.line != 0 && !passed) {
    right +=
        (right.empty() ? "" : " · ") + strings("check.line", {{"line", std::to_string(item.line)}});
  }
  std::string html = state_icon(item.state, strings) + " " +
                     tagged("span", "wb-what", escaped(strings(item.sentence))) + " " +
                     tagged("span", "wb-got", escaped(right));
  if (passed) return tagged("li", "", html);
  std::string cases, inputs, mismatches;
  for (const CaseLabel& one : labels_of(item.cases, strings)) {
    cases += tagged("li", one.passed ? "wb-good" : "wb-bad",
                    escaped(one.text) + (one.passed ? " ✓" : " ✗"));
  }
  for (const std::string& call : item.inputs.calls)
    inputs += tagged("li", "", tagged("code", "", escaped(call)));
  for (const CheckExhibit::Values& values : item.inputs.arrays)
    inputs += tagged("li", "", escaped(values_text(values, strings)));
  for (const CheckExhibit::Mismatch& mismatch : item.mismatches) {
    mismatches +=
        tagged("li", "",
               escaped(strings(mismatch.written_by.empty() ? "check.mismatch" : "check.mismatch-by",
                               {{"index", std::to_string(mismatch.index)},
                                {"expected", mismatch.expected},
                                {"got", mismatch.got},
                                {"who", mismatch.written_by}})));
  }
  if (!cases.empty()) html += tagged("ul", "wb-cases", cases);
  if (!inputs.empty()) {
    html +=
        tagged("p", "wb-caption", escaped(strings("check.inputs", {{"name", item.inputs.name}}))) +
        tagged("ul", "wb-mismatches", inputs);
  }
  if (!mismatches.empty()) html += tagged("ul", "wb-mismatches", mismatches);
  if (!item.spread.parts.empty()) {
    const std::string caption = spread_caption(item.spread, strings);
    html += tagged("p", "wb-caption", escaped(caption)) +
            "<p class=\"wb-spread\" role=\"img\" aria-label=\"" + escaped(caption) + "\">" +
            signs_of(item.spread) + "</p>" +
            tagged("p", "wb-caption", escaped(strings("check.spread-legend")));
  }
  if (!item.advice.empty()) html += tagged("p", "wb-advice", escaped(strings(item.advice)));
  return tagged("li", "", html);
}

}  // namespace

std::string sentence_of(const CheckExhibit& check, const Strings& strings) {
  using State = CheckExhibit::State;
  if (check.items.empty()) return strings("check.nothing");
  const auto in_state = [&](State state) {
    return static_cast<std::uint64_t>(
        std::count_if(check.items.begin(), check.items.end(),
                      [=](const CheckExhibit::Item& item) { return item.state == state; }));
  };
  std::vector<std::string> parts;
  const std::uint64_t failed = in_state(State::failed);
  if (failed != 0) {
    const auto first =
        std::find_if(check.items.begin(), check.items.end(),
                     [](const CheckExhibit::Item& item) { return item.state == State::failed; });
    const std::string got = strings(first->got);
    parts.push_back(strings(got.empty() ? "check.failed" : "check.failed-with",
                            {{"count", grouped(failed)},
                             {"total", grouped(check.items.size())},
                             {"first", strings(first->sentence)},
                             {"got", got}}));
  } else if (in_state(State::passed) == check.items.size()) {
    parts.push_back(counted(strings, "check.passed", check.items.size()));
  } else if (in_state(State::passed) != 0) {
    parts.push_back(strings("check.some-passed", {{"count", grouped(in_state(State::passed))},
                                                  {"total", grouped(check.items.size())}}));
  }
  if (const std::uint64_t warned = in_state(State::warning))
    parts.push_back(counted(strings, "check.warned", warned));
  if (const std::uint64_t waiting = in_state(State::waiting))
    parts.push_back(counted(strings, "check.waiting", waiting));
  return sentences(strings, parts);
}

void text_body(const CheckExhibit& check, const Strings& strings, Page& page) {
  for (const CheckExhibit::Item& item : check.items) draw_item(item, strings, page);
}

std::string html_body(const CheckExhibit& check, const Strings& strings, const std::string&) {
  std::string items;
  for (const CheckExhibit::Item& item : check.items) items += item_html(item, strings);
  return items.empty() ? items : tagged("ul", "wb-check", items);
}

Table table_of(const CheckExhibit& check, const Strings& strings) {
  Table table{
      {strings("table.what"), strings("table.state"), strings("table.got"), strings("table.line")},
      {}};
  for (const CheckExhibit::Item& item : check.items) {
    static constexpr std::string_view kStates[] = {"check.state-passed", "check.state-failed",
                                                   "check.state-warning", "check.state-waiting"};
    table.rows.push_back({strings(item.sentence),
                          strings(kStates[static_cast<std::size_t>(item.state)]), strings(item.got),
                          item.line ? std::to_string(item.line) : ""});
  }
  return table;
}

void compare(const CheckExhibit& a, const CheckExhibit& b, Comparer& comparer) {
  using Item = CheckExhibit::Item;
  for (const Item& item : b.items) {
    const auto other = std::ranges::find(a.items, item.id, &Item::id);
    comparer.check(item.sentence,
                   other == a.items.end() ? std::nullopt : std::optional(other->state), item.state);
  }
  for (const Item& item : a.items) {
    if (std::ranges::find(b.items, item.id, &Item::id) == b.items.end())
      comparer.check(item.sentence, item.state, std::nullopt);
  }
}

void extras(JsonExtras& json, const CheckExhibit& check) {
  json("passed", [&] { return check.passed(); });
}

PartLook look_of(const CheckExhibit::Part& part) {
  if (part.wrong == 0) return PartLook::right;
  // Where a single element is missing, most of the part was written.
  if (part.unwritten == part.wrong && 2 * part.wrong >= part.count) return PartLook::unwritten;
  return part.wrong == part.count ? PartLook::wrong : PartLook::partly;
}

std::string spread_caption(const CheckExhibit::Spread& spread, const Strings& strings) {
  return strings("check.spread", {{"array", spread.array},
                                  {"name", spread.name},
                                  {"wrong", grouped(spread.wrong)},
                                  {"count", grouped(spread.count)}});
}

std::string values_text(const CheckExhibit::Values& values, const Strings& strings) {
  if (values.count == 0) return strings("check.no-values", {{"array", values.array}});
  std::string elements;
  for (const std::string& element : values.elements)
    elements += (elements.empty() ? "" : ", ") + typeset(element);
  if (values.first + values.elements.size() < values.count) elements += ", …";
  return strings("check.values", {{"array", values.array},
                                  {"count", grouped(values.count)},
                                  {"first", grouped(values.first)},
                                  {"elements", elements}});
}

std::vector<CaseLabel> labels_of(const std::vector<CheckExhibit::Case>& cases,
                                 const Strings& strings) {
  const auto label = [&](const CheckExhibit::Case& one) {
    return CaseLabel{one.name.empty() ? strings("exercise.hidden-case") : one.name, one.passed};
  };
  std::vector<CaseLabel> labels;
  if (cases.size() <= kMostCases) {
    std::ranges::transform(cases, std::back_inserter(labels), label);
    return labels;
  }
  std::uint64_t wrong = 0;
  for (const CheckExhibit::Case& one : cases) {
    wrong += one.passed ? 0 : 1;
    if (!one.passed && !one.name.empty() && labels.size() < kMostWrong)
      labels.push_back(label(one));
  }
  const std::uint64_t more = wrong - labels.size(), right = cases.size() - wrong;
  if (more > 0) {
    const std::string_view key = labels.empty() ? "check.cases-wrong" : "check.cases-more";
    labels.push_back({counted(strings, key, more), false});
  }
  if (right > 0) labels.push_back({counted(strings, "check.cases-right", right), true});
  return labels;
}

bool CheckExhibit::passed() const {
  return !items.empty() && std::all_of(items.begin(), items.end(), [](const Item& item) {
    return item.state == State::passed || item.state == State::warning;
  });
}

std::string_view style_of(std::type_identity<CheckExhibit> /*kind*/) {
  return R"css(.wb-check > li { padding: 4px 0; }
.wb-got { float: right; color: var(--t3); font-size: 14px; }
.wb-cases { display: flex; flex-wrap: wrap; gap: 8px; padding: 0; list-style: none; font-size: 13px; }
.wb-mismatches { font-size: 14px; }
.wb-spread { font-family: monospace; letter-spacing: 0; overflow-wrap: anywhere; }
.wb-advice { margin: 4px 0; padding-left: 12px; border-left: 3px solid var(--accent); font-size: 15px; }
)css";
}

}  // namespace warpbook::lab
