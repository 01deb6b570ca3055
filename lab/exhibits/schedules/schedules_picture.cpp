#include "lab/exhibits/schedules/schedules_picture.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace warpbook::lab {
namespace {

using Face = Letters::Face;

constexpr std::size_t kScheduleColumns = 32;  ///< or half of them, where cells would be small
constexpr double kScheduleGap = 2, kScheduleMostCell = 28, kScheduleLeastCell = 20,
                 kSchedulePartGap = 14, kScheduleBandHigh = 14, kScheduleLine = 22,
                 kScheduleCodeLine = 24, kScheduleNumberWide = 30, kScheduleAccentBar = 3;
constexpr Letters kScheduleSign{Face::mono, 12}, kScheduleNote{Face::sans, 13},
    kScheduleFigures{Face::mono, 13}, kScheduleCode{Face::mono, 13};

bool any_wrong_place(const SchedulesExhibit& schedules) {
  return std::ranges::any_of(schedules.outcomes,
                             [](const auto& outcome) { return outcome.wrong > 0; });
}

class SchedulesDrawing {
 public:
  SchedulesDrawing(const SchedulesExhibit& schedules, const SchedulesPlane& plane,
                   std::size_t shown, const Canvas& canvas)
      : schedules_(schedules),
        plane_(plane),
        shown_(shown),
        outcome_(outcome_of(schedules, shown)),
        canvas_(canvas) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    for (std::size_t run = 0; run < schedules.runs.size(); ++run) place_cell(run);
    if (outcome_ && plane.elements().height > 0) place_result();
    if (schedules.collision) place_code(*schedules.collision);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_cell(std::size_t run) {
    const Area at = plane_.cell(run);
    const std::uint32_t outcome = schedules_.runs[run];
    const bool right = is_right(schedules_.outcomes[outcome]);
    DrawnItem& cell = drawing_.rectangle(at, right ? Role::ok_tint : Role::bad_tint, 3);
    cell.id = ItemId{"schedule", run};
    cell.title = run_text(schedules_, run, canvas_.strings);
    if (right)
      place_tick(at);
    else
      drawing_.text(at.middle(), outcome_sign(schedules_, outcome), kScheduleSign, Role::bad,
                    Anchor::middle);
    if (run == shown_) drawing_.outline(at.grown(kScheduleGap), {Role::accent, 2}, 4);
  }

  void place_tick(const Area& at) {
    const Point middle = at.middle();
    drawing_.polyline(
        {{middle.x - 4, middle.y}, {middle.x - 1, middle.y + 3}, {middle.x + 4, middle.y - 4}},
        {Role::ok, 1.5});
  }

  /// The array as a band, wrong elements marked, and the first differences below.
  void place_result() {
    const Area& band = plane_.elements();
    const double note = band.y - kScheduleLine / 2;
    drawing_.text(
        {band.x, note},
        canvas_.fitted(kScheduleNote, run_text(schedules_, shown_, canvas_.strings), band.width),
        kScheduleNote, is_right(*outcome_) ? Role::ok : Role::t2);
    if (!outcome_->ended) {
      drawing_.rectangle(band, Role::s3, 3);
      return;
    }
    drawing_.rectangle(band, Role::ok_tint, 3);
    const auto elements = static_cast<double>(std::max<std::uint64_t>(1, schedules_.elements));
    const double wide = std::max(2.0, band.width / elements - 1);
    for (const std::uint64_t place : outcome_->places) {
      const double left = band.x + static_cast<double>(place) / elements * band.width;
      drawing_
          .rectangle({std::min(left, band.right() - wide), band.y, wide, band.height}, Role::bad)
          .id = ItemId{"wrong", place};
    }
    for (std::size_t i = 0; i < outcome_->differences.size(); ++i)
      place_difference(outcome_->differences[i], plane_.difference_line(i));
  }

  void place_difference(const SchedulesExhibit::Difference& difference, double y) {
    const std::string name = schedules_.array + "[" + std::to_string(difference.index) + "]  ";
    drawing_.text({0, y}, name, kScheduleFigures, Role::t3);
    double x = canvas_.text_width(kScheduleFigures, name) + 8;
    const auto say = [&](const std::string& words, const Letters& letters, Role role) {
      drawing_.text({x, y}, words, letters, role);
      x += canvas_.text_width(letters, words) + 8;
    };
    say(canvas_.strings("schedules.should"), kScheduleNote, Role::t3);
    say(difference.expected, kScheduleFigures, Role::ok);
    say(canvas_.strings("schedules.is"), kScheduleNote, Role::t3);
    say(difference.got, kScheduleFigures, Role::bad);
  }

  void place_code(const SchedulesExhibit::Collision& collision) {
    drawing_.rectangle(plane_.code(), Role::s1, 4);
    for (std::size_t i = 0; i < collision.code.size(); ++i) place_code_line(collision, i);
    if (collision.barrier) place_barrier(collision);
  }

