// Threads wired to the elements that they touched. Every wire is a line of the trace; none is
// recomputed.
#include <algorithm>
#include <cmath>
#include <map>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/accesses/idle_note.hpp"
#include "gui/exhibits/accesses/wire_plan.hpp"
#include "gui/exhibits/panels.hpp"

namespace warpbook::gui {
namespace {
constexpr float kThreadHeight = 32, kTray = 6, kAccessesLabel = 22, kAccessesWires = 118,
                kIndexRow = 24, kAccessesRow = 30, kRowGap = 4;
constexpr float kRowLabel = 44;

/// Where the columns of both rows lie.
struct AccessesLayout {
  WirePlan plan;
  std::vector<float> thread_x, element_x;  ///< left edges, from the figure's own
  float thread_width = 0, element_width = 0;
};

/// Tells one run's accesses from another's; an address would not, since it is used again.
std::uint64_t fingerprint(const lab::AccessesExhibit& accesses) {
  std::uint64_t hash = accesses.grid.count() * 0x9E3779B97F4A7C15ull + accesses.block.count();
  const auto add = [&](std::uint64_t part) { hash = (hash ^ part) * 0x100000001B3ull; };
  for (const auto& array : accesses.arrays) add(lab::count(array.tensor) * 2 + array.written);
  for (const auto& wire : accesses.wires) {
    add(static_cast<std::uint64_t>(wire.element));
    add(std::uint64_t{wire.block} << 32 | wire.thread);
    add(std::uint64_t{wire.line} << 32 | wire.array << 8 | static_cast<std::uint64_t>(wire.kind));
  }
  return hash;
}

struct Key {
  std::uint64_t fingerprint;
  std::int64_t width;
  friend bool operator==(const Key&, const Key&) = default;
};

bool starts_block(const WirePlan& plan, std::size_t column) {
  const auto& c = plan.threads[column];
  return column > 0 && !c.gap && !plan.threads[column - 1].gap &&
         c.index % plan.threads_a_block == 0;
}

constexpr float kWidestCell = 48;

/// Moves a row to the middle of the figure.
void centre(std::vector<float>& lefts, float left, float right, float width) {
  const float shift = std::floor(std::max(0.0f, (width - (right - left)) / 2 - left));
  for (float& x : lefts) x += shift;
}

/// The column from which on all threads are idle, to the end of the launch.
std::size_t first_idle(const WirePlan& plan) {
  std::size_t first = plan.threads.size();
  while (first > 0 && !plan.threads[first - 1].gap &&
         plan.idle[static_cast<std::size_t>(plan.threads[first - 1].index)]) {
    --first;
  }
  return first;
}

/// Lays threads out in blocks and elements in a row, both as wide as there is room.
/// Where the arrays end. Idle threads at the end of the launch keep what is below them for their bars, so that no
/// wire crosses one; where that leaves the elements too narrow, the arrays take the whole width.
float right_of_elements(const AccessesLayout& layout, std::size_t elements, float width) {
  constexpr float kNarrowest = 20;
  const WirePlan& plan = layout.plan;
  const std::size_t first = first_idle(plan);
  if (first == 0 || first == plan.threads.size() || plan.strays > 0) return width;
  const float right = layout.thread_x[first] - 4;
  return right - kRowLabel >= kNarrowest * static_cast<float>(elements) ? right : width;
}

AccessesLayout lay_out(const lab::AccessesExhibit& accesses, float width) {
  AccessesLayout layout;
  const auto fit = static_cast<std::size_t>(std::max(6.0f, width / 20));
  layout.plan = plan_wires(accesses, fit, fit);
  const WirePlan& plan = layout.plan;
  const std::size_t threads = std::max<std::size_t>(1, plan.threads.size());
  std::size_t borders = 0;
  for (std::size_t i = 1; i < plan.threads.size(); ++i) borders += starts_block(plan, i) ? 1 : 0;
  const float cell_gap = threads > 20 ? 2.0f : 4.0f;
  float block_gap = 2 * kTray + 10;
  if (static_cast<float>(borders) * block_gap > width / 3)
    block_gap = 2 + width / 3 / static_cast<float>(borders);
  const float room = width - 2 * kTray - static_cast<float>(borders) * block_gap -
                     cell_gap * static_cast<float>(threads - 1 - std::min(borders, threads - 1));
  layout.thread_width =
      std::clamp(std::floor(room / static_cast<float>(threads)), 3.0f, kWidestCell);
  float x = kTray;
  for (std::size_t i = 0; i < plan.threads.size(); ++i) {
    if (i > 0) x += starts_block(plan, i) ? block_gap : cell_gap;
    layout.thread_x.push_back(x);
    x += layout.thread_width;
  }
  centre(layout.thread_x, 0, x + kTray, width);
  const std::size_t elements = std::max<std::size_t>(1, plan.elements.size());
  const float right = right_of_elements(layout, elements, width);
  const float element_room = right - kRowLabel - cell_gap * static_cast<float>(elements);
  layout.element_width =
      std::clamp(std::floor(element_room / static_cast<float>(elements)), 3.0f, kWidestCell);
  x = kRowLabel;
  for (std::size_t i = 0; i < plan.elements.size(); ++i) {
    if (plan.elements[i].outside && i > 0 && !plan.elements[i - 1].outside) x += 6;
    layout.element_x.push_back(x);
    x += layout.element_width + cell_gap;
  }
  centre(layout.element_x, 0, x - cell_gap, right);
  return layout;
}

const AccessesLayout& layout_of(const lab::AccessesExhibit& accesses, float width) {
  // A handful of figures are on screen at once; the plan of each is kept until its exhibit is
  // replaced.
  static std::vector<std::pair<Key, AccessesLayout>> kept;
  const Key key{fingerprint(accesses), static_cast<std::int64_t>(width)};
  for (const auto& [other, layout] : kept) {
    if (other == key) return layout;
  }
  if (kept.size() >= 8) kept.erase(kept.begin());
  return kept.emplace_back(key, lay_out(accesses, width)).second;
}

class AccessesPicture {
 public:
  AccessesPicture(const Frame& frame, const lab::AccessesExhibit& accesses,
                  const AccessesLayout& layout)
      : ui_(frame.ui),
        ink_(ui_.ink()),
        accesses_(accesses),
        layout_(layout),
        plan_(layout.plan),
        corner_(frame.corner),
        width_(frame.width) {
    threads_top_ = corner_.y + kAccessesLabel + kTray;
    wires_top_ = threads_top_ + kThreadHeight;
    wires_bottom_ = wires_top_ + kTray + kAccessesWires;
    rows_top_ = wires_bottom_ + kIndexRow;
    thread_x_ = on_their_way("threads", plan_.threads, layout.thread_x);
    element_x_ = on_their_way("elements", plan_.elements, layout.element_x);
    const Link& link = ui_.book.link.current();
    if (link.thread) linked_ = link.thread->block * plan_.threads_a_block + link.thread->thread;
    if (link.element) linked_element_ = link.element->index;
    // A pin from before the run changed: the thread stays, its element may be another.
    if (linked_ && linked_element_) {
      const bool touches = std::ranges::any_of(plan_.wires, [&](const auto& wire) {
        return wire.thread == *linked_ && wire.element == *linked_element_;
      });
      if (!touches) linked_element_.reset();
    }
    if (!linked_element_ && linked_) {
      if (const auto* wire = plan_.wire_of(*linked_)) linked_element_ = wire->element;
    }
    if (!link.thread) linked_line_ = link.line;
  }

