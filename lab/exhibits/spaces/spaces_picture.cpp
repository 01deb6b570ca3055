#include "lab/exhibits/spaces/spaces_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Space = SpacesExhibit::Space;
using PlaceBox = SpacesExhibit::Box;

constexpr double kSpacesLeastWidth = 320, kSpacesWithColumn = 430;
constexpr double kSpacesPad = 8, kSpacesRegistersHigh = 56, kSpacesPipes = 72, kSpacesRowHigh = 54,
                 kSpacesFootHigh = 22, kSpacesBetween = 60, kSpacesL2High = 44, kSpacesSpacing = 8;
constexpr double kSpacesRow = kSpacesPad + kSpacesRegistersHigh + kSpacesPipes,
                 kSpacesSmHigh = kSpacesRow + kSpacesRowHigh + kSpacesFootHigh,
                 kSpacesL2Top = kSpacesSmHigh + kSpacesBetween,
                 kSpacesDeviceTop = kSpacesL2Top + kSpacesL2High + kSpacesBetween;
constexpr double kSpacesRailIn = 14, kSpacesRailUp = 12,
                 kSpacesRailDown = 36;  ///< from a box's left, right and right end

int level_of(PlaceBox box) {
  switch (box) {
    case PlaceBox::registers: return 0;
    case PlaceBox::l1:
    case PlaceBox::shared:
    case PlaceBox::constant_cache: return 1;
    case PlaceBox::l2: return 2;
    case PlaceBox::global:
    case PlaceBox::local:
    case PlaceBox::texture:
    case PlaceBox::constant: return 3;
  }
  __builtin_unreachable();
}

/// Whose traffic a box is used by; a cache serves several.
std::vector<Space> spaces_of_box(PlaceBox box) {
  switch (box) {
    case PlaceBox::registers: return {Space::registers};
    case PlaceBox::l1: return {Space::l1, Space::local, Space::texture};
    case PlaceBox::shared: return {Space::shared};
    case PlaceBox::constant_cache:
    case PlaceBox::constant: return {Space::constant};
    case PlaceBox::l2: return {Space::l1, Space::local, Space::texture, Space::constant};
    case PlaceBox::global: return {Space::l1};
    case PlaceBox::local: return {Space::local};
    case PlaceBox::texture: return {Space::texture};
  }
  __builtin_unreachable();
}

class SpacesLayout {
 public:
  SpacesLayout(const SpacesExhibit& spaces, double width, const SpacesExhibit* beside)
      : spaces_(spaces) {
    made_.width = std::max(width, kSpacesLeastWidth);
    const double column =
        made_.width < kSpacesWithColumn ? 0 : std::clamp(made_.width * 0.19, 84.0, 132.0);
    diagram_ = made_.width - (column == 0 ? 0 : column + 12);
    made_.column = diagram_ + 12;
    for (const SpacesExhibit* each : {&spaces, beside}) {
      if (!each) continue;
      for (const SpacesExhibit::Row& row : each->rows) most_ = std::max(most_, flow_of(row));
    }
    place_boxes();
    place_stops();
    place_words();
    place_pipes();
    if (column != 0) place_latencies(column);
  }
  SpacesPicture take() { return std::move(made_); }

 private:
  [[nodiscard]] SpacesPicture::Box& box(PlaceBox which) {
    return made_.boxes[static_cast<std::size_t>(which)];
  }
  [[nodiscard]] const Area& area(PlaceBox which) const {
    return made_.boxes[static_cast<std::size_t>(which)].at;
  }
  [[nodiscard]] bool visited(PlaceBox which) const {
    return spaces_.journey &&
           std::ranges::find(spaces_.journey->stations, which, &SpacesExhibit::Station::box) !=
               spaces_.journey->stations.end();
  }

  void place_row(double y, const std::vector<std::pair<PlaceBox, double>>& shares) {
    const double room =
        diagram_ - 2 * kSpacesPad - kSpacesSpacing * static_cast<double>(shares.size() - 1);
    double x = kSpacesPad;
    for (const auto& [which, share] : shares) {
      box(which).at = {x, y, room * share, kSpacesRowHigh};
      x += room * share + kSpacesSpacing;
    }
  }

