#include "lab/exhibits/memories/memories_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace warpbook::lab {
namespace {

using Array = MemoriesExhibit::Array;
using Memory = MemoriesExhibit::Memory;
using Transfer = MemoriesExhibit::Transfer;
using Way = MemoriesExhibit::Way;
using Face = Letters::Face;

constexpr double kHead = 34, kPad = 10, kArrayHigh = 46, kArrayGap = 12, kFoot = 26;
constexpr double kBoxShare = 0.34;  ///< of the width, for each memory
constexpr double kArrowApart = 20,  ///< arrows of one pair of arrays
    kArrowHeadLong = 9, kArrowHeadHalf = 5, kLabelAbove = 9, kLabelHigh = 13, kLinkInset = 4;
constexpr Letters kMemoryName{Face::sans, 14, true}, kArrayName{Face::mono, 14, true},
    kArrayFigures{Face::mono, 12}, kArrowLetters{Face::mono, 12}, kRateLetters{Face::sans, 13};

Role colour_of(const Transfer& transfer) {
  // As in a timeline: what goes to the device, and what comes back.
  return transfer.to_device ? Role::category_1 : Role::category_2;
}

Dash dash_of(Way way) {
  switch (way) {
    case Way::copy: return kThrough;
    case Way::pages: return kDashes;
    case Way::access: return kDots;
  }
  __builtin_unreachable();
}

class MemoriesDrawing {
 public:
  MemoriesDrawing(const MemoriesExhibit& memories, const MemoriesPlane& plane,
                  std::optional<std::size_t> shown, const Canvas& canvas)
      : memories_(memories), plane_(plane), shown_(shown), canvas_(canvas) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    place_link();
    place_memory(plane.host(), canvas.strings("memories.host"));
    place_memory(plane.device(), canvas.strings("memories.device", {{"gpu", memories.gpu}}));
    for (std::size_t i = 0; i < memories.arrays.size(); ++i) place_array(i);
    if (plane.threads()) place_threads(*plane.threads());
    for (std::size_t i = 0; i < memories.transfers.size(); ++i) place_transfer(i);
    place_rates();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  /// What lies between the memories is narrow, and so it is drawn.
  void place_link() {
    const Area &host = plane_.host(), &device = plane_.device();
    const double top = host.y + kHead + kLinkInset, bottom = host.bottom() - kPad - kLinkInset;
    drawing_.rectangle({host.right(), top, device.x - host.right(), std::max(0.0, bottom - top)},
                       Role::s3);
  }

  void place_memory(const Area& at, const std::string& name) {
    drawing_.rectangle(at, Role::s2, 6);
    drawing_.outline(at, {Role::line, 1.5}, 6);
    const double room = at.width - 2 * kPad;
    drawing_.text({at.x + kPad, at.y + kHead / 2}, canvas_.fitted(kMemoryName, name, room),
                  kMemoryName, Role::t1);
  }

  void place_array(std::size_t number) {
    const Array& array = memories_.arrays[number];
    for (const auto& at : {plane_.on_host(number), plane_.on_device(number)}) {
      if (at) place_box(array, *at);
    }
  }

  void place_box(const Array& array, const Area& at) {
    const bool both = array.memory == Memory::managed;
    drawing_.rectangle(at, Role::s1, 4);
    // The operating system may move pageable memory, and nothing but a touch decides where managed memory is.
    const Dash dash = both ? kDashes : kThrough;
    const double width = array.memory == Memory::pinned ? 2.5 : 1;
    DrawnItem& box = drawing_.outline(at, {Role::neutral, width, dash}, 4);
    box.title = array.name + ", " + memory_name(array.memory, canvas_.strings) + ", " +
                byte_count(array.bytes);
    const double left = at.x + 8, right = at.right() - 8;
    const std::string bytes = byte_count(array.bytes);
    const double taken = canvas_.text_width(kArrayFigures, bytes) + 8;
    drawing_.text({left, at.y + 15}, canvas_.fitted(kArrayName, array.name, right - left - taken),
                  kArrayName, Role::t1);
    drawing_.text({right, at.y + 15}, bytes, kArrayFigures, Role::t3, Anchor::right);
    const std::string below =
        array.values.empty() ? memory_name(array.memory, canvas_.strings) : array.values;
    drawing_.text({left, at.y + 33}, canvas_.fitted(kArrayFigures, below, right - left),
                  kArrayFigures, Role::t2);
  }

  void place_threads(const Area& at) {
    drawing_.rectangle(at, Role::accent_tint, 4);
    drawing_.text(at.middle(), canvas_.strings("memories.threads"), kMemoryName, Role::t1,
                  Anchor::middle);
  }

