#include "lab/exhibits/timeline/timeline_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Activity = TimelineExhibit::Activity;
using Face = Letters::Face;

constexpr double kLegendRow = 26, kSwatchWide = 26, kSwatchHigh = 18, kRowsTop = 8, kRowHigh = 30,
                 kRowGap = 12, kHostGap = 8, kNameShare = 0.22, kNameGap = 12, kRight = 22,
                 kLabelsHigh = 22, kNoteHigh = 20, kAxisMarkWide = 70, kWidestStep = 132;
constexpr double kLeastBox = 4,  ///< of a box; whatever is shorter is drawn as wide
    kOutlined = 10,              ///< a narrower box is filled with its colour and has no outline
    kSeenGap = 3,                ///< between neighbours; a gap as wide as this is to be seen
    kSeenNotch = 5, kMarkHigh = 8, kMarkRoom = 14, kBoxPadding = 6, kWordsEnd = 3, kStepGap = 3,
                 kArrowInset = 3, kArrowHead = 5;
constexpr std::size_t kMostPictureRows = 16, kMostArrows = 40;
constexpr Letters kLegendLetters{Face::sans, 13}, kRowLetters{Face::sans, 14},
    kBoxLetters{Face::mono, 12}, kAxisFigures{Face::mono, 12}, kNoteLetters{Face::sans, 13};

/// How the boxes of an activity look: not only their colours differ, but also their heights, on which edge of the strip they
/// stand, and a mark.
struct BoxLook {
  enum class Mark : std::uint8_t { none, down, up, diamond, ring };
  Role colour = Role::neutral;
  double height = kRowHigh - 4;
  double place = 0.5;  ///< 0: at the top of the strip, 1: at its bottom
  Mark mark = Mark::none;
  bool dashed = false;  ///< an outline in dashes around nothing: time passes, and nothing is done
};

BoxLook look_of(Activity activity) {
  constexpr double kLow = 20, kLower = 16;
  using Mark = BoxLook::Mark;
  switch (activity) {
    case Activity::host_call: return {Role::neutral, kLow, 0.5, Mark::none, false};
    case Activity::waiting: return {Role::t3, kLow, 0.5, Mark::none, true};
    case Activity::callback: return {Role::category_3, kLow, 0.5, Mark::ring, false};
    // The host is above the device: what is copied to the device sinks, what is copied to the host rises.
    case Activity::copy_in: return {Role::category_1, kLow, 1, Mark::down, false};
    case Activity::copy_out: return {Role::category_2, kLow, 0, Mark::up, false};
    case Activity::copy: return {Role::category_5, kLow, 0.5, Mark::diamond, false};
    case Activity::fill: return {Role::category_4, kLower, 0.5, Mark::none, false};
    case Activity::kernel: return {Role::category_0, kRowHigh - 4, 0.5, Mark::none, false};
  }
  __builtin_unreachable();
}

Area box_in(const Area& strip, const BoxLook& look) {
  constexpr double kEdge = 2;
  const double room = strip.height - 2 * kEdge - look.height;
  return {strip.x, strip.y + kEdge + look.place * room, strip.width, look.height};
}

/// Puts a mark into a box; `x` is its middle.
void place_mark(Drawing& drawing, const BoxLook& look, double x, double y) {
  constexpr double kHalf = kMarkHigh / 2;
  const Paint paint(look.colour);
  switch (look.mark) {
    case BoxLook::Mark::none: break;
    case BoxLook::Mark::down:
      drawing.polygon({{x - kHalf, y - kHalf}, {x + kHalf, y - kHalf}, {x, y + kHalf}}, paint);
      break;
    case BoxLook::Mark::up:
      drawing.polygon({{x - kHalf, y + kHalf}, {x + kHalf, y + kHalf}, {x, y - kHalf}}, paint);
      break;
    case BoxLook::Mark::diamond:
      drawing.polygon({{x - kHalf, y}, {x, y - kHalf}, {x + kHalf, y}, {x, y + kHalf}}, paint);
      break;
    case BoxLook::Mark::ring: drawing.circle({x, y}, kHalf - 1, {}, {paint, 1.5}); break;
  }
}

