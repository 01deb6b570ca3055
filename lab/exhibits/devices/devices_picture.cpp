#include "lab/exhibits/devices/devices_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Face = Letters::Face;
using Link = DevicesExhibit::Link;

constexpr double kDevicePad = 6, kDeviceHead = 22, kDeviceLine = 17, kDeviceRowGap = 46,
                 kDeviceMostWide = 190, kDeviceLeastWide = 44, kLinksApart = 26, kLinkHeadLong = 9,
                 kLinkHeadHalf = 5, kLinkLabelHigh = 14, kLinkLabelHalf = 34, kLinkBend = 30,
                 kLinkBendMore = 18, kDevicesFoot = 26;
/// Between columns and at the edges: bytes have to fit between neighbours, and arrows round a box beside a column.
constexpr double kWideGap = 120, kNarrowGap = 62, kBentMargin = 84, kPlainMargin = 4;
/// On a line aslant its words stand so far from its beginning that those of the line back have room.
constexpr double kLabelAslant = 0.36;
constexpr Letters kDeviceName{Face::sans, 14, true}, kDevicePart{Face::sans, 12},
    kDeviceFigures{Face::mono, 11}, kLinkLetters{Face::mono, 12};

Point moved(const Point& point, const Point& along, double by) {
  return {point.x + along.x * by, point.y + along.y * by};
}

/// From one point towards another, of length 1.
Point direction(const Point& from, const Point& to) {
  const double length = std::max(1e-9, std::hypot(to.x - from.x, to.y - from.y));
  return {(to.x - from.x) / length, (to.y - from.y) / length};
}

/// Where the line from the middle of a box in this direction leaves the box.
Point edge_of(const Area& box, const Point& way) {
  const Point middle = box.middle();
  const double x = std::abs(way.x) > 1e-9 ? box.width / 2 / std::abs(way.x) : 1e9,
               y = std::abs(way.y) > 1e-9 ? box.height / 2 / std::abs(way.y) : 1e9;
  return moved(middle, way, std::min(x, y));
}

bool same_column(const DevicesExhibit& devices, const Link& link) {
  return devices.devices[link.from].column == devices.devices[link.to].column;
}

/// Other boxes may be in the way.
bool goes_round(const DevicesExhibit& devices, const Link& link) {
  const auto distance = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
  const auto &one = devices.devices[link.from], &other = devices.devices[link.to];
  return (one.column == other.column && distance(one.row, other.row) > 1) ||
         (one.row == other.row && distance(one.column, other.column) > 1);
}

class DevicesDrawing {
 public:
  DevicesDrawing(const DevicesExhibit& devices, const DevicesPlane& plane,
                 const std::optional<DevicesPart>& shown, const Canvas& canvas)
      : devices_(devices), plane_(plane), shown_(shown), canvas_(canvas) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    for (std::size_t i = 0; i < devices.devices.size(); ++i) place_box(i);
    for (std::size_t i = 0; i < devices.links.size(); ++i) place_arrow(i);
    for (std::size_t i = 0; i < devices.links.size(); ++i) place_label(i);
    place_purposes();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  [[nodiscard]] bool lit(DevicesPart::Kind kind, std::size_t number) const {
    return shown_ == DevicesPart{kind, number};
  }

  void place_box(std::size_t number) {
    const DevicesExhibit::Device& device = devices_.devices[number];
    const Area& at = plane_.boxes()[number];
    const bool is_lit = lit(DevicesPart::Kind::device, number);
    drawing_.rectangle(at, Role::s2, 6);
    DrawnItem& edge =
        drawing_.outline(at, {is_lit ? Role::accent : Role::neutral, is_lit ? 2.5 : 1.5}, 6);
    edge.title = device_text(devices_, number, canvas_.strings);
    const double left = at.x + kDevicePad, right = at.right() - kDevicePad;
    const std::string name = canvas_.strings("devices.name", {{"device", number}});
    drawing_.text({left, at.y + kDeviceHead / 2 + 4},
                  canvas_.fitted(kDeviceName, name, right - left), kDeviceName, Role::t1);
    double y = at.y + kDeviceHead + kDeviceLine / 2 + 2;
    drawing_.text({left, y},
                  canvas_.fitted(kDevicePart, canvas_.strings(device.part), right - left),
                  kDevicePart, Role::t2);
    for (const DevicesExhibit::Held& held : device.held) {
      y += kDeviceLine;
      const std::string bytes = byte_count(held.bytes), what = canvas_.strings(held.what);
      const double taken = canvas_.text_width(kDeviceFigures, bytes);
      drawing_.text({right, y}, bytes, kDeviceFigures, Role::t2, Anchor::right);
      // In a narrow box the bytes stand alone.
      if (canvas_.text_width(kDevicePart, what) + taken + 4 <= right - left)
        drawing_.text({left, y}, what, kDevicePart, Role::t3);
    }
  }

