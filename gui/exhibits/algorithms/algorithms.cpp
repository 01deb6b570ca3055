// What libraries would run: a group each, with its badge, its times and workspaces as bars that end at its own largest.
#include <algorithm>
#include <cmath>
#include <string>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/algorithms/algorithms_summary.hpp"

namespace warpbook::gui {
namespace {
using Group = lab::AlgorithmsExhibit::Group;
using AlgorithmsRow = lab::AlgorithmsExhibit::Row;

constexpr float kHead = 30, kRow = 24, kWords = 18, kGroupGap = 12, kBarHalf = 6,
                kAlgorithmsGap = 12, kWorkspaceText = 76;
constexpr std::size_t kFolded = 6;

/// Where a group's columns begin, and what its bars are held against.
struct AlgorithmsColumns {
  float name = 0, time = 0, workspace = 0, right = 0;
  float time_text = 0;  ///< room for the longest time in words
  bool times = false;
  double longest = 0;
  std::uint64_t largest = 0;
};

class Groups {
 public:
  Groups(const FigureArea& area, const lab::AlgorithmsExhibit& algorithms, const std::string& id)
      : area_(area), ui_(area.ui), ink_(area.ui.ink()), algorithms_(algorithms), id_(id) {}

  [[nodiscard]] float draw() const {
    float y = area_.corner.y;
    if (!algorithms_.problem.empty()) y += say(y, ui_.tr(algorithms_.problem)) + 4;
    for (std::size_t i = 0; i < algorithms_.groups.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      y += draw_group(y, algorithms_.groups[i], id_ + "/" + std::to_string(i)) + kGroupGap;
      ImGui::PopID();
    }
    y += say(y, ui_.tr("algorithms.scale"));
    return y - area_.corner.y;
  }

 private:
  float say(float y, const std::string& text) const {
    return words({ui_, {area_.corner.x, y}, area_.width, area_.draw}, text, ui_.caption_style());
  }

  /// Names take what they need; where there are no times, words stand beside them and take most of the rest.
  [[nodiscard]] AlgorithmsColumns columns_of(const Group& group) const {
    AlgorithmsColumns columns;
    columns.times = lab::tells_times(group);
    columns.longest = lab::longest_time(group);
    columns.largest = lab::largest_workspace(group);
    float name = 80;
    for (const AlgorithmsRow& row : group.rows) {
      name = std::max(name, ink_.width(ui_.label(), row.name));
      columns.time_text =
          std::max(columns.time_text,
                   ink_.width(ui_.figures(0), lab::time_text(row, group, ui_.book.strings())));
    }
    columns.time_text += 12;
    columns.name = area_.corner.x;
    columns.time = columns.name + std::min(name + kAlgorithmsGap, area_.width * 0.32f);
    columns.workspace = columns.name + area_.width * (columns.times ? 0.68f : 0.72f);
    columns.right = columns.name + area_.width;
    return columns;
  }

  [[nodiscard]] float draw_group(float top, const Group& group, const std::string& key) const {
    float y = top + kHead;
    if (area_.draw) draw_head(group, top + kHead / 2);
    const AlgorithmsColumns columns = columns_of(group);
    const bool open = ui_.book.choice(key) > 0;
    const std::size_t shown = open ? group.rows.size() : std::min(group.rows.size(), kFolded);
    for (std::size_t i = 0; i < shown; ++i) {
      const AlgorithmsRow& row = group.rows[i];
      const std::string says = words_below(row, group, columns.times);
      const float height = kRow + (says.empty() ? 0 : kWords);
      if (area_.draw && ImGui::IsRectVisible({columns.name, y}, {columns.right, y + height})) {
        draw_row(row, group, columns, y + kRow / 2);
        if (!says.empty()) {
          ink_.text_middle(columns.name + kAlgorithmsGap, y + kRow + kWords / 2 - 2, ui_.note(),
                           ink_.fitted(ui_.note(), says, area_.width - kAlgorithmsGap));
        }
      }
      y += height;
    }
    if (group.rows.size() > kFolded) y += draw_fold(y, group, key, open);
    for (const std::string& remark : lab::remarks_of(group, ui_.book.strings()))
      y += say(y + 4, remark) + 4;
    return y - top;
  }

  void draw_head(const Group& group, float middle) const {
    const std::string name = ui_.tr(group.name);
    float right = area_.corner.x + area_.width;
    if (group.evidence) {
      right -= badge(ui_, right, middle, *group.evidence) + 8;
      std::string beside = ui_.tr(group.evidence->on);
      if (group.evidence->kind == device::EvidenceKind::reported)
        beside = ui_.tr("algorithms.beside", {{"gpu", beside}});
      const float room = right - area_.corner.x - ink_.width(ui_.label_bold(), name) - 16;
      ink_.text_middle(right, middle, ui_.note(),
                       ink_.fitted(ui_.note(), beside, std::max(0.0f, room)), Align::right);
    }
    ink_.text_middle(area_.corner.x, middle, ui_.label_bold(), name);
  }

