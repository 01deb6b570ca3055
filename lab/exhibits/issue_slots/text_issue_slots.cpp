#include <algorithm>
#include <string>

#include "lab/exhibits/issue_slots/issue_slots_summary.hpp"
#include "lab/markup/terminal.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kMostSlots = 72, kLeastSlots = 12, kShare = 8;

/// The strip of a case: a letter for the warp that fills the first slot of each place, "." where the slots are empty.
std::string strip_of(const IssueSlotsExhibit::Case& one, std::uint64_t end, int columns) {
  const auto place = [&](std::uint64_t clock) {
    return static_cast<std::size_t>(clock * static_cast<std::uint64_t>(columns) / end);
  };
  std::string strip(std::max<std::size_t>(1, place(one.clocks)), '.');
  for (const IssueSlotsExhibit::Span& span : one.spans) {
    const std::size_t from = place(span.begin),
                      to = std::max(from + 1, place(span.begin + span.clocks));
    for (std::size_t at = from; at < to && at < strip.size(); ++at) {
      if (strip[at] == '.') strip[at] = static_cast<char>('A' + span.warp % 26);
    }
  }
  return strip;
}

}  // namespace

void text_body(const IssueSlotsExhibit& slots, const Strings& strings, Page& page) {
  std::uint64_t end = 1;
  int widest = 0;
  for (const IssueSlotsExhibit::Case& one : slots.cases) {
    end = std::max(end, one.clocks);
    widest = std::max(widest,
                      columns_of(strings("issue_slots.of-warps", {{"count", grouped(one.warps)}})));
  }
  const int columns = std::clamp(page.width() - widest - kShare - 6, kLeastSlots, kMostSlots);
  for (const IssueSlotsExhibit::Case& one : slots.cases) {
    const std::string name = strings("issue_slots.of-warps", {{"count", grouped(one.warps)}});
    page.line("  " + padded(name, widest) + "  " +
              page.ink(Ink::accent, padded(strip_of(one, end, columns), columns)) + " " +
              padded_left(strings("issue_slots.filled", {{"share", filled_text(one)}}), kShare));
  }
  if (!slots.cases.empty()) page.paragraph(strings("issue_slots.legend-text"), 2, Ink::quiet);
}

}  // namespace warpbook::lab
