// The picture of threads wired to the elements that they touched, under mouse and keyboard. Places and wires move when a run has
// changed them.
#include <algorithm>
#include <map>

#include "gui/controls/point.hpp"
#include "gui/exhibits/accesses/bands.hpp"
#include "gui/exhibits/accesses/idle_note.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/accesses/wire_bands.hpp"
#include "lab/exhibits/accesses/wire_picture.hpp"

namespace warpbook::gui {
namespace {
using lab::WirePlan;

class AccessesPanel {
 public:
  AccessesPanel(const FigureArea& area, const lab::AccessesExhibit& accesses,
                const lab::WireLayout& layout)
      : area_(area), ui_(area.ui), accesses_(accesses), layout_(layout), plan_(layout.plan) {
    find_link();
    columns_.threads = on_their_way("threads", plan_.threads, layout.columns.threads);
    columns_.elements = on_their_way("elements", plan_.elements, layout.columns.elements);
    state_.columns = &columns_;
    light_threads();
    grow_wires();
  }

  void draw() const {
    const lab::Drawing& drawing = draw_kept(area_, &accesses_, inputs(), [&] {
      return drawing_of(accesses_, layout_, state_, canvas_for(area_));
    });
    for (const lab::DrawnItem& item : drawing.items) {
      if (item.id && item.id->part == "thread") point_at_thread(item);
    }
    for (const lab::DrawnItem& item : drawing.items) {
      if (item.id && item.id->part == "element") point_at_element(item);
    }
    draw_why_idle(drawing);
  }

 private:
  void find_link() {
    const Link& link = ui_.book.link.current();
    if (link.thread)
      state_.thread = link.thread->block * plan_.threads_a_block + link.thread->thread;
    if (link.element) state_.element = link.element->index;
    // A pin from before the run changed: the thread stays, its element may be another.
    if (state_.thread && state_.element) {
      const bool touches = std::ranges::any_of(plan_.wires, [&](const auto& wire) {
        return wire.thread == *state_.thread && wire.element == *state_.element;
      });
      if (!touches) state_.element.reset();
    }
    if (!state_.element && state_.thread) {
      if (const auto* wire = plan_.wire_of(*state_.thread)) state_.element = wire->element;
    }
    if (!link.thread) state_.line = link.line;
  }

  /// Places that move to where the layout has them now, when a run has changed it.
  [[nodiscard]] std::vector<double> on_their_way(const char* row,
                                                 const std::vector<WirePlan::Column>& columns,
                                                 const std::vector<double>& places) const {
    std::vector<double> now = places;
    ImGui::PushID(row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].gap) continue;
      const ImGuiID id = ImGui::GetID(static_cast<int>(columns[i].index));
      const bool came = ui_.motion.coming(ImGui::GetID("row"), id) < 1;
      const auto place = static_cast<float>(places[i]);
      now[i] = static_cast<double>(ui_.motion.to(id + 1, place, came ? 0 : kMoveSeconds));
    }
    ImGui::PopID();
    return now;
  }

  void light_threads() {
    ImGui::PushID("lit");
    for (const WirePlan::Column& column : plan_.threads) {
      const bool linked = !column.gap && state_.thread == column.index;
      const float lit = column.gap ? 0
                                   : ui_.motion.to(ImGui::GetID(static_cast<int>(column.index)),
                                                   linked ? 1.0f : 0.0f, kLinkSeconds);
      state_.lit.push_back(static_cast<double>(lit));
    }
    ImGui::PopID();
  }

  void grow_wires() {
    const ImGuiID family = ImGui::GetID("wires");
    for (const WirePlan::Wire& wire : plan_.wires) {
      ImGui::PushID(static_cast<int>(wire.thread));
      const ImGuiID id = ImGui::GetID(static_cast<int>(wire.element));
      ImGui::PopID();
      state_.grown.push_back(static_cast<double>(ui_.motion.coming(family, id, kMoveSeconds)));
    }
  }

  /// All that decides the picture beside its layout.
  [[nodiscard]] FigureInputs inputs() const {
    FigureInputs inputs(state_.thread, state_.element, state_.line);
    for (const auto* numbers :
         {&columns_.threads, &columns_.elements, &state_.lit, &state_.grown}) {
      for (const double number : *numbers) inputs.add(static_cast<float>(number));
    }
    return inputs;
  }