  void place_boxes() {
    made_.boxes.resize(9);
    for (std::size_t i = 0; i < made_.boxes.size(); ++i) {
      SpacesPicture::Box& each = made_.boxes[i];
      each.box = static_cast<PlaceBox>(i);
      each.used = each.box == PlaceBox::registers || visited(each.box);
      for (const Space space : spaces_of_box(each.box)) {
        const SpacesExhibit::Row* row = row_of(spaces_, space);
        each.used = each.used || !row || !row->requests || did_something(*row);
      }
    }
    made_.below = {0, kSpacesSmHigh, diagram_, kSpacesBetween};
    made_.multiprocessor = {0, 0, diagram_, kSpacesSmHigh};
    made_.device = {0, kSpacesDeviceTop, diagram_, kSpacesPad + kSpacesRowHigh + kSpacesFootHigh};
    box(PlaceBox::registers).at = {kSpacesPad, kSpacesPad, diagram_ - 2 * kSpacesPad,
                                   kSpacesRegistersHigh};
    // A box is as wide as the pipes that lead to it want.
    const double ways = static_cast<double>(ways_of(PlaceBox::l1).size());
    const double l1 = 0.3 + 0.16 * std::max(1.0, ways),
                 shared = ways_of(PlaceBox::shared).empty() ? 0.2 : 0.34,
                 constant = ways_of(PlaceBox::constant_cache).empty() ? 0.2 : 0.24,
                 all = l1 + shared + constant;
    place_row(kSpacesRow, {{PlaceBox::l1, l1 / all},
                           {PlaceBox::shared, shared / all},
                           {PlaceBox::constant_cache, constant / all}});
    made_.caption = area(PlaceBox::constant_cache).x - 2;
    made_.caption_room = made_.caption - below_l1() - SpacesPicture::kMostPipe / 2 - 6;
    box(PlaceBox::l2).at = {0, kSpacesL2Top, diagram_, kSpacesL2High};
    place_row(kSpacesDeviceTop + kSpacesPad, {{PlaceBox::global, 0.3},
                                              {PlaceBox::local, 0.23},
                                              {PlaceBox::texture, 0.235},
                                              {PlaceBox::constant, 0.235}});
  }

  /// Words stand right of a path that goes through a box's left end.
  void place_words() {
    constexpr double kInset = 10;
    for (SpacesPicture::Box& each : made_.boxes) {
      each.text = kInset;
      double right = each.at.width - 6;
      for (const Point& stop : made_.stops) {
        if (stop.x < each.at.x || stop.x > each.at.right() || stop.y < each.at.y ||
            stop.y > each.at.bottom() || each.box == PlaceBox::registers)
          continue;
        const double within = stop.x - each.at.x;
        if (within < each.at.width / 2) {
          each.text = std::max(each.text, within + SpacesPicture::kStop + 4);
        } else {
          right = std::min(right, within - SpacesPicture::kStop - 4);
        }
      }
      each.room = std::max(0.0, right - each.text);
    }
  }

  // The journey.

  [[nodiscard]] Point stop_of(PlaceBox which, const Point* before, PlaceBox from,
                              bool turned) const {
    const Area& at = area(which);
    const double middle = at.y + at.height / 2;
    const bool above = before && level_of(from) < level_of(which);
    switch (which) {
      case PlaceBox::registers: {
        const double y = at.y + 39;
        if (!before) return {at.x + kSpacesRailIn, y};
        if (from == PlaceBox::registers) {
          const double next = before->x + 34;
          return {next < at.right() - 14 ? next : before->x - 34, y};
        }
        if (level_of(from) == 1 && !turned) return {before->x, y};
        const PlaceBox by = level_of(from) == 1 ? from : PlaceBox::l1;
        return {area(by).right() - kSpacesRailUp, y};
      }
      case PlaceBox::l2:
        if (!before) return {at.x + kSpacesRailIn + kSpacesPad, middle};
        return {above ? area(PlaceBox::l1).right() - kSpacesRailDown : before->x, middle};
      case PlaceBox::l1:
        return {above ? at.right() - kSpacesRailDown : at.x + kSpacesRailIn, middle};
      default:
        return {above && level_of(which) == 3 ? at.right() - kSpacesRailIn : at.x + kSpacesRailIn,
                middle};
    }
  }