  [[nodiscard]] Role colour_of(const Link& link) const {
    return category(purpose_of(devices_, link));
  }

  void place_arrow(std::size_t number) {
    const Link& link = devices_.links[number];
    const DevicesPlane::Arrow& arrow = plane_.arrows()[number];
    const bool is_lit = lit(DevicesPart::Kind::link, number);
    const Paint paint(colour_of(link));
    const Point way = direction(arrow.pull, arrow.to), base = moved(arrow.to, way, -kLinkHeadLong);
    // A curve that is pulled to one point, as the cubic that is the same.
    const auto third = [&](const Point& end) {
      return Point{end.x + 2 * (arrow.pull.x - end.x) / 3, end.y + 2 * (arrow.pull.y - end.y) / 3};
    };
    DrawnItem& line = drawing_.curve({arrow.from, third(arrow.from), third(base), base},
                                     {paint, is_lit ? 3.5 : 2});
    line.title = link_text(devices_, number, canvas_.strings);
    drawing_.polygon({arrow.to,
                      {base.x - way.y * kLinkHeadHalf, base.y + way.x * kLinkHeadHalf},
                      {base.x + way.y * kLinkHeadHalf, base.y - way.x * kLinkHeadHalf}},
                     paint);
  }

  void place_label(std::size_t number) {
    const Link& link = devices_.links[number];
    const Point& at = plane_.arrows()[number].label;
    const std::string says = byte_count(link.bytes);
    const double wide = canvas_.text_width(kLinkLetters, says) + 6;
    // No other arrow shines through.
    drawing_.rectangle({at.x - wide / 2, at.y - kLinkLabelHigh / 2, wide, kLinkLabelHigh}, Role::s1,
                       3);
    drawing_.text(at, says, kLinkLetters,
                  lit(DevicesPart::Kind::link, number) ? Role::t1 : Role::t2, Anchor::middle);
  }

  /// What the colours mean.
  void place_purposes() {
    double x = 0;
    const double y = plane_.height() - kDevicesFoot / 2;
    const std::vector<Message> purposes = purposes_of(devices_);
    for (std::size_t i = 0; i < purposes.size(); ++i) {
      drawing_.rectangle({x, y - 5, 10, 10}, category(i), 2);
      const std::string says = canvas_.strings(purposes[i]);
      drawing_.text({x + 15, y}, says, kDevicePart, Role::t2);
      x += 15 + canvas_.text_width(kDevicePart, says) + 18;
    }
  }

