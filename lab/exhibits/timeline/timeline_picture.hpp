// The picture of a timeline: a strip for each row, a box for each thing that ran there, an arrow where one waited for another.
// The window and SVG draw the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// A box: one item, equal neighbours that have no room for names of their own, or what is too close together for a box each.
struct TimelinePiece {
  TimelineRun run;            ///< its first item, with the times of all of them added up
  bool alike = true;          ///< they are equal neighbours
  std::uint32_t longest = 0;  ///< the number of the span that takes the most time
  TimelineExhibit::Activity activity = TimelineExhibit::Activity::kernel;  ///< as which it is drawn
  double left = 0, right = 0;                                              ///< in the picture
  std::vector<double> notches;  ///< where further items begin, if there is room to see them
};

/// Where the rows, the boxes and the axis of a timeline lie. However many spans there are, the number of boxes is bounded: by the
/// width, because a box has a least width, and by the rows that are drawn.
class TimelinePlane {
 public:
  /// With another timeline beside it, both have the same axis, unless only one of them has times. `stretch` is the part of the axis
  /// that is drawn, from one edge to the other; empty: all of it.
  TimelinePlane(const TimelineExhibit& timeline, const TimelineExhibit* beside,
                const Canvas& canvas, const TimelineStretch& stretch = {});

  [[nodiscard]] const Area& area() const { return area_; }
  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] double axis_end() const { return end_; }
  [[nodiscard]] const TimelineStretch& stretch() const { return stretch_; }
  [[nodiscard]] double across(double at) const;
  /// The time or step that lies there.
  [[nodiscard]] double at(double across) const;
  [[nodiscard]] std::size_t rows() const { return tops_.size(); }  ///< that are drawn
  [[nodiscard]] Area strip(std::size_t row) const;
  [[nodiscard]] double name_width() const { return area_.x; }
  /// Row by row, from left to right.
  [[nodiscard]] const std::vector<TimelinePiece>& pieces() const { return pieces_; }
  [[nodiscard]] Area box(const TimelinePiece& piece) const;
  /// The box that a span is in; none where that is not drawn.
  [[nodiscard]] std::optional<std::size_t> piece_of(std::size_t span) const;
  [[nodiscard]] std::optional<std::size_t> piece_at(const Point& point) const;
  /// The box before or after one on its row, or the nearest on the row above or below; none where there is none.
  [[nodiscard]] std::optional<std::size_t> beside(std::size_t piece, int step) const;
  [[nodiscard]] std::optional<std::size_t> on_next_row(std::size_t piece, int step) const;

  struct Arrow {
    std::size_t from = 0, to = 0;  ///< boxes
    Point begin, end;
  };
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }
  /// Whether a box stands for several things that are not equal.
  [[nodiscard]] bool has_close_boxes() const;
  /// Arrows are drawn of the box that is pointed at alone where all of them would hide the boxes.
  [[nodiscard]] bool has_many_arrows() const;

 private:
  void place_rows(const TimelineExhibit& timeline, const Canvas& canvas);
  void place_pieces(const TimelineExhibit& timeline, const TimelineRuns& items,
                    const Canvas& canvas);
  void place_arrows(const TimelineExhibit& timeline, const TimelineRuns& items);
  void place_notes(const TimelineExhibit& timeline);

  Area area_;  // of all strips
  double height_ = 0, end_ = 0;
  TimelineStretch stretch_;
  std::vector<double> tops_;  // of each row that is drawn
  std::vector<TimelinePiece> pieces_;
  std::vector<std::optional<std::size_t>> piece_of_;  // by span
  std::vector<Arrow> arrows_;
};

/// All of a box in a few sentences. `whole`: the seconds of which it takes a share.
std::string piece_text(const TimelineExhibit& timeline, const TimelinePiece& piece, double whole,
                       const Strings& strings);

/// `shown`: the box that is outlined, with the arrows that lead to it and from it.
Drawing drawing_of(const TimelineExhibit& timeline, const TimelinePlane& plane,
                   std::optional<std::size_t> shown, const Canvas& canvas);

}  // namespace warpbook::lab