/// A box without its words.
DrawnItem& place_box(Drawing& drawing, const Area& at, const BoxLook& look) {
  constexpr double kTint = 0.3, kRadius = 2;
  if (at.width < kOutlined)
    return drawing.rectangle(at, Paint(look.colour, look.dashed ? kTint : 1));
  drawing.rectangle(at, Role::s1, kRadius);  // no line of the axis shines through
  DrawnItem& box =
      drawing.rectangle(at, look.dashed ? Paint() : Paint(look.colour, kTint), kRadius);
  box.stroke = {look.colour, 1, look.dashed ? kFineDashes : kThrough};
  return box;
}

/// Calls `place(activity, left, top, name)` for each kind of activity, in as many rows as they take; gives back the rows' height.
template <class Place>
double lay_legend(const TimelineExhibit& timeline, const Canvas& canvas, const Place& place) {
  constexpr double kBehind = 18;
  double x = 0, y = 0;
  for (const Activity activity : activities_of(timeline)) {
    const std::string name = activity_name(activity, canvas.strings);
    const double wide = kSwatchWide + 8 + canvas.text_width(kLegendLetters, name);
    if (x > 0 && x + wide > canvas.width) {
      x = 0;
      y += kLegendRow;
    }
    place(activity, x, y, name);
    x += wide + kBehind;
  }
  return y + kLegendRow;
}

/// Whether b is one more of a. What waits for another row is a thing of its own.
bool is_another(const TimelineExhibit::Span& a, const TimelineExhibit::Span& b) {
  return a.activity == b.activity && a.label == b.label && a.bytes == b.bytes && a.line == b.line &&
         b.after.empty();
}

/// Whether a part of the item is to be seen; what only touches an edge is not, unless it takes no time at all.
bool lies_in(const TimelineStretch& stretch, const TimelineRun& item) {
  if (item.begin < item.end) return item.begin < stretch.end && item.end > stretch.begin;
  return item.begin <= stretch.end && item.end >= stretch.begin;
}

/// Makes the boxes of one row, from left to right, each at least kLeastBox wide.
class Packing {
 public:
  Packing(const TimelineExhibit& timeline, const TimelinePlane& plane, const Canvas& canvas)
      : timeline_(timeline), plane_(plane), canvas_(canvas) {}

  /// Gives back the number of the item's box on this row.
  std::uint32_t put(const TimelineRun& item) {
    const double left = plane_.across(item.begin), right = right_of(item);
    if (pieces_.empty())
      begin(item, left, right);
    else if (is_apart(item, left, right))
      begin(item, std::max(left, pieces_.back().right), right);
    else
      add(item, left, right);
    return static_cast<std::uint32_t>(pieces_.size() - 1);
  }
  std::vector<TimelinePiece> take() {
    ActivityMixture mixture;
    for (std::size_t i = 0; i < pieces_.size(); ++i) pieces_[i].activity = mixture.shown(parts_[i]);
    return std::move(pieces_);
  }

 private:
  /// However short an item is, it takes a part of its box.
  void take_part(const TimelineRun& item) {
    const auto activity = static_cast<std::size_t>(timeline_.spans[item.first].activity);
    parts_.back()[activity] += std::max(item.end - item.begin, 1e-12);
  }

  /// Steps have gaps between them, because they touch.
  [[nodiscard]] double right_of(const TimelineRun& item) const {
    const double left = plane_.across(item.begin), right = plane_.across(item.end);
    return timeline_.times ? right : std::max(left, right - kStepGap);
  }
  [[nodiscard]] double wide_name(const TimelineRun& item) {
    const std::string name = run_name(timeline_, item);
    const auto found = name_widths_.find(name);
    if (found != name_widths_.end()) return found->second;
    return name_widths_[name] = canvas_.text_width(kBoxLetters, name) + 2 * kBoxPadding;
  }

  /// Whether an item has a box of its own beside the last one.
  [[nodiscard]] bool is_apart(const TimelineRun& item, double left, double right) {
    const TimelinePiece& last = pieces_.back();
    const double free = std::max(left, last.right);
    if (left < last.right && right - free < kLeastBox) return false;
    const bool folds = last.alike && left - last.right < kSeenGap &&
                       right - left < wide_name(item) && last_item_wide_ < wide_name(item) &&
                       is_another(timeline_.spans[last.run.first], timeline_.spans[item.first]);
    return !folds;
  }