  const DevicesExhibit& devices_;
  const DevicesPlane& plane_;
  const std::optional<DevicesPart>& shown_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

DevicesPlane::DevicesPlane(const DevicesExhibit& devices, double width) {
  if (devices.devices.empty()) return;
  place_boxes(devices, width);
  place_arrows(devices);
}

void DevicesPlane::place_boxes(const DevicesExhibit& devices, double width) {
  std::uint32_t columns = 1, rows = 1;
  std::size_t lines = 0;
  for (const DevicesExhibit::Device& device : devices.devices) {
    columns = std::max(columns, device.column + 1);
    rows = std::max(rows, device.row + 1);
    lines = std::max(lines, device.held.size());
  }
  const bool bent = std::ranges::any_of(devices.links, [&](const Link& link) {
    return same_column(devices, link) && goes_round(devices, link);
  });
  const double gap = columns < 3 ? kWideGap : kNarrowGap, gaps = gap * (columns - 1),
               room = width - 2 * (bent ? kBentMargin : kPlainMargin) - gaps,
               wide = std::clamp(room / columns, kDeviceLeastWide, kDeviceMostWide),
               high = kDeviceHead + kDeviceLine * (1.0 + static_cast<double>(lines)) + kDevicePad,
               left = (width - wide * columns - gaps) / 2;
  for (const DevicesExhibit::Device& device : devices.devices)
    boxes_.push_back({left + device.column * (wide + gap),
                      device.row * (high + kDeviceRowGap) + kDevicePad / 2, wide, high});
  height_ = rows * (high + kDeviceRowGap) - kDeviceRowGap + kDevicePad + kDevicesFoot;
}

void DevicesPlane::place_arrows(const DevicesExhibit& devices) {
  // Links between the same two devices lie beside each other.
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> count, placed;
  const auto pair_of = [](const Link& link) { return std::minmax(link.from, link.to); };
  for (const Link& link : devices.links) ++count[pair_of(link)];
  for (const Link& link : devices.links) {
    const std::pair<std::uint32_t, std::uint32_t> pair = pair_of(link);
    const int index = placed[pair]++;
    const double aside = index - (count[pair] - 1) / 2.0;
    arrows_.push_back(goes_round(devices, link) ? round(devices, link, index, aside)
                                                : straight(link, aside));
  }
}

/// Round the boxes between: beside a column, at its outer side, and below a row.
DevicesPlane::Arrow DevicesPlane::round(const DevicesExhibit& devices, const Link& link, int index,
                                        double aside) const {
  const Area &from = boxes_[link.from], &to = boxes_[link.to];
  const double bend = kLinkBend + kLinkBendMore * index;
  Arrow arrow;
  if (same_column(devices, link)) {
    const bool leftmost = devices.devices[link.from].column == 0;
    const double side = leftmost ? from.x : from.right();
    arrow.from = {side, from.middle().y};
    arrow.to = {side, to.middle().y};
    arrow.pull = {side + (leftmost ? -2 : 2) * bend, (arrow.from.y + arrow.to.y) / 2};
  } else {
    const double side = std::max(from.bottom(), to.bottom());
    arrow.from = {from.middle().x, side};
    arrow.to = {to.middle().x, side};
    arrow.pull = {(arrow.from.x + arrow.to.x) / 2, side + 2 * bend};
  }
  arrow.label = {(arrow.from.x + 2 * arrow.pull.x + arrow.to.x) / 4,
                 (arrow.from.y + 2 * arrow.pull.y + arrow.to.y) / 4 + kLinkLabelHigh * aside};
  return arrow;
}

/// Its words stand on the side where no other arrow of the pair is, so that the arrow stays whole.
DevicesPlane::Arrow DevicesPlane::straight(const Link& link, double aside) const {
  const Area &from = boxes_[link.from], &to = boxes_[link.to];
  // Seen from the lower number, so that both directions of a pair are spread over the same places.
  const Point along = direction(boxes_[std::min(link.from, link.to)].middle(),
                                boxes_[std::max(link.from, link.to)].middle()),
              across{-along.y, along.x};
  const bool level = std::abs(along.y) < 0.1, upright = std::abs(along.x) < 0.1;
  const double apart = aside * (level || upright ? kLinksApart : kLinksApart / 2);
  const Point way = direction(from.middle(), to.middle()), back{-way.x, -way.y};
  Arrow arrow;
  arrow.from = moved(moved(edge_of(from, way), way, 2), across, apart);
  arrow.to = moved(moved(edge_of(to, back), back, 2), across, apart);
  arrow.pull = {(arrow.from.x + arrow.to.x) / 2, (arrow.from.y + arrow.to.y) / 2};
  arrow.label = arrow.pull;
  const double shift = across.x * apart + across.y * apart;
  if (level)
    arrow.label.y += (shift > 0 ? 1 : -1) * (kLinkLabelHigh / 2 + 3);
  else if (upright)
    arrow.label.x += (shift < 0 ? -1 : 1) * kLinkLabelHalf;
  else
    arrow.label = {arrow.from.x + kLabelAslant * (arrow.to.x - arrow.from.x),
                   arrow.from.y + kLabelAslant * (arrow.to.y - arrow.from.y)};
  return arrow;
}

std::optional<DevicesPart> DevicesPlane::part_at(const Point& point) const {
  for (std::size_t i = 0; i < arrows_.size(); ++i) {
    const Point& at = arrows_[i].label;
    const Area words{at.x - kLinkLabelHalf, at.y - kLinkLabelHigh, 2 * kLinkLabelHalf,
                     2 * kLinkLabelHigh};
    if (words.holds(point)) return DevicesPart{DevicesPart::Kind::link, i};
  }
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    if (boxes_[i].holds(point)) return DevicesPart{DevicesPart::Kind::device, i};
  }
  return {};
}

Drawing drawing_of(const DevicesExhibit& devices, const DevicesPlane& plane,
                   const std::optional<DevicesPart>& shown, const Canvas& canvas) {
  return DevicesDrawing(devices, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
