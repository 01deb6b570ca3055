#include "lab/exhibits/warp_film/warp_film_picture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Face = Letters::Face;
using Step = WarpFilmExhibit::Step;

constexpr std::size_t kMostRows = 48, kManyRows = 20;
constexpr double kHead = 26, kRowHigh = 24, kLowRow = 17, kAxisHigh = 30, kColumnGap = 14,
                 kCodeShare = 0.34, kWidestCode = 340, kFrameShare = 0.29, kWidestLane = 8,
                 kNumberWide = 30, kPadding = 4, kHandle = 6, kLeastStep = 1.5, kLaneGap = 1.5;
constexpr Letters kFilmHead{Face::sans, 12}, kFilmCode{Face::mono, 12}, kLowCode{Face::mono, 11},
    kFilmFigures{Face::mono, 11};
/// Every so many lanes a line helps to count them.
constexpr unsigned kLaneMarks = 8;

/// The colour says whether all lanes of the warp take part; the fewer do, the fainter it is.
Paint paint_of(const WarpFilmExhibit& film, const Step& step) {
  if (is_whole(film, step)) return Role::category_0;
  constexpr double kFaintest = 0.55;
  const double share = static_cast<double>(std::popcount(step.lanes)) / device::kLanes;
  return {Role::category_1, kFaintest + (1 - kFaintest) * share};
}

class WarpFilmDrawing {
 public:
  WarpFilmDrawing(const WarpFilmExhibit& film, const WarpFilmPlane& plane, std::size_t shown,
                  const Canvas& canvas)
      : film_(film), plane_(plane), shown_(shown), canvas_(canvas) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    place_heads();
    place_rows();
    place_strip();
    place_frame();
    place_axis();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  [[nodiscard]] const Step& now() const { return film_.steps[shown_]; }
  [[nodiscard]] double middle_of(std::size_t row) const {
    return plane_.top_of(row) + plane_.row_high() / 2;
  }
  [[nodiscard]] double bottom() const { return plane_.top_of(plane_.rows() + 1); }

  void head(const Area& column, const std::string& text) {
    drawing_.text({column.x, kHead / 2 - 2}, canvas_.fitted(kFilmHead, text, column.width),
                  kFilmHead, Role::t3);
  }
  void place_heads() {
    const Strings& s = canvas_.strings;
    head(plane_.code(), s(film_.ptx ? "warp_film.column.ptx" : "warp_film.column.source"));
    head(plane_.frame(), s("warp_film.column.lanes", {{"step", grouped(shown_ + 1)}}));
    head(plane_.strip(), s("warp_film.column.film"));
  }

  void place_rows() {
    const Area& code = plane_.code();
    const Letters letters = plane_.row_high() < kRowHigh ? kLowCode : kFilmCode;
    for (std::size_t i = 0; i < plane_.rows(); ++i) {
      const Area row{0, plane_.top_of(i), canvas_.width, plane_.row_high()};
      const bool here = now().row == i;
      if (here)
        drawing_.rectangle(row, Role::accent_tint, 3);
      else if (i % 2 == 1)
        drawing_.rectangle(row, Paint(Role::s2, 0.6), 3);
      drawing_.text({code.x + kNumberWide - 8, middle_of(i)}, std::to_string(film_.rows[i].line),
                    letters, Role::t4, Anchor::right);
      const double room = code.width - kNumberWide;
      drawing_.text({code.x + kNumberWide, middle_of(i)},
                    canvas_.fitted(letters, film_.rows[i].text, room), letters,
                    here ? Role::t1 : Role::t2);
    }
    drawing_.text(
        {code.x + kNumberWide, middle_of(plane_.rows())},
        canvas_.fitted(kFilmHead, canvas_.strings("warp_film.ended"), code.width - kNumberWide),
        kFilmHead, Role::t3);
  }

  /// The whole film. Neighbours that fall onto the same place of a row are drawn once.
  void place_strip() {
    const Area& strip = plane_.strip();
    for (const unsigned quarter : {0u, 1u, 2u, 3u, 4u}) {
      const double x = strip.x + strip.width * quarter / 4;
      drawing_.line({x, strip.y}, {x, bottom()}, {Paint(Role::line, 0.5), 1});
    }
    std::vector<double> drawn(plane_.rows(), -1);
    std::uint64_t issued = 0;
    for (const Step& step : film_.steps) {
      const double left = plane_.across(issued), right = plane_.across(issued + step.issues);
      issued += step.issues;
      if (step.row >= plane_.rows() || right <= drawn[step.row]) continue;
      const double width = std::max(kLeastStep, right - left);
      drawn[step.row] = left + width;
      drawing_.rectangle({left, plane_.top_of(step.row) + 3, width, plane_.row_high() - 6},
                         paint_of(film_, step), std::min(2.0, width / 2));
    }
  }