  [[nodiscard]] std::vector<Point> leg(const Point& a, PlaceBox from, const Point& b,
                                       PlaceBox to) const {
    if (a.x == b.x || a.y == b.y) return {a, b};
    if (from == PlaceBox::registers) return {a, {b.x, a.y}, b};
    double y = 0;
    if (level_of(from) == 1 && level_of(to) == 0)
      y = area(from).bottom() - 6;
    else if (level_of(from) == level_of(to))
      y = area(from).bottom() + 9;
    else if (level_of(to) < level_of(from))
      y = area(from).y - (level_of(from) == 3 ? kSpacesPad : 0) - 9;
    else
      y = area(from).bottom() + 9;
    return {a, {a.x, y}, {b.x, y}, b};
  }

  void place_stops() {
    if (!spaces_.journey) return;
    const auto& stations = spaces_.journey->stations;
    bool turned = false;  // the last box was entered from above: the way back up is another one
    for (std::size_t i = 0; i < stations.size(); ++i) {
      const PlaceBox which = stations[i].box, from = i == 0 ? which : stations[i - 1].box;
      const Point* before = i == 0 ? nullptr : &made_.stops[i - 1];
      Point stop = stop_of(which, before, from, turned);
      // A place that is passed again stands a little aside.
      while (std::ranges::find(made_.stops, stop) != made_.stops.end()) stop.x += 4;
      turned = before && level_of(from) <= level_of(which);
      made_.stops.push_back(stop);
    }
    for (std::size_t i = 1; i < stations.size(); ++i)
      made_.legs.push_back(
          leg(made_.stops[i - 1], stations[i - 1].box, made_.stops[i], stations[i].box));
  }

  // The pipes.

  [[nodiscard]] double pipe_width(std::uint64_t bytes) const {
    return std::max(SpacesPicture::kLeastPipe,
                    SpacesPicture::kMostPipe *
                        std::sqrt(static_cast<double>(bytes) / static_cast<double>(most_)));
  }

  /// Where a box's pipes may stand: between the ways of the journey.
  [[nodiscard]] std::pair<double, double> free_of(PlaceBox which) const {
    const Area& at = area(which);
    double left = at.x + 6, right = at.right() - 6;
    for (const auto& each : made_.legs) {
      for (std::size_t i = 1; i < each.size(); ++i) {
        const double x = each[i].x, upper = std::min(each[i].y, each[i - 1].y),
                     lower = std::max(each[i].y, each[i - 1].y);
        if (x != each[i - 1].x || x < at.x || x > at.right()) continue;
        if (lower <= kSpacesPad + kSpacesRegistersHigh || upper >= kSpacesRow) continue;
        if (x < at.x + at.width / 2)
          left = std::max(left, x + 7);
        else
          right = std::min(right, x - 7);
      }
    }
    return {left, right};
  }

  void place_pipes() {
    place_group(PlaceBox::l1);
    place_group(PlaceBox::shared);
    place_group(PlaceBox::constant_cache);
    place_below(Space::l2, kSpacesSmHigh - kSpacesFootHigh, kSpacesL2Top);
    place_below(Space::dram, kSpacesL2Top + kSpacesL2High, kSpacesDeviceTop + kSpacesPad);
  }

  /// The spaces whose pipes lead to a box: those that the launch did something with.
  [[nodiscard]] std::vector<Space> ways_of(PlaceBox below) const {
    std::vector<Space> spaces = spaces_of_box(below);
    std::erase_if(spaces, [&](Space space) {
      const SpacesExhibit::Row* row = row_of(spaces_, space);
      return !row || !did_something(*row);
    });
    return spaces;
  }

