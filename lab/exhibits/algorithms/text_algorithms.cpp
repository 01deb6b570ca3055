#include <algorithm>
#include <cmath>

#include "lab/exhibits/algorithms/algorithms_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

using Group = AlgorithmsExhibit::Group;
using AlgorithmsRow = AlgorithmsExhibit::Row;

constexpr std::size_t kMostRows = 24;
constexpr int kBarColumns = 8, kWorkspaceColumns = 9, kMostNameColumns = 26, kIndent = 4,
              kBarsFrom = 90;

/// The columns that a group's rows share.
class Rows {
 public:
  Rows(const Group& group, const Strings& strings, int width)
      : group_(group),
        strings_(strings),
        width_(width),
        shown_(std::min(group.rows.size(), kMostRows)),
        longest_(longest_time(group)),
        largest_(largest_workspace(group)) {
    for (std::size_t i = 0; i < shown_; ++i) {
      name_ = std::max(name_, columns_of(group.rows[i].name));
      time_ = std::max(time_, columns_of(time_text(group.rows[i], group, strings)));
      off_ = std::max(off_, columns_of(off_text(group.rows[i], strings)));
    }
    name_ = std::min({name_, kMostNameColumns, width / 3});
  }

  [[nodiscard]] std::size_t shown() const { return shown_; }

  void draw(const AlgorithmsRow& row, Page& page) const {
    std::string text = "  " + padded(clipped(row.name, name_), name_);
    int taken = 2 + name_;
    const auto put = [&](const std::string& cell, int columns, Ink ink) {
      if (taken + 2 + columns > width_) return;  // a narrow page keeps what comes first
      text += "  " + page.ink(ink, padded(cell, columns));
      taken += 2 + columns;
    };
    const bool bars = width_ >= kBarsFrom;
    if (time_ > 0) {
      const bool finite = row.time && std::isfinite(row.time->seconds) && longest_ > 0;
      if (bars)
        put(bar(finite ? row.time->seconds / longest_ : 0, kBarColumns), kBarColumns, Ink::accent);
      put(padded_left(time_text(row, group_, strings_), time_), time_, Ink::strong);
    }
    if (bars) {
      const double share =
          largest_ == 0 ? 0 : static_cast<double>(row.workspace) / static_cast<double>(largest_);
      put(bar(share, kBarColumns), kBarColumns, Ink::plain);
    }
    put(padded_left(byte_count(row.workspace), kWorkspaceColumns), kWorkspaceColumns, Ink::plain);
    if (off_ > 0) put(off_text(row, strings_), off_, Ink::plain);
    const std::string spread = spread_text(row, group_, strings_);
    std::string rest = words_of(row);
    if (!spread.empty()) rest = spread + (rest.empty() ? "" : "  ") + rest;
    std::ranges::replace(rest, '\n', ' ');
    if (const int room = width_ - taken - 2; room >= 8)
      text += "  " + page.ink(Ink::quiet, clipped(printable(rest), room));
    page.line(text);
  }

 private:
  const Group& group_;
  const Strings& strings_;
  int width_;
  std::size_t shown_;
  double longest_;
  std::uint64_t largest_;
  int name_ = 8, time_ = 0, off_ = 0;
};

void draw_group(const Group& group, const Strings& strings, Page& page) {
  const std::string name = strings(group.name),
                    from = group.evidence ? "[" + badge(strings, *group.evidence) + "]" : "";
  if (4 + columns_of(name) + columns_of(from) <= page.width()) {
    page.line("  " + page.ink(Ink::strong, name) + "  " + page.ink(Ink::quiet, from));
  } else {
    page.paragraph(name, 2, Ink::strong);
    page.paragraph(from, 2, Ink::quiet);
  }
  const Rows rows(group, strings, page.width());
  for (std::size_t i = 0; i < rows.shown(); ++i) rows.draw(group.rows[i], page);
  if (rows.shown() < group.rows.size()) {
    page.paragraph(counted(strings, "algorithms.more", group.rows.size() - rows.shown()), kIndent,
                   Ink::quiet);
  }
  for (const std::string& remark : remarks_of(group, strings))
    page.paragraph(remark, kIndent, Ink::quiet);
}

}  // namespace

void text_body(const AlgorithmsExhibit& algorithms, const Strings& strings, Page& page) {
  if (algorithms.groups.empty()) return;
  if (!algorithms.problem.empty()) page.paragraph(strings(algorithms.problem), 2, Ink::quiet);
  for (const Group& group : algorithms.groups) draw_group(group, strings, page);
}

}  // namespace warpbook::lab