  void draw() {
    draw_threads();
    draw_wires();
    draw_index_row();
    for (std::size_t a = 0; a < accesses_.arrays.size(); ++a)
      draw_array(static_cast<std::uint32_t>(a));
    draw_linked_column();
    draw_why_idle();
  }

 private:
  [[nodiscard]] Colour block_colour(std::uint32_t thread) const {
    return ui_.theme.category[thread / plan_.threads_a_block % ui_.theme.category.size()];
  }
  [[nodiscard]] Link link_of(std::uint32_t thread, std::optional<std::int64_t> element,
                             std::uint32_t array) const {
    Link link = link_to(thread / plan_.threads_a_block, thread % plan_.threads_a_block);
    if (!element) {
      if (const auto* wire = plan_.wire_of(thread)) element = wire->element;
    }
    if (element) link.element = Link::Element{array, *element};
    return link;
  }
  void point(const char* id, std::size_t number, ImVec2 min, ImVec2 max, const Link& link) const {
    ImGui::PushID(static_cast<int>(number));
    const bool pressed = item(id, min, max);
    if (ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible)) {
      ui_.post([link](Book& book) { book.link.hover(link); });
    }
    if (pressed) pin(ui_, link);
    ImGui::PopID();
  }

  /// The right end of the names of rows.
  [[nodiscard]] float row_label_x() const {
    return corner_.x + (element_x_.empty() ? kRowLabel : element_x_.front()) - 14;
  }