  /// Below a row that has bars beside its name; without them the words stand in their place.
  [[nodiscard]] std::string words_below(const AlgorithmsRow& row, const Group& group,
                                        bool times) const {
    if (!times) return {};
    std::string says = lab::off_text(row, ui_.book.strings());
    for (const std::string& more :
         {lab::spread_text(row, group, ui_.book.strings()), lab::words_of(row)}) {
      if (!more.empty()) says += (says.empty() ? "" : "  ·  ") + more;
    }
    return says;
  }

  void draw_row(const AlgorithmsRow& row, const Group& group, const AlgorithmsColumns& columns,
                float middle) const {
    const Type label = ui_.label();
    ink_.text_middle(columns.name, middle, label,
                     ink_.fitted(label, row.name, columns.time - columns.name - kAlgorithmsGap));
    if (columns.times) {
      draw_time(row, group, columns, middle);
    } else {
      ink_.text_middle(columns.time, middle, ui_.note(),
                       ink_.fitted(ui_.note(), lab::words_of(row),
                                   columns.workspace - columns.time - kAlgorithmsGap));
    }
    const float left = columns.workspace, room = columns.right - kWorkspaceText - left;
    const double share = columns.largest == 0 ? 0
                                              : static_cast<double>(row.workspace) /
                                                    static_cast<double>(columns.largest);
    ink_.fill({left, middle - kBarHalf}, {left + 1, middle + kBarHalf}, ui_.theme.t4);
    bar("workspace " + number_of(row, group), left, room, share, ui_.theme.category[1], middle);
    ink_.text_middle(columns.right, middle, ui_.figures(ui_.theme.t1),
                     lab::byte_count(row.workspace), Align::right);
  }

  void draw_time(const AlgorithmsRow& row, const Group& group, const AlgorithmsColumns& columns,
                 float middle) const {
    const std::string says = lab::time_text(row, group, ui_.book.strings());
    const float left = columns.time,
                room = columns.workspace - kAlgorithmsGap - columns.time_text - left;
    const bool drawn = row.time && std::isfinite(row.time->seconds) && columns.longest > 0;
    float end = left;
    if (drawn) {
      const auto at = [&](double seconds) {
        return left + static_cast<float>(std::clamp(seconds / columns.longest, 0.0, 1.0)) *
                          std::max(0.0f, room);
      };
      bar("time " + number_of(row, group), left, room, row.time->seconds / columns.longest,
          ui_.theme.category[0], middle);
      end = at(row.time->seconds);
      if (row.time->high > row.time->low && std::isfinite(row.time->low) &&
          std::isfinite(row.time->high)) {
        ink_.list()->AddLine({at(row.time->low), middle}, {at(row.time->high), middle},
                             ui_.theme.t1, 1.5f);
        for (const double tip : {row.time->low, row.time->high}) {
          ink_.list()->AddLine({at(tip), middle - 4}, {at(tip), middle + 4}, ui_.theme.t1, 1.5f);
        }
        end = std::max(end, at(row.time->high));
      }
    }
    const Type type = ui_.figures(row.time ? ui_.theme.t1 : ui_.theme.t3);
    const float from = drawn ? end + 8 : left;
    ink_.text_middle(from, middle, type, ink_.fitted(type, says, columns.workspace - 4 - from));
  }

  static std::string number_of(const AlgorithmsRow& row, const Group& group) {
    return std::to_string(&row - group.rows.data());
  }

  /// What is above 0 always shows.
  void bar(const std::string& name, float left, float room, double share, Colour colour,
           float middle) const {
    if (!(share > 0) || room <= 0) return;
    const float length = std::max(2.0f, static_cast<float>(std::min(share, 1.0)) * room);
    const float now = ui_.motion.to(ImGui::GetID(name.c_str()), length, kMoveSeconds);
    ink_.fill({left, middle - kBarHalf}, {left + now, middle + kBarHalf},
              mix(ui_.theme.s2, colour, 0.7f), measure::kCellRadius);
  }

  [[nodiscard]] float draw_fold(float y, const Group& group, const std::string& key,
                                bool open) const {
    if (area_.draw) {
      const std::string label =
          open ? ui_.tr("algorithms.show-few")
               : ui_.tr("algorithms.show-all", {{"count", std::to_string(group.rows.size())}});
      const ButtonLook look{ButtonKind::quiet, measure::kCardButton};
      if (button(ui_, "fold", {area_.corner.x - 8, y + 2}, label, look))
        ui_.post([key, open](Book& book) { book.choose(key, open ? 0 : 1); });
    }
    return measure::kCardButton + 4;
  }

  const FigureArea& area_;
  const Ui& ui_;
  Ink ink_;
  const lab::AlgorithmsExhibit& algorithms_;
  const std::string& id_;
};
}  // namespace

float figure_of(const FigureArea& area, const lab::AlgorithmsExhibit& algorithms,
                const std::string& id) {
  if (algorithms.groups.empty()) return 0;  // the sentence says so
  return Groups(area, algorithms, id).draw();
}

}  // namespace warpbook::gui
