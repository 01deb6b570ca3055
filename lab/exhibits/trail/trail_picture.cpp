#include "lab/exhibits/trail/trail_picture.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace warpbook::lab {
namespace {

using Face = Letters::Face;

constexpr double kTrailHead = 26, kTrailRow = 24, kTrailFoot = 8, kTrailNumberWide = 28,
                 kTrailTrackWide = 30, kTrailKernelsShare = 0.16, kTrailLeastKernels = 72,
                 kTrailGap = 8, kTrailCross = 5, kTrailArrowLong = 9, kTrailArrowHalf = 5,
                 kTrailKernelInset = 3, kTrailTick = 4;
constexpr std::string_view kErrorsBegin = "cudaError";
constexpr Letters kTrailTitle{Face::sans, 13, true}, kTrailCode{Face::mono, 12},
    kTrailNumber{Face::mono, 12}, kTrailReturned{Face::mono, 12}, kTrailKernel{Face::mono, 12};

class TrailDrawing {
 public:
  TrailDrawing(const TrailExhibit& trail, const TrailPlane& plane, std::optional<std::size_t> shown,
               const Canvas& canvas)
      : trail_(trail), plane_(plane), shown_(shown), canvas_(canvas) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    place_heads();
    for (std::size_t i = 0; i < trail.steps.size(); ++i) place_step(i);
    for (std::size_t i = 0; i < trail.kernels.size(); ++i) place_kernel(i);
    if (trail.cause) place_way();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_heads() {
    const double y = kTrailHead / 2;
    drawing_.text({kTrailNumberWide, y}, canvas_.strings("trail.host"), kTrailTitle, Role::t2);
    drawing_.text({plane_.host_right(), y}, canvas_.strings("trail.head.returned"), kTrailTitle,
                  Role::t2, Anchor::right);
    if (trail_.kernels.empty()) return;
    drawing_.text({plane_.kernel(trail_, 0).x, y}, canvas_.strings("trail.device"), kTrailTitle,
                  Role::t2);
  }

  void place_step(std::size_t number) {
    const TrailExhibit::Step& step = trail_.steps[number];
    const Area row = plane_.row(number);
    const Area host{row.x, row.y, plane_.host_right() + kTrailGap, row.height};
    if (step.failed)
      drawing_.rectangle(host, Role::bad_tint, 3);
    else if (trail_.cause == number)
      drawing_.rectangle(host, Role::warn_tint, 3);
    if (shown_ == number) drawing_.outline(host, {Role::accent, 2}, 3);
    DrawnItem& place = drawing_.place(host, "step", number);
    place.title = step_text(trail_, number, canvas_.strings);
    const double y = row.middle().y;
    drawing_.text({kTrailNumberWide - 8, y}, std::to_string(number + 1), kTrailNumber, Role::t4,
                  Anchor::right);
    const double room = plane_.host_right() - kTrailNumberWide - place_returned(step, y);
    drawing_.text({kTrailNumberWide, y}, canvas_.fitted(kTrailCode, step.code, room), kTrailCode,
                  step.reached ? Role::t1 : Role::t4);
  }

  /// What the call returned, or a tick for cudaSuccess; gives back the room that it takes.
  double place_returned(const TrailExhibit::Step& step, double y) {
    const double right = plane_.host_right();
    if (!step.reached || step.returned.empty()) return 0;
    if (!step.failed) {
      const double x = right - kTrailTick;
      drawing_.polyline({{x - 5, y}, {x - 2, y + 3}, {x + 3, y - 4}}, {Role::ok, 1.5});
      return 2 * kTrailTick + kTrailGap;
    }
    std::string shown = step.returned;
    const auto wide = [&] { return canvas_.text_width(kTrailReturned, shown) + kTrailGap; };
    const double room = right - kTrailNumberWide - canvas_.text_width(kTrailCode, step.code);
    // All names of errors begin alike, so in a narrow picture the beginning gives way to the code.
    if (wide() > room && shown.starts_with(kErrorsBegin))
      shown = "…" + shown.substr(kErrorsBegin.size());
    drawing_.text({right, y}, shown, kTrailReturned, Role::bad, Anchor::right);
    return wide();
  }

