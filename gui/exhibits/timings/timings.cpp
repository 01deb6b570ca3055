// Times as bars on one axis, rows with different evidence in groups of their own with a badge each.
#include <algorithm>
#include <vector>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"

namespace warpbook::gui {
namespace {
/// The longest time of this evidence, here and in the one that is to have the same axis.
double longest_of(const FigureArea& area, const lab::TimingsExhibit& timings,
                  device::EvidenceKind group) {
  double longest = 0;
  for (const auto* one : {&timings, beside_as<lab::TimingsExhibit>(area)}) {
    if (!one) continue;
    for (const auto& row : one->rows) {
      if (row.evidence.kind == group) longest = std::max({longest, row.seconds, row.high});
    }
  }
  return longest;
}

/// Why the group's rows take so long, where all of them say the same; else nothing.
lab::Message reason_of_all(const lab::TimingsExhibit& timings, device::EvidenceKind group) {
  const lab::TimingsExhibit::Row* first = nullptr;
  std::size_t rows = 0;
  for (const auto& row : timings.rows) {
    if (row.evidence.kind != group) continue;
    if (first && row.bottleneck != first->bottleneck) return {};
    first = &row;
    ++rows;
  }
  return rows > 1 ? first->bottleneck : lab::Message{};
}
}  // namespace

float figure_of(const FigureArea& area, const lab::TimingsExhibit& timings,
                const std::string& /*id*/) {
  const Ui& ui = area.ui;
  constexpr float kRow = 30, kGroupGap = 12, kReason = 260;  // least width of a reason
  const Ink ink = ui.ink();
  float y = area.corner.y;
  if (!timings.what.empty()) {
    y += words({ui, {area.corner.x, y}, area.width, area.draw}, ui.tr(timings.what),
               ui.caption_style()) +
         6;
  }
  std::vector<device::EvidenceKind> groups;
  for (const auto& row : timings.rows) {
    if (std::ranges::find(groups, row.evidence.kind) == groups.end())
      groups.push_back(row.evidence.kind);
  }
  float label_width = 60;
  for (const auto& row : timings.rows)
    label_width = std::max(label_width, ink.width(ui.label(), ui.tr(row.label)));
  label_width = std::min(label_width, area.width * 0.4f) + 14;
  const float value_width = 96, bar_width = area.width - label_width - value_width;
  // Below its bar where it has room there, else below its name.
  const float indent = area.width - label_width < kReason ? 0 : label_width;
  const auto say_why = [&](const lab::Message& why) {
    if (why.empty()) return 0.0f;
    return words({ui, {area.corner.x + indent, y}, area.width - indent, area.draw}, ui.tr(why),
                 ui.caption_style());
  };
  for (const device::EvidenceKind group : groups) {
    const double longest = longest_of(area, timings, group);
    const device::Evidence* evidence = nullptr;
    for (const auto& row : timings.rows) {
      if (row.evidence.kind == group) evidence = &row.evidence;
    }
    if (groups.size() > 1 && evidence) {
      if (area.draw) badge(ui, area.corner.x + area.width, y + 12, *evidence);
      y += 26;
    }
    const lab::Message shared = reason_of_all(timings, group);
    for (const auto& row : timings.rows) {
      if (row.evidence.kind != group) continue;
      if (area.draw) {
        const float middle = y + kRow / 2, left = area.corner.x + label_width;
        ink.label(area.corner.x, middle, ui.label(), ui.tr(row.label), label_width - 14);
        const auto at = [&](double seconds) {
          return left + static_cast<float>(longest > 0 ? seconds / longest : 0) * bar_width;
        };
        ink.fill({left, middle - 7}, {left + bar_width, middle + 7}, ui.theme.s3,
                 measure::kCellRadius);
        const std::string bar = "bar " + std::to_string(&row - timings.rows.data());
        const float length =
            ui.motion.to(ImGui::GetID(bar.c_str()), at(row.seconds) - left, kMoveSeconds);
        ink.fill({left, middle - 7}, {std::max(left + 2, left + length), middle + 7},
                 mix(ui.theme.s2, ui.theme.category[0], 0.7f), measure::kCellRadius);
        if (row.high > row.low) {  // the band, as a whisker
          ink.list()->AddLine({at(row.low), middle}, {at(row.high), middle}, ui.theme.t1, 1.5f);
          for (const double end : {row.low, row.high}) {
            ink.list()->AddLine({at(end), middle - 4}, {at(end), middle + 4}, ui.theme.t1, 1.5f);
          }
        }
        ink.text_middle(area.corner.x + area.width, middle, ui.figures(ui.theme.t1),
                        lab::duration(row.seconds), Align::right);
      }
      y += kRow;
      if (shared.empty()) y += say_why(row.bottleneck);
    }
    y += say_why(shared);
    y += kGroupGap;
  }
  return y - (groups.empty() ? 0 : kGroupGap) - area.corner.y;
}

}  // namespace warpbook::gui