  void begin(const TimelineRun& item, double left, double right) {
    pieces_.push_back({item, true, item.first, {}, left, std::max(right, left + kLeastBox), {}});
    parts_.emplace_back();
    take_part(item);
    longest_seconds_ = item.seconds;
    last_item_wide_ = right - left;
    last_notch_ = left;
  }

  void add(const TimelineRun& item, double left, double right) {
    TimelinePiece& piece = pieces_.back();
    piece.alike =
        piece.alike && is_another(timeline_.spans[piece.run.first], timeline_.spans[item.first]);
    if (item.seconds > longest_seconds_) {
      longest_seconds_ = item.seconds;
      piece.longest = item.first;
    }
    piece.run.count += item.count;
    piece.run.end = std::max(piece.run.end, item.end);
    piece.run.seconds += item.seconds;
    piece.run.bytes += item.bytes;
    piece.right = std::max(piece.right, right);
    take_part(item);
    last_item_wide_ = right - left;
    if (piece.alike && left - last_notch_ >= kSeenNotch && right - left >= kSeenNotch) {
      piece.notches.push_back(left);
      last_notch_ = left;
    }
  }

  const TimelineExhibit& timeline_;
  const TimelinePlane& plane_;
  const Canvas& canvas_;
  std::vector<TimelinePiece> pieces_;
  std::vector<ActivityParts> parts_;  ///< by box
  std::map<std::string, double> name_widths_;
  double longest_seconds_ = 0, last_item_wide_ = 0, last_notch_ = 0;  // of the last box
};

class TimelineDrawing {
 public:
  TimelineDrawing(const TimelineExhibit& timeline, const TimelinePlane& plane,
                  std::optional<std::size_t> shown, const Canvas& canvas)
      : timeline_(timeline),
        plane_(plane),
        shown_(shown),
        canvas_(canvas),
        whole_(whole_of(timeline)) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    place_legend();
    place_rows();
    place_axis();
    for (std::size_t i = 0; i < plane.pieces().size(); ++i) place_piece(i);
    place_arrows();
    if (shown && *shown < plane.pieces().size())
      drawing_.outline(plane.box(plane.pieces()[*shown]).grown(2), {Role::accent, 2}, 3);
    place_notes();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_legend() {
    lay_legend(timeline_, canvas_,
               [&](Activity activity, double x, double y, const std::string& name) {
                 const BoxLook look = look_of(activity);
                 const double high = std::min(look.height, kSwatchHigh);
                 const Area at{x, y + (kLegendRow - high) / 2, kSwatchWide, high};
                 place_box(drawing_, at, look);
                 place_mark(drawing_, look, at.middle().x, at.middle().y);
                 const double left = x + kSwatchWide + 8;
                 drawing_.text({left, y + kLegendRow / 2},
                               canvas_.fitted(kLegendLetters, name, canvas_.width - left),
                               kLegendLetters, Role::t2);
               });
  }

  void place_rows() {
    for (std::size_t row = 0; row < plane_.rows(); ++row) {
      const Area strip = plane_.strip(row);
      drawing_.rectangle(strip, Role::s1, 3).id = ItemId{"row", row};
      const std::string name = canvas_.strings(timeline_.rows[row].name);
      drawing_.text({0, strip.middle().y},
                    canvas_.fitted(kRowLetters, name, plane_.name_width() - kNameGap + 1),
                    kRowLetters, Role::t1);
    }
  }

  void place_axis() {
    const Area& area = plane_.area();
    const double middle = area.bottom() + kLabelsHigh / 2 + 2;
    if (!timeline_.times) {
      drawing_.text({area.x, middle},
                    canvas_.fitted(kNoteLetters, canvas_.strings("timeline.order"), area.width),
                    kNoteLetters, Role::t3);
      return;
    }
    const auto most = static_cast<std::size_t>(std::max(2.0, area.width / kAxisMarkWide));
    const std::vector<double> marks = axis_marks(plane_.stretch(), most);
    const double step = marks.size() > 1 ? marks[1] - marks[0] : 0;
    for (const double mark : marks) {
      const double x = plane_.across(mark);
      drawing_.line({x, area.y}, {x, area.bottom() + 3}, {Role::s4});
      drawing_.text({x, middle}, mark_text(mark, step), kAxisFigures, Role::t3, Anchor::middle);
    }
  }