  void place_transfer(std::size_t number) {
    const Transfer& transfer = memories_.transfers[number];
    const auto& [from, to] = plane_.arrows()[number];
    const bool lit = shown_ == number;
    const Paint paint(colour_of(transfer));
    const double length = std::hypot(to.x - from.x, to.y - from.y),
                 along_x = (to.x - from.x) / length, along_y = (to.y - from.y) / length;
    const Point base{to.x - along_x * kArrowHeadLong, to.y - along_y * kArrowHeadLong};
    DrawnItem& line = drawing_.line(from, base, {paint, lit ? 3.5 : 2, dash_of(transfer.way)});
    line.title = transfer_text(memories_, number, canvas_.strings);
    drawing_.polygon({to,
                      {base.x - along_y * kArrowHeadHalf, base.y + along_x * kArrowHeadHalf},
                      {base.x + along_y * kArrowHeadHalf, base.y - along_x * kArrowHeadHalf}},
                     paint);
    const std::string says = std::to_string(number + 1) + "  " + size_text(transfer);
    const double room = std::abs(to.x - from.x) - 2 * kArrowHeadLong;
    const std::string shown = canvas_.fitted(kArrowLetters, says, room);
    const Point middle{(from.x + to.x) / 2, (from.y + to.y) / 2 - kLabelAbove};
    // No other arrow shines through.
    const double wide = canvas_.text_width(kArrowLetters, shown) + 8;
    drawing_.rectangle({middle.x - wide / 2, middle.y - kLabelHigh / 2, wide, kLabelHigh},
                       Role::s3);
    drawing_.text(middle, shown, kArrowLetters, lit ? Role::t1 : Role::t2, Anchor::middle);
  }

  void place_rates() {
    const auto below = [&](const Area& at, const char* key, double rate) {
      if (!(rate > 0)) return;
      const std::string says = canvas_.strings(key, {{"rate", rate_text(rate)}});
      drawing_.text({at.x + at.width / 2, at.bottom() + kFoot / 2},
                    canvas_.fitted(kRateLetters, says, at.width), kRateLetters, Role::t2,
                    Anchor::middle);
    };
    const Area &host = plane_.host(), &device = plane_.device();
    below({host.right(), host.y, device.x - host.right(), host.height}, "memories.link",
          memories_.link_rate);
    below(device, "memories.own", memories_.memory_rate);
  }

  const MemoriesExhibit& memories_;
  const MemoriesPlane& plane_;
  std::optional<std::size_t> shown_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

MemoriesPlane::MemoriesPlane(const MemoriesExhibit& memories, double width) {
  const double wide = width * kBoxShare;
  host_ = {0, 0, wide, 0};
  device_ = {width - wide, 0, wide, 0};
  place_arrays(memories);
  place_arrows(memories);
}

void MemoriesPlane::place_arrays(const MemoriesExhibit& memories) {
  const auto box_in = [](const Area& memory, std::size_t row) {
    return Area{memory.x + kPad, kHead + static_cast<double>(row) * (kArrayHigh + kArrayGap),
                memory.width - 2 * kPad, kArrayHigh};
  };
  on_host_.resize(memories.arrays.size());
  on_device_.resize(memories.arrays.size());
  std::size_t host_rows = 0, device_rows = 0;
  for (std::size_t i = 0; i < memories.arrays.size(); ++i) {
    const Array& array = memories.arrays[i];
    // One address on both sides: both of its boxes are on one line.
    if (array.memory == Memory::managed) host_rows = device_rows = std::max(host_rows, device_rows);
    if (is_on_host(array)) on_host_[i] = box_in(host_, host_rows++);
    if (is_on_device(array)) on_device_[i] = box_in(device_, device_rows++);
  }
  const bool reach = std::ranges::any_of(
      memories.transfers, [](const Transfer& transfer) { return !transfer.device.has_value(); });
  if (reach) {
    // Level with all arrays on the host that they may reach, below what else is on the device.
    const std::size_t first = device_rows;
    threads_ = box_in(device_, first);
    device_rows = std::max(first + 1, host_rows);
    threads_->height += static_cast<double>(device_rows - first - 1) * (kArrayHigh + kArrayGap);
  }
  const auto rows = static_cast<double>(std::max<std::size_t>({1, host_rows, device_rows}));
  host_.height = device_.height = kHead + rows * (kArrayHigh + kArrayGap) - kArrayGap + kPad;
  height_ = host_.height + kFoot;
}

void MemoriesPlane::place_arrows(const MemoriesExhibit& memories) {
  using Pair = std::pair<std::uint32_t, std::optional<std::uint32_t>>;
  std::map<Pair, double> count, placed;
  for (const Transfer& transfer : memories.transfers) ++count[{transfer.host, transfer.device}];
  for (const Transfer& transfer : memories.transfers) {
    const Pair pair{transfer.host, transfer.device};
    const double apart = kArrowApart * (placed[pair]++ - (count[pair] - 1) / 2) + 6;
    const Area& host = *on_host_[transfer.host];
    const Point left{host.right() + 2, host.middle().y + apart};
    Point right;
    if (transfer.device) {
      const Area& device = *on_device_[*transfer.device];
      right = {device.x - 2, device.middle().y + apart};
    } else {
      constexpr double kEdge = 10;
      right = {threads_->x - 2,
               std::clamp(left.y, threads_->y + kEdge, threads_->bottom() - kEdge)};
    }
    arrows_.push_back(transfer.to_device ? Arrow{left, right} : Arrow{right, left});
  }
}

std::optional<std::size_t> MemoriesPlane::transfer_at(const Point& point) const {
  constexpr double kBelow = 5;
  for (std::size_t i = 0; i < arrows_.size(); ++i) {
    const auto& [from, to] = arrows_[i];
    const double left = std::min(from.x, to.x), right = std::max(from.x, to.x);
    if (point.x < left || point.x >= right) continue;
    const double y = from.y + (to.y - from.y) * (point.x - from.x) / (to.x - from.x);
    if (point.y >= y - kArrowApart + kBelow && point.y < y + kBelow) return i;
  }
  return {};
}

Drawing drawing_of(const MemoriesExhibit& memories, const MemoriesPlane& plane,
                   std::optional<std::size_t> shown, const Canvas& canvas) {
  return MemoriesDrawing(memories, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
