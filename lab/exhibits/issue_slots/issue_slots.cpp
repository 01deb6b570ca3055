#include "lab/exhibits/issue_slots/issue_slots.hpp"

#include <algorithm>

#include "lab/exhibits/issue_slots/issue_slots_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/model/choice.hpp"

namespace warpbook::lab {

using Case = IssueSlotsExhibit::Case;

std::string filled_text(const Case& one) {
  if (one.clocks == 0) return "0";
  return number(100.0 * static_cast<double>(filled_of(one)) / static_cast<double>(one.clocks), 3);
}

std::string case_text(const IssueSlotsExhibit& slots, std::size_t which, const Strings& strings) {
  const Case& one = slots.cases[which];
  return strings("issue_slots.case", {{"count", grouped(one.warps)},
                                      {"own", grouped(one.own)},
                                      {"clocks", grouped(one.clocks)},
                                      {"filled", filled_text(one)}});
}

std::string model_text(const IssueSlotsExhibit& slots, const Strings& strings) {
  return strings("issue_slots.model", {{"schedulers", grouped(slots.schedulers)},
                                       {"latency", grouped(slots.latency)},
                                       {"work", grouped(slots.work)},
                                       {"rounds", grouped(slots.rounds)}});
}

std::string sentence_of(const IssueSlotsExhibit& slots, const Strings& strings) {
  if (slots.cases.empty()) return strings("issue_slots.nothing");
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < slots.cases.size(); ++i)
    parts.push_back(case_text(slots, i, strings));
  parts.push_back(model_text(slots, strings));
  return sentences(strings, parts);
}

Table table_of(const IssueSlotsExhibit& slots, const Strings& strings) {
  Table table{{strings("issue_slots.head.warps"), strings("table.warp"),
               strings("issue_slots.head.begin"), strings("table.clocks")},
              {}};
  for (const Case& one : slots.cases) {
    for (const IssueSlotsExhibit::Span& span : one.spans)
      table.rows.push_back({std::to_string(one.warps), std::to_string(span.warp),
                            std::to_string(span.begin), std::to_string(span.clocks)});
  }
  return table;
}

void compare(const IssueSlotsExhibit& a, const IssueSlotsExhibit& b, Comparer& comparer) {
  for (const Case& one : b.cases) {
    const auto other = std::ranges::find(a.cases, one.warps, &Case::warps);
    const auto clocks = other == a.cases.end() ? std::nullopt : figure_of(other->clocks);
    comparer.figure("slot_clocks", clocks, figure_of(one.clocks),
                    {"issue_slots.of-warps", {{"count", grouped(one.warps)}}, {}},
                    device::EvidenceKind::estimated);
  }
}

void extras(JsonExtras& json, const Case& one) {
  json("filled", [&] { return filled_of(one); });
}

bool valid(const IssueSlotsExhibit& v) {
  return v.schedulers > 0 && is_choice(v.chosen, v.cases.size()) &&
         std::ranges::all_of(v.cases, [](const Case& one) {
           std::uint64_t end = 0;
           for (const IssueSlotsExhibit::Span& span : one.spans) {
             if (span.begin < end || span.clocks > one.clocks ||
                 span.begin > one.clocks - span.clocks || span.warp >= one.own)
               return false;
             end = span.begin + span.clocks;
           }
           return true;
         });
}

}  // namespace warpbook::lab