  /// Places that move to where the layout has them now, when a run has changed it.
  std::vector<float> on_their_way(const char* row, const std::vector<WirePlan::Column>& columns,
                                  const std::vector<float>& places) const {
    std::vector<float> now = places;
    ImGui::PushID(row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].gap) continue;
      const ImGuiID id = ImGui::GetID(static_cast<int>(columns[i].index));
      const bool came = ui_.motion.coming(ImGui::GetID("row"), id) < 1;
      now[i] = ui_.motion.to(id + 1, places[i], came ? 0 : kMoveSeconds);
    }
    ImGui::PopID();
    return now;
  }

  void draw_threads() const {
    // A tray a block, its name above it.
    for (std::size_t i = 0; i < plan_.threads.size();) {
      std::size_t last = i;
      const bool gap = plan_.threads[i].gap;
      while (last + 1 < plan_.threads.size() && !gap && !plan_.threads[last + 1].gap &&
             !starts_block(plan_, last + 1))
        ++last;
      const float x0 = corner_.x + thread_x_[i],
                  x1 = corner_.x + thread_x_[last] + layout_.thread_width;
      if (gap) {
        ink_.text_middle((x0 + x1) / 2, threads_top_ + kThreadHeight / 2,
                         {Face::bold, 13, ui_.theme.t3}, "…", Align::centre);
      } else {
        ink_.fill({x0 - kTray, threads_top_ - kTray},
                  {x1 + kTray, threads_top_ + kThreadHeight + kTray}, ui_.theme.s1,
                  measure::kControlRadius);
        const auto thread = static_cast<std::uint32_t>(plan_.threads[i].index);
        const std::string name =
            ui_.tr("gui.wires.block", {{"block", std::to_string(thread / plan_.threads_a_block)}});
        const Type type{Face::bold, 13, block_colour(thread)};
        const float next =
            last + 1 < plan_.threads.size() ? corner_.x + thread_x_[last + 1] : corner_.x + width_;
        if (ink_.width(type, name) < next - x0) {
          ink_.text(x0 - kTray + 2, corner_.y + 13, type, name);
        } else {
          ink_.text(x0 - kTray + 2, corner_.y + 13, type,
                    std::to_string(thread / plan_.threads_a_block));
        }
      }
      for (std::size_t t = i; t <= last && !gap; ++t) draw_thread(t);
      i = last + 1;
    }
  }

  void draw_thread(std::size_t column) const {
    const auto thread = static_cast<std::uint32_t>(plan_.threads[column].index);
    const float x = corner_.x + thread_x_[column];
    const ImVec2 min{x, threads_top_}, max{x + layout_.thread_width, threads_top_ + kThreadHeight};
    const bool linked = linked_ == thread, idle = plan_.idle[thread];
    const std::size_t block = thread / plan_.threads_a_block;
    ImGui::PushID("lit");
    const float lit =
        ui_.motion.to(ImGui::GetID(static_cast<int>(thread)), linked ? 1.0f : 0.0f, kLinkSeconds);
    ImGui::PopID();
    ink_.fill(min, max,
              idle ? ui_.theme.s4 : mix(ui_.theme.cell(block), ui_.theme.cell(block, true), lit),
              measure::kCellRadius);
    if (lit > 0)
      ink_.outline(min, max, fade(ui_.theme.accent, lit), measure::kCellRadius, measure::kRing);
    const std::string number = std::to_string(thread % plan_.threads_a_block);
    const Type type{Face::mono, layout_.thread_width > 24 ? 14.0f : 12.0f,
                    idle ? ui_.theme.t3 : ui_.theme.t1};
    if (ink_.width(type, number) <= layout_.thread_width - 1) {
      ink_.text_middle((min.x + max.x) / 2, (min.y + max.y) / 2, type, number, Align::centre);
    }
    point("thread", thread, min, max, link_of(thread, std::nullopt, 0));
  }

  /// As much of a wire as has grown, from its thread on.
  void draw_wire(std::size_t from, float to_x, float to_y, Colour colour, float thickness,
                 float grown) const {
    const float x = corner_.x + thread_x_[from] + layout_.thread_width / 2;
    const ImVec2 begin{x, wires_top_ + 1}, end{to_x, to_y};
    const float lift = (end.y - begin.y) * 0.45f;
    // De Casteljau: the first part of a cubic curve is a cubic curve again.
    const auto between = [&](ImVec2 a, ImVec2 b) {
      return ImVec2{a.x + (b.x - a.x) * grown, a.y + (b.y - a.y) * grown};
    };
    const ImVec2 second{begin.x, begin.y + lift}, third{end.x, end.y - lift};
    const ImVec2 ab = between(begin, second), bc = between(second, third), cd = between(third, end);
    const ImVec2 abc = between(ab, bc), bcd = between(bc, cd);
    ink_.list()->AddBezierCubic(begin, ab, abc, between(abc, bcd), colour, thickness, 20);
  }

  void draw_wires() const {
    for (std::size_t i = 0; i < plan_.threads.size(); ++i) {
      const auto& column = plan_.threads[i];
      if (column.gap || !plan_.idle[static_cast<std::size_t>(column.index)] || accesses_.cut)
        continue;
      // A thread that stored nothing ends at a bar before the arrays, never in them.
      const float x = corner_.x + thread_x_[i] + layout_.thread_width / 2, end = wires_bottom_ - 14;
      ink_.list()->AddLine({x, wires_top_ + 2}, {x, end}, ui_.theme.s5, measure::kWire);
      const float half = std::min(15.0f, layout_.thread_width / 2);
      ink_.fill({x - half, end}, {x + half, end + 3}, ui_.theme.t3, 1);
    }
    // What is linked is drawn last, over the others.
    for (const bool linked_pass : {false, true}) {
      for (const WirePlan::Wire& wire : plan_.wires) {
        const bool on_line =
            linked_line_ && std::ranges::find(wire.lines, *linked_line_) != wire.lines.end();
        const bool linked = linked_ == wire.thread || on_line;
        if (linked != linked_pass) continue;
        const auto from = plan_.thread_column(wire.thread), to = plan_.element_column(wire.element);
        if (!from || !to) continue;
        const float x = corner_.x + element_x_[*to] + layout_.element_width / 2;
        Colour colour = wire.stray ? ui_.theme.bad : block_colour(wire.thread);
        if (!wire.stores) colour = fade(colour, 0.4f);
        const bool thick = linked && !on_line;
        if (linked) colour = wire.stray ? ui_.theme.bad : ui_.theme.accent;
        const std::string name =
            std::to_string(wire.thread) + " to " + std::to_string(wire.element);
        const float grown =
            ui_.motion.coming(ImGui::GetID("wires"), ImGui::GetID(name.c_str()), kMoveSeconds);
        draw_wire(*from, x, wires_bottom_ + 2, colour,
                  thick ? measure::kLinkedWire : measure::kWire, grown);
      }
    }
  }

  void draw_index_row() const {
    const float middle = wires_bottom_ + kIndexRow / 2 + 1;
    ink_.text_middle(row_label_x(), middle, {Face::mono, 13, ui_.theme.t3}, "i", Align::right);
    float free = 0;  // the right end of the last number, so that none overlap
    for (std::size_t i = 0; i < plan_.elements.size(); ++i) {
      const auto& column = plan_.elements[i];
      const float x = corner_.x + element_x_[i] + layout_.element_width / 2;
      if (column.gap) {
        ink_.text_middle(x, middle, {Face::bold, 13, ui_.theme.t3}, "…", Align::centre);
        continue;
      }
      const bool linked = linked_element_ == column.index;
      const Type type{linked ? Face::mono_bold : Face::mono, 12.5f,
                      linked           ? ui_.theme.accent
                      : column.outside ? ui_.theme.bad
                                       : ui_.theme.t3};
      const std::string number = lab::typeset(std::to_string(column.index));
      const float half = ink_.width(type, number) / 2;
      if (x - half < free && !linked) continue;
      ink_.text_middle(x, middle, type, number, Align::centre);
      free = x + half + 3;
    }
  }

  void draw_array(std::uint32_t a) const {
    const auto& array = accesses_.arrays[a];
    const auto size = static_cast<std::int64_t>(lab::count(array.tensor));
    const float top = rows_top_ + static_cast<float>(a) * (kAccessesRow + kRowGap);
    ink_.text_middle(row_label_x(), top + kAccessesRow / 2, {Face::mono, 14, ui_.theme.t2},
                     array.tensor.name, Align::right);
    ImGui::PushID(static_cast<int>(a));
    for (std::size_t i = 0; i < plan_.elements.size(); ++i) {
      const auto& column = plan_.elements[i];
      const float x = corner_.x + element_x_[i];
      const ImVec2 min{x, top}, max{x + layout_.element_width, top + kAccessesRow};
      if (column.gap) continue;
      if (column.index < 0 || column.index >= size) {
        if (touched_outside(a, column.index)) {
          ink_.fill(min, max, ui_.theme.bad_tint, measure::kCellRadius);
          ink_.dashed_outline(min, max, ui_.theme.bad, measure::kCellRadius);
          if (layout_.element_width >= 14)
            ink_.icon(Icon::cross, {(min.x + max.x) / 2, (min.y + max.y) / 2}, ui_.theme.bad, 11);
        }
        continue;
      }
      draw_element(a, array, static_cast<std::uint64_t>(column.index), min, max);
    }
    ImGui::PopID();
  }

  [[nodiscard]] bool touched_outside(std::uint32_t a, std::int64_t element) const {
    return std::ranges::any_of(accesses_.wires,
                               [&](const auto& w) { return w.array == a && w.element == element; });
  }

  void draw_element(std::uint32_t a, const lab::AccessesExhibit::Array& array, std::uint64_t index,
                    ImVec2 min, ImVec2 max) const {
    const bool wrong = std::ranges::find(array.tensor.wrong, index) != array.tensor.wrong.end();
    const bool has_writer = array.written && index < plan_.writer.size();
    const std::int64_t writer = has_writer ? plan_.writer[index] : -1;
    Colour fill = ui_.theme.s3, text = ui_.theme.t1;
    if (writer >= 0)
      fill = ui_.theme.cell(static_cast<std::size_t>(writer) / plan_.threads_a_block);
    if (wrong) {
      fill = ui_.theme.bad_tint;
      text = ui_.theme.bad;
    }
    const bool unwritten = has_writer && writer < 0 && !accesses_.cut;
    if (unwritten) {
      ink_.dashed_outline(min, max, wrong ? ui_.theme.bad : ui_.theme.t4, measure::kCellRadius);
      text = wrong ? ui_.theme.bad : ui_.theme.t4;
    } else {
      ink_.fill(min, max, fill, measure::kCellRadius);
    }
    const std::string number = lab::element_figure(array.tensor, index);
    const Type type{Face::mono, layout_.element_width > 30 ? 13.5f : 12.0f, text};
    if (ink_.width(type, number) <= layout_.element_width - 2) {
      ink_.text_middle((min.x + max.x) / 2, (min.y + max.y) / 2, type, number, Align::centre);
    }
    // An element leads to the thread that wrote it, else to the first that touched it.
    std::optional<std::uint32_t> thread;
    if (index < plan_.writer.size() && plan_.writer[index] >= 0)
      thread = static_cast<std::uint32_t>(plan_.writer[index]);
    for (const auto& wire : plan_.wires) {
      if (thread) break;
      if (wire.element == static_cast<std::int64_t>(index)) thread = wire.thread;
    }
    const auto element = static_cast<std::int64_t>(index);
    Link link;
    link.element = Link::Element{a, element};
    if (thread) link = link_of(*thread, element, a);
    point("element", index, min, max, link);
  }

  /// Below idle threads at the end, where the arrays leave them room.
  void draw_why_idle() const {
    const std::size_t first = first_idle(plan_);
    if (first == 0 || first >= plan_.threads.size() || element_x_.empty()) return;
    const float left = corner_.x + thread_x_[first],
                right = corner_.x + thread_x_.back() + layout_.thread_width;
    if (corner_.x + element_x_.back() + layout_.element_width >= left - kTray) return;
    std::map<std::uint32_t, float> columns;
    for (std::size_t i = first; i < plan_.threads.size(); ++i)
      columns[static_cast<std::uint32_t>(plan_.threads[i].index)] =
          corner_.x + thread_x_[i] + layout_.thread_width / 2;
    const float bottom = rows_top_ +
                         static_cast<float>(accesses_.arrays.size()) * (kAccessesRow + kRowGap) -
                         kRowGap;
    draw_idle_note(ui_, idle_note(ui_, accesses_), columns, wires_bottom_ + kIndexRow / 2 + 1,
                   {left, rows_top_}, {right + kTray, bottom});
  }

  void draw_linked_column() const {
    if (!linked_element_) return;
    const auto column = plan_.element_column(*linked_element_);
    if (!column || plan_.elements[*column].outside) return;
    const float x = corner_.x + element_x_[*column];
    ink_.outline(
        {x - 1, rows_top_ - 2},
        {x + layout_.element_width + 1,
         rows_top_ + static_cast<float>(accesses_.arrays.size()) * (kAccessesRow + kRowGap) -
             kRowGap + 2},
        ui_.theme.accent, 5, measure::kRing);
  }

  const Ui& ui_;
  Ink ink_;
  const lab::AccessesExhibit& accesses_;
  const AccessesLayout& layout_;
  const WirePlan& plan_;
  ImVec2 corner_;
  float width_;
  std::vector<float> thread_x_, element_x_;
  float threads_top_ = 0, wires_top_ = 0, wires_bottom_ = 0, rows_top_ = 0;
  std::optional<std::uint32_t> linked_, linked_line_;
  std::optional<std::int64_t> linked_element_;
};
}  // namespace

float figure_of(const Frame& frame, const lab::AccessesExhibit& accesses,
                const std::string& /*id*/) {
  if (accesses.arrays.empty())
    return words(frame, frame.ui.tr("gui.wires.empty"), frame.ui.caption_style());
  const float height = kAccessesLabel + 2 * kTray + kThreadHeight + kAccessesWires + kIndexRow +
                       static_cast<float>(accesses.arrays.size()) * (kAccessesRow + kRowGap);
  if (frame.draw) AccessesPicture(frame, accesses, layout_of(accesses, frame.width)).draw();
  return height;
}

}  // namespace warpbook::gui
