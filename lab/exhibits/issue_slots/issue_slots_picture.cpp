#include "lab/exhibits/issue_slots/issue_slots_picture.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Face = Letters::Face;
using Slots = IssueSlotsExhibit;

constexpr double kSlotsTop = 6, kStripHigh = 34, kStripGap = 12, kSlotsName = 118, kSlotsShare = 64,
                 kScaleHigh = 44, kLeastSpan = 1;
constexpr int kScaleParts = 4;
constexpr Letters kSlotsLetters{Face::sans, 13}, kSlotsFigures{Face::mono, 12};

void place_strip(Drawing& drawing, const Slots& slots, const IssueSlotsPlane& plane,
                 std::size_t which, bool shown, const Canvas& canvas) {
  const Slots::Case& one = slots.cases[which];
  const Area strip = plane.strip(which);
  const double middle = strip.middle().y;
  drawing.text(
      {0, middle},
      canvas.fitted(kSlotsLetters,
                    canvas.strings("issue_slots.of-warps", {{"count", grouped(one.warps)}}),
                    kSlotsName - 8),
      kSlotsLetters, shown ? Role::t1 : Role::t2);
  const Area whole{strip.x, strip.y, plane.across(one.clocks) - strip.x, strip.height};
  drawing.rectangle(whole, Role::s2, 2);
  double drawn = -1;
  for (const Slots::Span& span : one.spans) {
    const double left = plane.across(span.begin), right = plane.across(span.begin + span.clocks);
    if (right <= drawn) continue;
    const double width = std::max(kLeastSpan, right - left);
    drawn = left + width;
    drawing.rectangle({left, strip.y + 3, width, strip.height - 6}, category(span.warp));
  }
  drawing.outline(whole, {shown ? Role::accent : Role::line, shown ? 2.0 : 1.0}, 2);
  drawing.text({canvas.width, middle},
               canvas.strings("issue_slots.filled", {{"share", filled_text(one)}}), kSlotsFigures,
               shown ? Role::t1 : Role::t2, Anchor::right);
}

void place_scale(Drawing& drawing, const IssueSlotsPlane& plane, const Canvas& canvas) {
  const double y = plane.area().bottom() + 6;
  for (int part = 0; part <= kScaleParts; ++part) {
    const std::uint64_t clock = plane.axis_end() * static_cast<std::uint64_t>(part) / kScaleParts;
    const double x = plane.across(clock);
    drawing.line({x, plane.area().y}, {x, y}, {Paint(Role::line, 0.6), 1});
    const Anchor anchor = part == 0             ? Anchor::left
                          : part == kScaleParts ? Anchor::right
                                                : Anchor::middle;
    drawing.text({x, y + 9}, grouped(clock), kSlotsFigures, Role::t3, anchor);
  }
  drawing.text({plane.area().x, y + 27},
               canvas.fitted(kSlotsLetters, canvas.strings("issue_slots.axis"), plane.area().width),
               kSlotsLetters, Role::t3);
}

}  // namespace

IssueSlotsPlane::IssueSlotsPlane(const Slots& slots, const Slots* beside, const Canvas& canvas)
    : cases_(slots.cases.size()), end_(1) {
  for (const Slots* one : {&slots, beside}) {
    if (!one) continue;
    for (const Slots::Case& each : one->cases) end_ = std::max(end_, each.clocks);
  }
  const double high = static_cast<double>(cases_) * (kStripHigh + kStripGap) - kStripGap;
  area_ = {kSlotsName, kSlotsTop, std::max(1.0, canvas.width - kSlotsName - kSlotsShare), high};
  height_ = area_.bottom() + kScaleHigh;
}

Area IssueSlotsPlane::strip(std::size_t which) const {
  return {area_.x, area_.y + static_cast<double>(which) * (kStripHigh + kStripGap), area_.width,
          kStripHigh};
}

double IssueSlotsPlane::across(std::uint64_t clock) const {
  return area_.x + area_.width * static_cast<double>(clock) / static_cast<double>(end_);
}

std::optional<std::size_t> IssueSlotsPlane::case_at(const Point& point) const {
  for (std::size_t i = 0; i < cases_; ++i) {
    if (strip(i).holds(point)) return i;
  }
  return {};
}

Drawing drawing_of(const Slots& slots, const IssueSlotsPlane& plane, std::size_t shown,
                   const Canvas& canvas) {
  Drawing drawing;
  drawing.width = canvas.width;
  drawing.height = plane.height();
  place_scale(drawing, plane, canvas);
  for (std::size_t i = 0; i < slots.cases.size(); ++i)
    place_strip(drawing, slots, plane, i, i == shown, canvas);
  return drawing;
}

}  // namespace warpbook::lab