  /// Where each lane is: filled where it takes part, an outline where it waits for its turn.
  void place_frame() {
    const Area& frame = plane_.frame();
    for (unsigned mark = 0; mark <= device::kLanes; mark += kLaneMarks) {
      const double x = frame.x + frame.width * mark / device::kLanes;
      drawing_.line({x, frame.y}, {x, bottom()}, {Paint(Role::line, 0.7), 1});
    }
    for (unsigned lane = 0; lane < device::kLanes; ++lane) {
      if ((film_.lanes >> lane & 1) == 0) continue;
      const auto row = row_of(film_, shown_, lane);
      const bool active = (now().lanes >> lane & 1) != 0;
      if (row && *row >= plane_.rows()) continue;
      const Area at = plane_.lane_at(row ? *row : plane_.rows(), lane);
      if (active)
        drawing_.rectangle(at, paint_of(film_, {0, now().lanes, 1}), 1.5);
      else
        drawing_.outline(at, {Paint(row ? Role::t3 : Role::t4), 1}, 1.5);
    }
  }

  /// The scale of issued instructions, with the handle of the shown step.
  void place_axis() {
    const Area& strip = plane_.strip();
    const double y = bottom() + kAxisHigh / 2 - 2;
    drawing_.line({strip.x, y}, {strip.right(), y}, {Role::line, 2});
    const std::uint64_t first = issued_before(film_, shown_);
    const double left = plane_.across(first), right = plane_.across(first + now().issues);
    const double x = (left + right) / 2;
    drawing_.line({x, strip.y}, {x, y}, {Role::accent, 1.5});
    drawing_.line({left, y}, {std::max(right, left + kLeastStep), y}, {Role::accent, 4});
    drawing_.circle({x, y}, kHandle, Role::accent);
    const std::string end = grouped(plane_.axis_end());
    drawing_.text({strip.x, y + 13}, "0", kFilmFigures, Role::t3);
    drawing_.text({strip.right(), y + 13}, end, kFilmFigures, Role::t3, Anchor::right);
    const Area& frame = plane_.frame();
    drawing_.text({frame.x, y + 13}, "0", kFilmFigures, Role::t3);
    drawing_.text({frame.right(), y + 13}, std::to_string(device::kLanes - 1), kFilmFigures,
                  Role::t3, Anchor::right);
  }

  const WarpFilmExhibit& film_;
  const WarpFilmPlane& plane_;
  std::size_t shown_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

WarpFilmPlane::WarpFilmPlane(const WarpFilmExhibit& film, const WarpFilmExhibit* beside,
                             const Canvas& canvas)
    : rows_(std::min(film.rows.size(), kMostRows)),
      left_out_(film.rows.size() - rows_),
      end_(std::max<std::uint64_t>(
          {1, totals_of(film).issues, beside ? totals_of(*beside).issues : 0})) {
  row_high_ = film.rows.size() > kManyRows ? kLowRow : kRowHigh;
  const double rows_high = row_high_ * static_cast<double>(rows_ + 1);
  code_ = {0, kHead, std::min(kWidestCode, kCodeShare * canvas.width), rows_high};
  const double lanes = std::min(kWidestLane * device::kLanes, kFrameShare * canvas.width);
  frame_ = {code_.right() + kColumnGap, kHead, lanes, rows_high};
  const double left = frame_.right() + kColumnGap;
  strip_ = {left, kHead, canvas.width - left - kHandle, rows_high};
  height_ = kHead + rows_high + kAxisHigh + kPadding;
}

double WarpFilmPlane::top_of(std::size_t row) const {
  return kHead + row_high_ * static_cast<double>(row);
}

double WarpFilmPlane::across(std::uint64_t issue) const {
  return strip_.x + strip_.width * static_cast<double>(issue) / static_cast<double>(end_);
}

Area WarpFilmPlane::lane_at(std::size_t row, unsigned lane) const {
  const double wide = frame_.width / device::kLanes, high = std::min(row_high_ - 6, 14.0);
  return {frame_.x + wide * lane + kLaneGap / 2, top_of(row) + (row_high_ - high) / 2,
          wide - kLaneGap, high};
}

std::size_t WarpFilmPlane::step_near(const WarpFilmExhibit& film, double x) const {
  const double share = std::clamp((x - strip_.x) / strip_.width, 0.0, 1.0);
  return step_at(film, static_cast<std::uint64_t>(share * static_cast<double>(end_)));
}

Drawing drawing_of(const WarpFilmExhibit& film, const WarpFilmPlane& plane, std::size_t shown,
                   const Canvas& canvas) {
  return WarpFilmDrawing(film, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