  void place_piece(std::size_t i) {
    const TimelinePiece& piece = plane_.pieces()[i];
    const BoxLook look = look_of(piece.activity);
    const Area at = plane_.box(piece);
    DrawnItem& box = place_box(drawing_, at, look);
    box.id = ItemId{"box", i};
    box.title = piece_text(timeline_, piece, whole_, canvas_.strings);
    const double words_end = place_words(piece, at, look);
    for (const double x : piece.notches) {
      if (x < words_end) continue;  // a name is not crossed out
      drawing_.line({x, at.y + 1}, {x, at.bottom() - 1}, {Paint(look.colour, 0.6)}).id =
          ItemId{"notch", i};
    }
  }

  /// What a box may say, from much to little.
  [[nodiscard]] std::vector<std::string> words_of(const TimelinePiece& piece) const {
    if (!piece.alike) return {counted(canvas_.strings, "timeline.operations", piece.run.count)};
    std::vector<std::string> words;
    const std::string name = run_name(timeline_, piece.run);
    if (piece.run.bytes > 0) {
      const std::string bytes = byte_count(piece.run.bytes);
      words = {name + " " + bytes, bytes};
    }
    words.push_back(name);
    if (piece.run.count > 1) words.push_back(lab::grouped(piece.run.count) + " ×");
    return words;
  }

  /// The mark, and the first of its words that has room; gives back where they end.
  double place_words(const TimelinePiece& piece, const Area& at, const BoxLook& look) {
    if (at.width < kMarkRoom + 2) return at.x;
    double left = at.x + kBoxPadding;
    if (look.mark != BoxLook::Mark::none) {
      place_mark(drawing_, look, at.x + kMarkRoom / 2 + 1, at.middle().y);
      left = at.x + kMarkRoom + 3;
    }
    const double room = at.right() - kWordsEnd - left;
    const std::string words = fitting_words(piece, room);
    if (words.empty()) return left;
    drawing_.text({left, at.middle().y}, words, kBoxLetters, Role::t1);
    return left + canvas_.text_width(kBoxLetters, words) + kWordsEnd;
  }

  [[nodiscard]] std::string fitting_words(const TimelinePiece& piece, double room) const {
    constexpr double kFewLetters = 44;
    for (const std::string& words : words_of(piece)) {
      if (canvas_.text_width(kBoxLetters, words) <= room) return words;
    }
    if (room < kFewLetters) return {};
    return canvas_.fitted(kBoxLetters, timeline_.spans[piece.longest].label, room);
  }

  void place_arrows() {
    for (const bool lit : {false, true}) {  // what is lit lies on top
      for (const TimelinePlane::Arrow& arrow : plane_.arrows()) {
        const bool is_lit = shown_ && (arrow.from == *shown_ || arrow.to == *shown_);
        if (is_lit != lit || (plane_.has_many_arrows() && !lit)) continue;
        place_arrow(arrow, lit ? Stroke{Role::accent, 2} : Stroke{Role::t2, 1});
      }
    }
  }

  void place_arrow(const TimelinePlane::Arrow& arrow, const Stroke& stroke) {
    const double down = arrow.end.y > arrow.begin.y ? 1 : -1;
    const Point tip = arrow.end, neck{tip.x, tip.y - down * kArrowHead};
    const double bend = (neck.y - arrow.begin.y) * 0.6;
    drawing_
        .curve({arrow.begin, Point{arrow.begin.x, arrow.begin.y + bend},
                Point{neck.x, neck.y - bend}, neck},
               stroke)
        .id = ItemId{"arrow", arrow.to};
    drawing_.polygon(
        {{tip.x - kArrowHead / 2 - 0.5, neck.y}, {tip.x + kArrowHead / 2 + 0.5, neck.y}, tip},
        stroke.paint);
  }

