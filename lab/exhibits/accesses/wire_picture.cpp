#include "lab/exhibits/accesses/wire_picture.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Face = Letters::Face;

// From the top down: blocks' names, threads in their trays, wires, the elements' numbers, a row an array.
constexpr double kWireNames = 22, kWireNameMiddle = 8.4, kWireTray = 6, kThreadHigh = 32,
                 kWiresHigh = 118, kWireIndexRow = 24, kArrayHigh = 30, kArrayGap = 4,
                 kWireRowName = 44, kWidestWireCell = 48, kNarrowestWireCell = 3;
constexpr double kThreadsTop = kWireNames + kWireTray, kWiresTop = kThreadsTop + kThreadHigh,
                 kWiresBottom = kWiresTop + kWireTray + kWiresHigh,
                 kArraysTop = kWiresBottom + kWireIndexRow;
constexpr double kCellRound = 3, kThin = 1.5, kThick = 3, kWireRing = 2, kCellShare = 0.34,
                 kLitCellShare = 0.85, kReadShare = 0.6;
constexpr Dash kReadDashes{4, 4};

/// Moves a row to the middle of the picture.
void centre(std::vector<double>& lefts, double right, double width) {
  const double shift = std::floor(std::max(0.0, (width - right) / 2));
  for (double& x : lefts) x += shift;
}

double cell_gap(const WirePlan& plan) { return plan.threads.size() > 20 ? 2 : 4; }

/// Lays threads out in blocks, as wide as there is room.
void place_threads(WireLayout& layout) {
  const WirePlan& plan = layout.plan;
  const auto threads = static_cast<double>(std::max<std::size_t>(1, plan.threads.size()));
  double borders = 0;
  for (std::size_t i = 1; i < plan.threads.size(); ++i) borders += plan.starts_block(i) ? 1 : 0;
  const double gap = cell_gap(plan);
  double block_gap = 2 * kWireTray + 10;
  if (borders * block_gap > layout.width / 3) block_gap = 2 + layout.width / 3 / borders;
  const double room = layout.width - 2 * kWireTray - borders * block_gap -
                      gap * std::max(0.0, threads - 1 - borders);
  layout.thread_width = std::clamp(std::floor(room / threads), kNarrowestWireCell, kWidestWireCell);
  double x = kWireTray;
  for (std::size_t i = 0; i < plan.threads.size(); ++i) {
    if (i > 0) x += plan.starts_block(i) ? block_gap : gap;
    layout.columns.threads.push_back(x);
    x += layout.thread_width;
  }
  centre(layout.columns.threads, x + kWireTray, layout.width);
}

/// Where the arrays end. Idle threads at the end of the launch keep what is below them for their bars, so that no
/// wire crosses one; but where that leaves the elements too narrow, the arrays take the whole width.
double right_of_elements(const WireLayout& layout) {
  constexpr double kNarrowest = 20;
  const WirePlan& plan = layout.plan;
  const std::size_t first = plan.first_idle();
  if (first == 0 || first == plan.threads.size() || plan.strays > 0) return layout.width;
  const double right = layout.columns.threads[first] - 4,
               wanted = kNarrowest * static_cast<double>(plan.elements.size());
  return right - kWireRowName >= wanted ? right : layout.width;
}

void place_elements(WireLayout& layout) {
  const WirePlan& plan = layout.plan;
  const auto elements = static_cast<double>(std::max<std::size_t>(1, plan.elements.size()));
  const double gap = cell_gap(plan), right = right_of_elements(layout);
  layout.element_width = std::clamp(std::floor((right - kWireRowName - gap * elements) / elements),
                                    kNarrowestWireCell, kWidestWireCell);
  double x = kWireRowName;
  for (std::size_t i = 0; i < plan.elements.size(); ++i) {
    if (plan.elements[i].outside && i > 0 && !plan.elements[i - 1].outside) x += 6;
    layout.columns.elements.push_back(x);
    x += layout.element_width + gap;
  }
  centre(layout.columns.elements, x - gap, right);
}