  void place_code_line(const SchedulesExhibit::Collision& collision, std::size_t number) {
    const double y = plane_.code_line(number);
    const auto line = static_cast<std::uint32_t>(collision.first_line + number);
    const Area row{0, y - kScheduleCodeLine / 2, canvas_.width, kScheduleCodeLine};
    std::string marks;
    for (const auto* side : {&collision.first, &collision.second}) {
      if (side->line == line)
        marks += (marks.empty() ? "" : ", ") + side_text(collision, *side, canvas_.strings);
    }
    double room = canvas_.width - kScheduleNumberWide - 8;
    if (!marks.empty()) {
      drawing_.rectangle(row, Role::bad_tint).id = ItemId{"collides", line};
      drawing_.rectangle({0, row.y, kScheduleAccentBar, row.height}, Role::bad);
      drawing_.text({row.right() - 8, y}, marks, kScheduleNote, Role::bad, Anchor::right);
      room -= canvas_.text_width(kScheduleNote, marks) + 16;
    }
    drawing_.text({kScheduleNumberWide - 8, y}, std::to_string(line), kScheduleSign, Role::t4,
                  Anchor::right);
    drawing_.text({kScheduleNumberWide, y},
                  canvas_.fitted(kScheduleCode, collision.code[number], room), kScheduleCode,
                  Role::t1);
  }

  /// Where the barrier is missing.
  void place_barrier(const SchedulesExhibit::Collision& collision) {
    const std::uint32_t below = line_below_barrier(collision);
    const double y = plane_.code_line(below - collision.first_line) - kScheduleCodeLine / 2;
    drawing_.line({kScheduleAccentBar, y}, {canvas_.width, y}, {Role::accent, 2, kDashes}).id =
        ItemId{"barrier", below};
  }

  const SchedulesExhibit& schedules_;
  const SchedulesPlane& plane_;
  std::size_t shown_;
  const SchedulesExhibit::Outcome* outcome_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

SchedulesPlane::SchedulesPlane(const SchedulesExhibit& schedules, const Canvas& canvas)
    : runs_(schedules.runs.size()) {
  const bool narrow = canvas.width < kScheduleLeastCell * kScheduleColumns;
  columns_ = std::clamp<std::size_t>(runs_, 1, narrow ? kScheduleColumns / 2 : kScheduleColumns);
  const std::size_t rows = (runs_ + columns_ - 1) / columns_;
  const double side = std::min(kScheduleMostCell, canvas.width / static_cast<double>(columns_));
  strip_ = {0, kScheduleGap, side * static_cast<double>(columns_),
            side * static_cast<double>(rows)};
  height_ = strip_.bottom() + kScheduleGap;
  if (any_wrong_place(schedules)) {
    std::size_t most = 0;
    for (const auto& outcome : schedules.outcomes)
      most = std::max(most, outcome.differences.size());
    elements_ = {0, height_ + kSchedulePartGap + kScheduleLine, canvas.width, kScheduleBandHigh};
    height_ = elements_.bottom() + 6 + static_cast<double>(most) * kScheduleLine;
  }
  if (schedules.collision) {
    code_ = {0, height_ + kSchedulePartGap, canvas.width,
             static_cast<double>(schedules.collision->code.size()) * kScheduleCodeLine};
    height_ = code_.bottom();
  }
}

Area SchedulesPlane::cell(std::size_t run) const {
  const double side = strip_.width / static_cast<double>(columns_);
  const auto rows_above = run / columns_;
  const auto column = static_cast<double>(run % columns_), row = static_cast<double>(rows_above);
  return Area{strip_.x + column * side, strip_.y + row * side, side, side}.grown(-kScheduleGap);
}

std::optional<std::size_t> SchedulesPlane::run_at(const Point& point) const {
  if (!strip_.holds(point)) return std::nullopt;
  const double side = strip_.width / static_cast<double>(columns_);
  const auto run = static_cast<std::size_t>((point.y - strip_.y) / side) * columns_ +
                   static_cast<std::size_t>((point.x - strip_.x) / side);
  return run < runs_ ? std::optional(run) : std::nullopt;
}

double SchedulesPlane::difference_line(std::size_t number) const {
  return elements_.bottom() + 6 + (static_cast<double>(number) + 0.5) * kScheduleLine;
}

double SchedulesPlane::code_line(std::size_t number) const {
  return code_.y + (static_cast<double>(number) + 0.5) * kScheduleCodeLine;
}

Drawing drawing_of(const SchedulesExhibit& schedules, const SchedulesPlane& plane,
                   std::size_t shown, const Canvas& canvas) {
  return SchedulesDrawing(schedules, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