  void place_notes() {
    double y = plane_.area().bottom() + kLabelsHigh + kNoteHigh / 2 + 2;
    const auto note = [&](const std::string& words) {
      drawing_.text({0, y}, canvas_.fitted(kNoteLetters, words, canvas_.width), kNoteLetters,
                    Role::t3);
      y += kNoteHigh;
    };
    if (plane_.rows() < timeline_.rows.size())
      note(counted(canvas_.strings, "timeline.more-rows", timeline_.rows.size() - plane_.rows()));
    if (plane_.has_close_boxes()) note(canvas_.strings("timeline.close"));
    if (plane_.has_many_arrows()) note(canvas_.strings("timeline.many-arrows"));
  }

  const TimelineExhibit& timeline_;
  const TimelinePlane& plane_;
  std::optional<std::size_t> shown_;
  const Canvas& canvas_;
  double whole_;  ///< seconds
  Drawing drawing_;
};

}  // namespace

TimelinePlane::TimelinePlane(const TimelineExhibit& timeline, const TimelineExhibit* beside,
                             const Canvas& canvas, const TimelineStretch& stretch) {
  const TimelineRuns items = items_of(timeline);
  end_ = lab::axis_end(timeline, items);
  if (beside && beside->times.has_value() == timeline.times.has_value())
    end_ = std::max(end_, lab::axis_end(*beside, items_of(*beside)));
  place_rows(timeline, canvas);
  // A few steps do not have to fill the width.
  if (!timeline.times) end_ = std::max(end_, area_.width / kWidestStep);
  stretch_ = stretch.length() > 0 ? stretch : TimelineStretch{0, end_};
  place_pieces(timeline, items, canvas);
  place_arrows(timeline, items);
  place_notes(timeline);
}

void TimelinePlane::place_rows(const TimelineExhibit& timeline, const Canvas& canvas) {
  const std::size_t rows = std::min(timeline.rows.size(), kMostPictureRows);
  double names = 0;
  for (std::size_t row = 0; row < rows; ++row)
    names =
        std::max(names, canvas.text_width(kRowLetters, canvas.strings(timeline.rows[row].name)));
  area_.x = std::min(names, kNameShare * canvas.width) + kNameGap;
  area_.y =
      kRowsTop + lay_legend(timeline, canvas, [](Activity, double, double, const std::string&) {});
  area_.width = std::max(1.0, canvas.width - area_.x - kRight);
  double y = area_.y;
  for (std::size_t row = 0; row < rows; ++row) {
    if (row > 0)
      y += kRowGap + (timeline.rows[row - 1].host != timeline.rows[row].host ? kHostGap : 0);
    tops_.push_back(y);
    y += kRowHigh;
  }
  area_.height = y - area_.y;
}

void TimelinePlane::place_pieces(const TimelineExhibit& timeline, const TimelineRuns& items,
                                 const Canvas& canvas) {
  std::vector<Packing> rows(tops_.size(), Packing(timeline, *this, canvas));
  std::vector<std::optional<std::uint32_t>> box_on_row(items.runs.size());
  for (std::size_t i = 0; i < items.runs.size(); ++i) {
    const TimelineRun& item = items.runs[i];
    if (lies_in(stretch_, item) && item.row < rows.size()) box_on_row[i] = rows[item.row].put(item);
  }
  std::vector<std::size_t> first_of_row;
  for (Packing& row : rows) {
    first_of_row.push_back(pieces_.size());
    for (TimelinePiece& piece : row.take()) pieces_.push_back(std::move(piece));
  }
  for (const std::uint32_t item : items.of_span) {
    const std::uint32_t row = items.runs[item].row;
    const auto& box = box_on_row[item];
    piece_of_.push_back(box ? std::optional(first_of_row[row] + *box) : std::nullopt);
  }
}

/// From the end of what was awaited to the beginning of what waited; where that had begun to wait earlier, to its end.
void TimelinePlane::place_arrows(const TimelineExhibit& timeline, const TimelineRuns& items) {
  std::set<std::pair<std::size_t, std::size_t>> placed;
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    for (const std::uint32_t awaited : timeline.spans[i].after) {
      const auto from = piece_of_[awaited], to = piece_of_[i];
      if (!from || !to || pieces_[*from].run.row == pieces_[*to].run.row ||
          !placed.emplace(*from, *to).second)
        continue;
      const TimelineRun &before = items.runs[items.of_span[awaited]],
                        &behind = items.runs[items.of_span[i]];
      const Area source = box(pieces_[*from]), target = box(pieces_[*to]);
      const bool down = target.y > source.y, follows = behind.begin >= before.end;
      const auto within = [](const Area& at, double x) {
        const double inset = std::min(kArrowInset, at.width / 2);
        return std::clamp(x, at.x + inset, at.right() - inset);
      };
      const double end = across(follows ? behind.begin : std::min(before.end, behind.end));
      arrows_.push_back({*from,
                         *to,
                         {within(source, across(before.end)), down ? source.bottom() : source.y},
                         {within(target, end), down ? target.y : target.bottom()}});
    }
  }
}