  void place_kernel(std::size_t number) {
    const TrailExhibit::Kernel& kernel = trail_.kernels[number];
    const Area at = plane_.kernel(trail_, number);
    DrawnItem& bar = drawing_.rectangle(at, kernel.failed ? Role::bad_tint : Role::accent_tint, 4);
    bar.id = ItemId{"kernel", number};
    drawing_.outline(at, {kernel.failed ? Role::bad : Role::accent, 1.5}, 4);
    drawing_.text({at.x + kTrailGap, at.y + kTrailRow / 2},
                  canvas_.fitted(kTrailKernel, kernel.name, at.width - 2 * kTrailGap), kTrailKernel,
                  Role::t1);
  }

  /// A cross where the error was caused, and the way to the call that told it; to nobody, dashed, where none did.
  void place_way() {
    const Point cross = cause_point();
    const double track = plane_.track();
    const Dash dash = trail_.told ? kThrough : kDashes;
    const double end = trail_.told ? plane_.row(*trail_.told).middle().y
                                   : std::max(cross.y, plane_.row(trail_.steps.size() - 1).y);
    const Stroke stroke{Role::bad, 2, dash};
    if (trail_.told && *trail_.told == *trail_.cause) {
      place_cross(cross);
      return;
    }
    drawing_.line({cross.x, cross.y}, {track, cross.y}, stroke);
    drawing_.line({track, cross.y}, {track, end}, stroke);
    if (trail_.told) {
      const double tip = plane_.host_right() + kTrailGap;
      drawing_.line({track, end}, {tip + kTrailArrowLong, end}, stroke);
      drawing_.polygon({{tip, end},
                        {tip + kTrailArrowLong, end - kTrailArrowHalf},
                        {tip + kTrailArrowLong, end + kTrailArrowHalf}},
                       Role::bad);
    } else {
      drawing_.text({track, end + kTrailRow / 2}, "?", kTrailTitle, Role::bad, Anchor::middle);
    }
    place_cross(cross);
  }

  [[nodiscard]] Point cause_point() const {
    if (trail_.cause_kernel) {
      const Area bar = plane_.kernel(trail_, *trail_.cause_kernel);
      return {bar.x - kTrailCross,
              bar.y + std::min(bar.height - kTrailCross, kTrailRow + kTrailCross)};
    }
    return {plane_.host_right() + kTrailGap, plane_.row(*trail_.cause).middle().y};
  }

  void place_cross(const Point& at) {
    drawing_.circle(at, kTrailCross + 4, Role::bad).title = canvas_.strings(trail_.how);
    for (const double up : {-kTrailCross + 1, kTrailCross - 1})
      drawing_.line({at.x - kTrailCross + 1, at.y - up}, {at.x + kTrailCross - 1, at.y + up},
                    {Role::s1, 2});
  }

  const TrailExhibit& trail_;
  const TrailPlane& plane_;
  std::optional<std::size_t> shown_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

TrailPlane::TrailPlane(const TrailExhibit& trail, double width)
    : steps_(trail.steps.size()), width_(width) {
  const double kernels =
      trail.kernels.empty() ? 0 : std::max(kTrailLeastKernels, width * kTrailKernelsShare);
  host_right_ = width - kernels - kTrailTrackWide - kTrailGap;
  track_ = host_right_ + kTrailGap + kTrailTrackWide / 2;
  height_ = kTrailHead + static_cast<double>(steps_) * kTrailRow + kTrailFoot;
}

Area TrailPlane::row(std::size_t step) const {
  return {0, kTrailHead + static_cast<double>(step) * kTrailRow, width_, kTrailRow};
}

std::optional<std::size_t> TrailPlane::step_at(const Point& point) const {
  for (std::size_t i = 0; i < steps_; ++i) {
    if (row(i).holds(point)) return i;
  }
  return {};
}

/// In one stream a kernel begins when the one before it has ended, so bars stand below each other.
Area TrailPlane::kernel(const TrailExhibit& trail, std::size_t number) const {
  const double left = host_right_ + kTrailGap + kTrailTrackWide;
  const TrailExhibit::Kernel& one = trail.kernels[number];
  double top = row(one.launched).y + kTrailKernelInset;
  if (number > 0) top = std::max(top, row(trail.kernels[number - 1].launched).y + kTrailRow);
  const bool followed =
      number + 1 < trail.kernels.size() && trail.kernels[number + 1].launched <= one.done;
  const double bottom = followed ? row(trail.kernels[number + 1].launched).y - kTrailKernelInset
                                 : row(one.done).middle().y;
  return {left, top, width_ - left, std::max(bottom - top, kTrailRow - 2 * kTrailKernelInset)};
}

Drawing drawing_of(const TrailExhibit& trail, const TrailPlane& plane,
                   std::optional<std::size_t> shown, const Canvas& canvas) {
  return TrailDrawing(trail, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