  // What is pointed at.

  [[nodiscard]] Link link_of(std::uint32_t thread, std::optional<std::int64_t> element,
                             std::uint32_t array) const {
    Link link = link_to(thread / plan_.threads_a_block, thread % plan_.threads_a_block);
    if (!element) {
      if (const auto* wire = plan_.wire_of(thread)) element = wire->element;
    }
    if (element) link.element = Link::Element{array, *element};
    return link;
  }
  void point(const char* name, std::uint64_t number, const lab::DrawnItem& drawn,
             const Link& link) const {
    ImGui::PushID(static_cast<int>(number));
    const bool pressed = item_over(name, area_.corner, lab::bounds_of(drawn));
    if (ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible))
      ui_.post([link](Book& book) { book.link.hover(link); });
    if (pressed) pin(ui_, link);
    ImGui::PopID();
  }
  void point_at_thread(const lab::DrawnItem& drawn) const {
    const auto thread = static_cast<std::uint32_t>(drawn.id->number);
    point("thread", thread, drawn, link_of(thread, std::nullopt, 0));
  }
  /// An element leads to the thread that wrote it, else to the first that touched it.
  void point_at_element(const lab::DrawnItem& drawn) const {
    const std::uint32_t array = lab::array_of_number(drawn.id->number);
    const std::uint64_t index = lab::element_of_number(drawn.id->number);
    const auto element = static_cast<std::int64_t>(index);
    std::optional<std::uint32_t> thread;
    for (std::uint32_t a = 0; a < plan_.writers.size() && !thread; ++a)
      thread = plan_.writer_of(a, index);
    if (!thread) {
      const auto wire = std::ranges::find(plan_.wires, element, &WirePlan::Wire::element);
      if (wire != plan_.wires.end()) thread = wire->thread;
    }
    Link link;
    link.element = Link::Element{array, element};
    if (thread) link = link_of(*thread, element, array);
    ImGui::PushID(static_cast<int>(array));
    point("element", index, drawn, link);
    ImGui::PopID();
  }

  /// Below idle threads at the end, where the arrays leave them room.
  void draw_why_idle(const lab::Drawing& drawing) const {
    const lab::DrawnItem *note = item_of(drawing, {"idle-note"}),
                         *row = item_of(drawing, {"index-row"});
    if (!note || !row) return;
    std::map<std::uint32_t, float> middles;
    for (std::size_t i = plan_.first_idle(); i < plan_.threads.size(); ++i) {
      middles[static_cast<std::uint32_t>(plan_.threads[i].index)] =
          area_.corner.x + static_cast<float>(columns_.threads[i] + layout_.thread_width / 2);
    }
    const lab::Area at = lab::bounds_of(*note);
    const auto place = [&](double x, double y) {
      return ImVec2{area_.corner.x + static_cast<float>(x), area_.corner.y + static_cast<float>(y)};
    };
    draw_idle_note(ui_, idle_note(ui_, accesses_), middles,
                   place(0, lab::bounds_of(*row).middle().y + 1).y, place(at.x, at.y),
                   place(at.right(), at.bottom()));
  }

  const FigureArea& area_;
  const Ui& ui_;
  const lab::AccessesExhibit& accesses_;
  const lab::WireLayout& layout_;
  const WirePlan& plan_;
  lab::WireColumns columns_;
  lab::WireState state_;
};
}  // namespace

float figure_of(const FigureArea& area, const lab::AccessesExhibit& accesses,
                const std::string& /*id*/) {
  if (accesses.arrays.empty())
    return words(area, area.ui.tr("gui.wires.empty"), area.ui.caption_style());
  const auto most = static_cast<std::size_t>(std::max(6.0f, area.width / 20));
  if (lab::has_more_than(accesses, most)) return draw_bands(area, accesses);
  const auto& layout = kept_layout<lab::WireLayout>(area, &accesses, [&] {
    return lab::WireLayout(accesses, static_cast<double>(area.width), most);
  });
  if (area.draw) AccessesPanel(area, accesses, layout).draw();
  return static_cast<float>(layout.height);
}

}  // namespace warpbook::gui