  void place_group(PlaceBox below) {
    const std::vector<Space> spaces = ways_of(below);
    if (spaces.empty()) return;
    const auto [left, right] = free_of(below);
    const double each = (right - left) / static_cast<double>(spaces.size());
    for (std::size_t i = 0; i < spaces.size(); ++i)
      place_pair(*row_of(spaces_, spaces[i]), left + each * static_cast<double>(i), each - 5);
  }

  /// One pipe for what was loaded and one for what was stored, with the figures between them.
  void place_pair(const SpacesExhibit::Row& row, double x, double room) {
    const double top = kSpacesPad + kSpacesRegistersHigh + 1, bottom = kSpacesRow - 1;
    const std::uint64_t flow = flow_of(row), stored = std::min(flow, row.stored.value_or(0)),
                        loaded = flow - stored;
    SpacesPicture::Pipe pipe{row.space,     0, top, bottom, 0, false, false,
                             row.estimated, 0, {},  false,  0};
    const double up = loaded != 0 || flow == 0 ? pipe_width(loaded) : 0,
                 down = stored != 0 ? pipe_width(stored) : 0, between = room - up - down - 6;
    made_.names.push_back({row.space, {x + up + 6, top + 9}, between - 3});
    if (up > 0) {
      pipe.x = x + up / 2;
      pipe.width = up;
      pipe.up = true;
      pipe.bytes = loaded;
      pipe.label = {x + up + 3, top + 30};
      pipe.room = between;
      made_.pipes.push_back(pipe);
    }
    if (down > 0) {
      pipe.x = x + room - down / 2;
      pipe.width = down;
      pipe.up = false;
      pipe.down = true;
      pipe.bytes = stored;
      pipe.label = {x + room - down - 3, top + 56};
      pipe.leftwards = true;
      pipe.room = between;
      made_.pipes.push_back(pipe);
    }
  }

  /// Where a label may begin at that height, from `x` on, so that no way of the journey crosses it.
  [[nodiscard]] double clear_of_ways(double x, double y) const {
    constexpr double kLabel = 70, kBeside = 8;
    std::vector<double> ways;
    for (const auto& each : made_.legs) {
      for (std::size_t i = 1; i < each.size(); ++i) {
        const auto [upper, lower] = std::minmax(each[i - 1].y, each[i].y);
        if (each[i].x == each[i - 1].x && upper <= y && y <= lower) ways.push_back(each[i].x);
      }
    }
    std::ranges::sort(ways);
    for (const double way : ways) {
      if (way > x - kBeside && way < x + kLabel) x = way + kBeside;
    }
    return x;
  }

  /// Where the pipes below L1 stand.
  [[nodiscard]] double below_l1() const {
    return area(PlaceBox::l1).x + area(PlaceBox::l1).width * 0.45;
  }

  /// What passes between the caches below L1: the model tells the sum of both ways.
  void place_below(Space space, double top, double bottom) {
    const SpacesExhibit::Row* row = row_of(spaces_, space);
    if (!row || flow_of(*row) == 0) return;
    const double x = below_l1();
    made_.pipes.push_back({space,
                           x,
                           top + 1,
                           bottom - 1,
                           pipe_width(flow_of(*row)),
                           true,
                           true,
                           row->estimated,
                           flow_of(*row),
                           {clear_of_ways(x + SpacesPicture::kMostPipe / 2 + 8, (top + bottom) / 2),
                            (top + bottom) / 2},
                           false,
                           110});
  }

  void place_latencies(double width) {
    double longest = 0;
    for (const SpacesExhibit::Row& row : spaces_.rows) longest = std::max(longest, row.latency);
    constexpr std::array<std::pair<Space, double>, 4> kAt{
        {{Space::l1, kSpacesRow + 9},
         {Space::shared, kSpacesRow + 37},
         {Space::l2, kSpacesL2Top + 16},
         {Space::dram, kSpacesDeviceTop + kSpacesPad + 20}}};
    for (const auto& [space, y] : kAt) {
      const SpacesExhibit::Row* row = row_of(spaces_, space);
      if (row && row->latency > 0)
        made_.latencies.push_back({space, {made_.column, y}, width, row->latency / longest});
    }
  }