void TimelinePlane::place_notes(const TimelineExhibit& timeline) {
  height_ = area_.bottom() + kLabelsHigh;
  for (const bool noted :
       {tops_.size() < timeline.rows.size(), has_close_boxes(), has_many_arrows()})
    height_ += noted ? kNoteHigh : 0;
}

bool TimelinePlane::has_close_boxes() const {
  return !std::ranges::all_of(pieces_, &TimelinePiece::alike);
}

bool TimelinePlane::has_many_arrows() const { return arrows_.size() > kMostArrows; }

double TimelinePlane::across(double at) const {
  return area_.x + axis_share(at - stretch_.begin, stretch_.length()) * area_.width;
}

double TimelinePlane::at(double across) const {
  return stretch_.begin + axis_share(across - area_.x, area_.width) * stretch_.length();
}

Area TimelinePlane::strip(std::size_t row) const {
  return {area_.x, tops_[row], area_.width, kRowHigh};
}

Area TimelinePlane::box(const TimelinePiece& piece) const {
  const Area strip = this->strip(piece.run.row);
  const Area at{piece.left, strip.y, piece.right - piece.left, strip.height};
  return box_in(at, look_of(piece.activity));
}

std::optional<std::size_t> TimelinePlane::piece_of(std::size_t span) const {
  return span < piece_of_.size() ? piece_of_[span] : std::nullopt;
}

std::optional<std::size_t> TimelinePlane::piece_at(const Point& point) const {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const TimelinePiece& piece = pieces_[i];
    const Area strip = this->strip(piece.run.row);
    if (Area{piece.left, strip.y, piece.right - piece.left, strip.height}.holds(point)) return i;
  }
  return {};
}

std::optional<std::size_t> TimelinePlane::beside(std::size_t piece, int step) const {
  const auto other = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(piece) + step);
  if (other >= pieces_.size() || pieces_[other].run.row != pieces_[piece].run.row) return {};
  return other;
}

std::optional<std::size_t> TimelinePlane::on_next_row(std::size_t piece, int step) const {
  const double middle = (pieces_[piece].left + pieces_[piece].right) / 2;
  const std::uint32_t row = pieces_[piece].run.row;
  // What is above or below the middle comes before what is beside that.
  const auto away = [&](const TimelinePiece& other) {
    return std::pair(std::abs(static_cast<std::int64_t>(other.run.row) - row),
                     std::max({0.0, other.left - middle, middle - other.right}));
  };
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const bool on_that_side = step > 0 ? pieces_[i].run.row > row : pieces_[i].run.row < row;
    if (on_that_side && (!nearest || away(pieces_[i]) < away(pieces_[*nearest]))) nearest = i;
  }
  return nearest;
}

std::string piece_text(const TimelineExhibit& timeline, const TimelinePiece& piece, double whole,
                       const Strings& strings) {
  if (piece.alike) return run_text(timeline, piece.run, whole, strings);
  const TimelineExhibit::Span& longest = timeline.spans[piece.longest];
  return strings(timeline.times ? "timeline.facts-close" : "timeline.facts-close-order",
                 {{"count", grouped(piece.run.count)},
                  {"row", timeline.rows[piece.run.row].name},
                  {"begin", duration(piece.run.begin)},
                  {"end", duration(piece.run.end)},
                  {"name", longest.label},
                  {"what", activity_name(longest.activity, strings)}});
}

Drawing drawing_of(const TimelineExhibit& timeline, const TimelinePlane& plane,
                   std::optional<std::size_t> shown, const Canvas& canvas) {
  return TimelineDrawing(timeline, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