/// The first `share` of a cubic curve, which is a cubic curve again (De Casteljau).
std::array<Point, 4> first_of(const std::array<Point, 4>& whole, double share) {
  const auto between = [&](const Point& a, const Point& b) {
    return Point{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
  };
  const Point ab = between(whole[0], whole[1]), bc = between(whole[1], whole[2]),
              cd = between(whole[2], whole[3]), abc = between(ab, bc), bcd = between(bc, cd);
  return {whole[0], ab, abc, between(abc, bcd)};
}

class WireDrawing {
 public:
  WireDrawing(const AccessesExhibit& accesses, const WireLayout& layout, const WireState& state,
              const Canvas& canvas)
      : accesses_(accesses),
        layout_(layout),
        plan_(layout.plan),
        columns_(state.columns ? *state.columns : layout.columns),
        state_(state),
        canvas_(canvas) {
    drawing_.width = layout.width;
    drawing_.height = layout.height;
    for (std::size_t i = 0; i < plan_.threads.size();) i = place_block(i);
    place_bars();
    for (const bool linked : {false, true}) place_wires(linked);  // what is linked lies on top
    place_indices();
    for (std::uint32_t a = 0; a < accesses.arrays.size(); ++a) place_array(a);
    place_linked_column();
    place_idle_note();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  [[nodiscard]] std::uint32_t block_of(std::uint32_t thread) const {
    return thread / plan_.threads_a_block;
  }
  [[nodiscard]] bool is_idle(std::uint32_t thread) const {
    return plan_.idle[thread] && !accesses_.cut;
  }
  [[nodiscard]] double thread_middle(std::size_t column) const {
    return columns_.threads[column] + layout_.thread_width / 2;
  }
  [[nodiscard]] double element_middle(std::size_t column) const {
    return columns_.elements[column] + layout_.element_width / 2;
  }
  void gap_sign(double x, double y) {
    drawing_.text({x, y}, "…", {Face::sans, 13, true}, Role::t3, Anchor::middle);
  }

  // Threads.

  /// A tray with the block's name above it, or the sign of a gap; gives back the column after it.
  std::size_t place_block(std::size_t first) {
    std::size_t last = first;
    const double left = columns_.threads[first];
    if (plan_.threads[first].gap) {
      gap_sign(thread_middle(first), kThreadsTop + kThreadHigh / 2);
      return first + 1;
    }
    while (last + 1 < plan_.threads.size() && !plan_.threads[last + 1].gap &&
           !plan_.starts_block(last + 1))
      ++last;
    const double right = columns_.threads[last] + layout_.thread_width,
                 next =
                     last + 1 < plan_.threads.size() ? columns_.threads[last + 1] : layout_.width;
    drawing_.rectangle(Area{left, kThreadsTop, right - left, kThreadHigh}.grown(kWireTray),
                       Role::s1, 4);
    const std::uint32_t block = block_of(static_cast<std::uint32_t>(plan_.threads[first].index));
    const Letters letters{Face::sans, 13, true};
    std::string name = canvas_.strings("gui.wires.block", {{"block", std::to_string(block)}});
    if (canvas_.text_width(letters, name) >= next - left) name = std::to_string(block);
    drawing_.text({left - kWireTray + 2, kWireNameMiddle}, name, letters, category(block));
    for (std::size_t t = first; t <= last; ++t) place_thread(t);
    return last + 1;
  }

  void place_thread(std::size_t column) {
    const auto thread = static_cast<std::uint32_t>(plan_.threads[column].index);
    const Area at{columns_.threads[column], kThreadsTop, layout_.thread_width, kThreadHigh};
    const double lit = state_.lit.empty() ? (state_.thread == thread ? 1 : 0) : state_.lit[column];
    const bool idle = is_idle(thread);
    const Paint fill =
        idle ? Paint(Role::s4)
             : Paint(category(block_of(thread)), kCellShare + (kLitCellShare - kCellShare) * lit);
    drawing_.rectangle(at, fill, kCellRound).id = ItemId{"thread", thread};
    if (lit > 0) drawing_.outline(at, {{Role::accent, lit}, kWireRing}, kCellRound);
    const std::string number = std::to_string(thread % plan_.threads_a_block);
    const Letters letters{Face::mono, layout_.thread_width > 24 ? 14.0 : 12.0};
    if (canvas_.text_width(letters, number) <= layout_.thread_width - 1)
      drawing_.text(at.middle(), number, letters, idle ? Role::t3 : Role::t1, Anchor::middle);
  }

  // Wires.

  void place_bars() {
    for (std::size_t i = 0; i < plan_.threads.size(); ++i) {
      if (plan_.threads[i].gap || !is_idle(static_cast<std::uint32_t>(plan_.threads[i].index)))
        continue;
      const double x = thread_middle(i), end = kWiresBottom - 14,
                   half = std::min(15.0, layout_.thread_width / 2);
      drawing_.line({x, kWiresTop + 2}, {x, end}, {Role::s5, kThin});
      drawing_.rectangle({x - half, end, 2 * half, 3}, Role::t3, 1).id =
          ItemId{"bar", static_cast<std::uint64_t>(plan_.threads[i].index)};
    }
  }

  void place_wires(bool linked_pass) {
    for (std::size_t w = 0; w < plan_.wires.size(); ++w) {
      const WirePlan::Wire& wire = plan_.wires[w];
      const bool on_line =
          state_.line && std::ranges::find(wire.lines, *state_.line) != wire.lines.end();
      const bool linked = state_.thread == wire.thread || on_line;
      if (linked != linked_pass) continue;
      const auto from = plan_.thread_column(wire.thread), to = plan_.element_column(wire.element);
      if (!from || !to) continue;
      const Point begin{thread_middle(*from), kWiresTop + 1},
          end{element_middle(*to), kWiresBottom + 2};
      const double lift = (end.y - begin.y) * 0.45;
      const std::array<Point, 4> whole{begin, Point{begin.x, begin.y + lift},
                                       Point{end.x, end.y - lift}, end};
      Stroke stroke{category(block_of(wire.thread)), linked && !on_line ? kThick : kThin};
      if (wire.stray)
        stroke.paint = Role::bad;
      else if (linked)
        stroke.paint = Role::accent;
      if (!wire.stores) {
        if (!linked) stroke.paint = Paint(*stroke.paint.role(), kReadShare);
        stroke.dash = kReadDashes;
      }
      DrawnItem& item =
          drawing_.curve(state_.grown.empty() ? whole : first_of(whole, state_.grown[w]), stroke);
      item.id = ItemId{wire.stray ? "stray" : wire.stores ? "store" : "load", w};
      item.title = thread_name(canvas_.strings, wire.thread, plan_.threads_a_block) +
                   (wire.stores ? " → " : " ← ") + accesses_.arrays[wire.array].tensor.name + "[" +
                   std::to_string(wire.element) + "]";
    }
  }

  // Arrays.

  /// The right end of the names of rows.
  [[nodiscard]] double names_end() const {
    return (columns_.elements.empty() ? kWireRowName : columns_.elements.front()) - 14;
  }

  void place_indices() {
    const double middle = kWiresBottom + kWireIndexRow / 2 + 1;
    drawing_.place({0, kWiresBottom, layout_.width, kWireIndexRow}, "index-row");
    drawing_.text({names_end(), middle}, "i", {Face::mono, 13}, Role::t3, Anchor::right);
    double free = 0;  // the right end of the last number, so that none overlap
    for (std::size_t i = 0; i < plan_.elements.size(); ++i) {
      const WirePlan::Column& column = plan_.elements[i];
      const double x = element_middle(i);
      if (column.gap) {
        gap_sign(x, middle);
        continue;
      }
      const bool linked = state_.element == column.index;
      const Letters letters{Face::mono, 12.5, linked};
      const std::string number = typeset(std::to_string(column.index));
      const double half = canvas_.text_width(letters, number) / 2;
      if (x - half < free && !linked) continue;
      drawing_.text({x, middle}, number, letters,
                    linked           ? Role::accent
                    : column.outside ? Role::bad
                                     : Role::t3,
                    Anchor::middle);
      free = x + half + 3;
    }
  }

  [[nodiscard]] static double array_top(std::uint32_t array) {
    return kArraysTop + array * (kArrayHigh + kArrayGap);
  }

  void place_array(std::uint32_t a) {
    const TensorExhibit& tensor = accesses_.arrays[a].tensor;
    const auto size = static_cast<std::int64_t>(count(tensor));
    drawing_.text({names_end(), array_top(a) + kArrayHigh / 2}, tensor.name, {Face::mono, 14},
                  Role::t2, Anchor::right);
    for (std::size_t i = 0; i < plan_.elements.size(); ++i) {
      const WirePlan::Column& column = plan_.elements[i];
      if (column.gap) continue;
      const Area at{columns_.elements[i], array_top(a), layout_.element_width, kArrayHigh};
      if (column.index >= 0 && column.index < size)
        place_element(a, static_cast<std::uint64_t>(column.index), at);
      else if (is_touched(a, column.index))
        place_outside(at);
    }
  }
  [[nodiscard]] bool is_touched(std::uint32_t a, std::int64_t element) const {
    return std::ranges::any_of(accesses_.wires,
                               [&](const auto& w) { return w.array == a && w.element == element; });
  }

  void place_outside(const Area& at) {
    drawing_.rectangle(at, Role::bad_tint, kCellRound).id = ItemId{"outside"};
    drawing_.outline(at, {Role::bad, 1, kFineDashes}, kCellRound);
    if (at.width < 14) return;
    const auto [x, y] = at.middle();
    drawing_.line({x - 3, y - 3}, {x + 3, y + 3}, {Role::bad, 1.5});
    drawing_.line({x - 3, y + 3}, {x + 3, y - 3}, {Role::bad, 1.5});
  }

  void place_element(std::uint32_t a, std::uint64_t index, const Area& at) {
    const AccessesExhibit::Array& array = accesses_.arrays[a];
    const bool wrong = is_wrong(array.tensor, index);
    const auto writer = plan_.writer_of(a, index);
    Paint fill = Role::s3, text = wrong ? Role::bad : Role::t1;
    if (writer) fill = {category(block_of(*writer)), kCellShare};
    if (wrong) fill = Role::bad_tint;
    const bool unwritten = array.written && !writer && !accesses_.cut;
    if (unwritten) {
      text = wrong ? Role::bad : Role::t4;
      drawing_.outline(at, {text, 1, kFineDashes}, kCellRound).id =
          ItemId{"unwritten", element_number(a, index)};
      fill = {};
    }
    drawing_.rectangle(at, fill, kCellRound).id = ItemId{"element", element_number(a, index)};
    const std::string number = element_figure(array.tensor, index);
    const Letters letters{Face::mono, layout_.element_width > 30 ? 13.5 : 12.0};
    if (canvas_.text_width(letters, number) <= layout_.element_width - 2)
      drawing_.text(at.middle(), number, letters, text, Anchor::middle);
  }

  [[nodiscard]] double arrays_bottom() const {
    return array_top(static_cast<std::uint32_t>(accesses_.arrays.size())) - kArrayGap;
  }

  void place_linked_column() {
    if (!state_.element) return;
    const auto column = plan_.element_column(*state_.element);
    if (!column || plan_.elements[*column].outside) return;
    drawing_.outline({columns_.elements[*column] - 1, kArraysTop - 2, layout_.element_width + 2,
                      arrays_bottom() - kArraysTop + 4},
                     {Role::accent, kWireRing}, 5);
  }

  void place_idle_note() {
    const std::size_t first = plan_.first_idle();
    if (first == 0 || first >= plan_.threads.size() || columns_.elements.empty()) return;
    const double left = columns_.threads[first],
                 right = columns_.threads.back() + layout_.thread_width + kWireTray;
    if (columns_.elements.back() + layout_.element_width >= left - kWireTray) return;
    drawing_.place({left, kArraysTop, right - left, arrays_bottom() - kArraysTop}, "idle-note");
  }

  const AccessesExhibit& accesses_;
  const WireLayout& layout_;
  const WirePlan& plan_;
  const WireColumns& columns_;
  const WireState& state_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

WireLayout::WireLayout(const AccessesExhibit& accesses, double wide, std::size_t most)
    : plan(plan_wires(accesses, most, most)),
      width(wide),
      height(kArraysTop + static_cast<double>(accesses.arrays.size()) * (kArrayHigh + kArrayGap)) {
  place_threads(*this);
  place_elements(*this);
}

Drawing drawing_of(const AccessesExhibit& accesses, const WireLayout& layout,
                   const WireState& state, const Canvas& canvas) {
  return WireDrawing(accesses, layout, state, canvas).take();
}

}  // namespace warpbook::lab