  const SpacesExhibit& spaces_;
  SpacesPicture made_;
  double diagram_ = 0;
  std::uint64_t most_ = 1;
};

/// "51 KiB", "≈ 8.5 KiB" where it is estimated, or requests where bytes are not known.
std::string amount_of(const SpacesExhibit& spaces, const SpacesPicture::Pipe& pipe,
                      const Strings& strings) {
  const SpacesExhibit::Row* row = row_of(spaces, pipe.space);
  if (pipe.bytes == 0) return row ? amount_text(*row, strings) : std::string();
  return (pipe.estimated ? "≈ " : "") + byte_count(pipe.bytes);
}

/// Corners are rounded off.
std::vector<Point> rounded_off(const std::vector<Point>& points) {
  constexpr double kRadius = 7;
  constexpr int kPieces = 4;
  std::vector<Point> made;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == 0 || i + 1 == points.size()) {
      made.push_back(points[i]);
      continue;
    }
    const auto towards = [&](const Point& to) {
      const Point way{to.x - points[i].x, to.y - points[i].y};
      const double length = std::hypot(way.x, way.y),
                   share = std::min(kRadius, length / 2) / length;
      return Point{points[i].x + way.x * share, points[i].y + way.y * share};
    };
    const Point from = towards(points[i - 1]), to = towards(points[i + 1]);
    for (int k = 0; k <= kPieces; ++k) {
      const double t = static_cast<double>(k) / kPieces, a = (1 - t) * (1 - t), b = 2 * t * (1 - t),
                   c = t * t;
      made.push_back(
          {a * from.x + b * points[i].x + c * to.x, a * from.y + b * points[i].y + c * to.y});
    }
  }
  return made;
}

/// The first `share` of a line, and the rest.
std::array<std::vector<Point>, 2> parted(const std::vector<Point>& points, double share) {
  if (share >= 1) return {points, {}};
  double whole = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    whole += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  double left = whole * share;
  std::array<std::vector<Point>, 2> parts{{{points.front()}, {}}};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point from = points[i - 1], to = points[i];
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (!parts[1].empty() || length <= left) {
      parts[parts[1].empty() ? 0 : 1].push_back(to);
      left -= length;
      continue;
    }
    const double at = left / length;
    const Point cut{from.x + (to.x - from.x) * at, from.y + (to.y - from.y) * at};
    parts[0].push_back(cut);
    parts[1] = {cut, to};
  }
  return parts;
}

class SpacesDisplayList {
 public:
  SpacesDisplayList(const SpacesExhibit& spaces, const SpacesPicture& picture,
                    const SpacesJourneyState& state, const Canvas& canvas)
      : spaces_(spaces), picture_(picture), state_(state), canvas_(canvas) {
    drawing_.width = picture.width;
    drawing_.height = SpacesPicture::kHeight;
    const SpacesExhibit::Row* device = row_of(spaces, Space::dram);
    place_area(picture.multiprocessor, canvas.strings("spaces.multiprocessor"), picture.caption,
               picture.caption_room);
    place_area(picture.device, device_says(device), picture.device.right() - 10,
               picture.device.width - 20);
    for (const SpacesPicture::Box& box : picture.boxes) place_box(box);
    for (const SpacesPicture::Name& name : picture.names)
      write(name.at, kQuiet, Role::t3, word("way", name_of(name.space)), name.room);
    for (const SpacesPicture::Pipe& pipe : picture.pipes) place_pipe(pipe);
    place_latencies();
    const SpacesExhibit::Row* l2 = row_of(spaces, Space::l2);
    if (l2 && flow_of(*l2) != 0 && l2->estimated)
      drawing_.place({picture.below.right(), picture.below.middle().y, 0, 0}, "estimated");
    place_way();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  static constexpr Letters kQuiet{Letters::Face::sans, 13}, kStrong{Letters::Face::sans, 15, true},
      kAmount{Letters::Face::mono, 13}, kUnit{Letters::Face::mono, 11},
      kClocks{Letters::Face::mono, 14};

  [[nodiscard]] std::string word(std::string_view family, std::string_view name) const {
    return canvas_.strings("spaces." + std::string(family) + "." + std::string(name));
  }
  /// At the largest size at which it fits, down to a small one; below that it is cut.
  void write(const Point& at, const Letters& letters, const Paint& colour, const std::string& text,
             double room, Anchor anchor = Anchor::left) {
    const Letters fits = sized(letters, text, room);
    drawing_.text(at, canvas_.fitted(fits, text, room), fits, colour, anchor);
  }
  [[nodiscard]] Letters sized(const Letters& letters, const std::string& text, double room) const {
    constexpr double kLeastSize = 10;
    return canvas_.sized(letters, text, room, kLeastSize);
  }

  /// `right`: where its words end, which have `room`.
  void place_area(const Area& area, const std::string& says, double right, double room) {
    drawing_.rectangle(area, Role::s1, 6);
    write({right, area.bottom() - 11}, kQuiet, Role::t3, says, room, Anchor::right);
  }

  /// Clocks stand behind a name where they have no column of their own.
  [[nodiscard]] std::string clocks_after(const SpacesExhibit::Row* row) const {
    if (!row || !picture_.latencies.empty()) return {};
    const std::string clocks = latency_text(*row, canvas_.strings);
    return clocks.empty() ? clocks : " · " + clocks;
  }
  [[nodiscard]] std::string device_says(const SpacesExhibit::Row* device) const {
    const std::string size = device && device->bytes != 0 ? byte_count(device->bytes)
                                                          : canvas_.strings("spaces.no-size");
    return canvas_.strings("spaces.device", {{"size", size}}) + clocks_after(device);
  }
  /// The space whose latency is that of a cache; null for other boxes.
  [[nodiscard]] const SpacesExhibit::Row* cache_row(PlaceBox box) const {
    if (box == PlaceBox::l1) return row_of(spaces_, Space::l1);
    return box == PlaceBox::l2 ? row_of(spaces_, Space::l2) : nullptr;
  }

  void place_box(const SpacesPicture::Box& box) {
    const Area& at = box.at;
    drawing_.rectangle(at, {Role::s3, box.used ? 1.0 : 0.6}, 3);
    if (const auto space = category_of(box.box))
      drawing_.rectangle({at.x, at.y, 3, at.height}, {category(*space), box.used ? 1.0 : 0.4}, 1);
    const std::string name = word("box", name_of(box.box)),
                      note = note_of(spaces_, box.box, canvas_.strings) +
                             clocks_after(cache_row(box.box));
    const Role strong = box.used ? Role::t1 : Role::t4, quiet = box.used ? Role::t3 : Role::t4;
    // The wide ones have all on one line.
    const bool registers = box.box == PlaceBox::registers,
               wide = registers || box.box == PlaceBox::l2;
    const Point first{at.x + box.text, wide && !registers ? at.middle().y : at.y + 17};
    write(first, kStrong, strong, name, box.room);
    if (wide) {
      const double taken = canvas_.text_width(kStrong, name) + 12;
      write({first.x + taken, first.y}, kQuiet, quiet, note, box.room - taken);
    } else {
      write({first.x, first.y + 19}, kQuiet, quiet, note, box.room);
    }
  }

  /// A bar with a head at each end that something flows to; hatched where a model tells how much.
  void place_pipe(const SpacesPicture::Pipe& pipe) {
    constexpr double kHead = 8, kFull = 0.85, kFaint = 0.4;
    const Role colour = category(category_of(pipe.space));
    const double half = pipe.width / 2, wide = half + 3, top = pipe.top + (pipe.up ? kHead : 0),
                 bottom = pipe.bottom - (pipe.down ? kHead : 0);
    const Area bar{pipe.x - half, top, pipe.width, bottom - top};
    drawing_.rectangle(bar, {colour, pipe.estimated ? kFaint : kFull});
    if (pipe.estimated) drawing_.hatch(bar, {colour}, 5);
    if (pipe.up) {
      drawing_.polygon({{pipe.x, pipe.top}, {pipe.x + wide, top}, {pipe.x - wide, top}},
                       {colour, kFull});
    }
    if (pipe.down) {
      drawing_.polygon({{pipe.x, pipe.bottom}, {pipe.x - wide, bottom}, {pipe.x + wide, bottom}},
                       {colour, kFull});
    }
    place_amount(pipe);
  }

  /// A figure that does not fit has its unit below it: cut, it would be another figure.
  void place_amount(const SpacesPicture::Pipe& pipe) {
    const std::string amount = amount_of(spaces_, pipe, canvas_.strings);
    const Anchor anchor = pipe.leftwards ? Anchor::right : Anchor::left;
    const Point& at = pipe.label;
    const std::size_t space = amount.rfind(' ');
    const Letters fits = sized(kAmount, amount, pipe.room);
    if (space == std::string::npos || canvas_.text_width(fits, amount) <= pipe.room) {
      write(at, kAmount, Role::t1, amount, pipe.room, anchor);
      return;
    }
    write({at.x, at.y - 7}, kAmount, Role::t1, amount.substr(0, space), pipe.room, anchor);
    write({at.x, at.y + 7}, kUnit, Role::t3, amount.substr(space + 1), pipe.room, anchor);
  }

  void place_latencies() {
    if (picture_.latencies.empty()) return;
    const double room = picture_.latencies.front().width;
    write({picture_.column, 18}, kQuiet, Role::t3, canvas_.strings("spaces.column"), room);
    drawing_.place({picture_.column, 40, 0, 0}, "published");
    for (const SpacesPicture::Latency& latency : picture_.latencies) {
      const auto [x, y] = latency.at;
      const std::string clocks = number(row_of(spaces_, latency.space)->latency, 4);
      drawing_.text(latency.at, clocks, kClocks, Role::t1);
      const double taken = canvas_.text_width(kClocks, clocks) + 6;
      write({x + taken, y}, kQuiet, Role::t3, word("wait", name_of(latency.space)), room - taken);
      drawing_.rectangle({x, y + 10, latency.width, 4}, Role::s4, 2);
      drawing_.rectangle({x, y + 10, latency.width * latency.share, 4}, Role::t2, 2);
    }
  }

  void place_way() {
    for (std::size_t i = 0; i < picture_.legs.size(); ++i) {
      const auto parts = parted(rounded_off(picture_.legs[i]),
                                std::clamp(state_.come - static_cast<double>(i), 0.0, 1.0));
      if (parts[0].size() > 1) drawing_.polyline(parts[0], {Role::accent, 3});
      if (parts[1].size() > 1) drawing_.polyline(parts[1], {Role::accent, 2, {4, 4}});
    }
    for (std::size_t i = 0; i < picture_.stops.size(); ++i) place_stop(i);
  }

  void place_stop(std::size_t i) {
    const bool now = state_.station == i, reached = !state_.station || i <= *state_.station;
    const Role fill = now ? Role::accent : state_.hovered == i ? Role::accent_tint : Role::s1;
    const Point& at = picture_.stops[i];
    drawing_.circle(at, SpacesPicture::kStop, fill, {Role::accent, reached ? 2 : 1.2}).id =
        ItemId{"stop", i};
    drawing_.text(at, std::to_string(i + 1), {Letters::Face::mono, 12, now},
                  now ? Role::on_accent : Role::t1, Anchor::middle);
  }

  const SpacesExhibit& spaces_;
  const SpacesPicture& picture_;
  const SpacesJourneyState& state_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

Drawing drawing_of(const SpacesExhibit& spaces, const SpacesPicture& picture,
                   const SpacesJourneyState& state, const Canvas& canvas) {
  return SpacesDisplayList(spaces, picture, state, canvas).take();
}

SpacesPicture picture_of(const SpacesExhibit& spaces, double width, const SpacesExhibit* beside) {
  return SpacesLayout(spaces, width, beside).take();
}

}  // namespace warpbook::lab
