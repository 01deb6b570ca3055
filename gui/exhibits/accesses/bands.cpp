#include "gui/exhibits/accesses/bands.hpp"

#include <algorithm>
#include <array>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "lab/exhibits/accesses/wire_bands.hpp"

namespace warpbook::gui {
namespace {
class BandsPanel {
 public:
  BandsPanel(const FigureArea& area, const lab::AccessesExhibit& accesses,
             const lab::WireBands& bands)
      : area_(area), ui_(area.ui), accesses_(accesses), bands_(bands) {
    const Link& link = ui_.book.link.current();
    if (link.thread)
      state_.thread = link.thread->block * bands.plan.threads_a_block + link.thread->thread;
    if (link.element) state_.element = link.element->index;
    if (!state_.element && state_.thread) state_.element = element_of(*state_.thread);
    if (!link.thread) state_.line = link.line;
  }

  void draw() const {
    const FigureInputs inputs(state_.thread, state_.element, state_.line);
    const lab::Drawing& drawing = draw_kept(area_, &accesses_, inputs, [&] {
      return drawing_of(accesses_, bands_, state_, canvas_for(area_));
    });
    for (const lab::DrawnItem& item : drawing.items) {
      if (item.id && item.id->part == "thread-bar") point_at_threads(item);
      if (item.id && item.id->part == "element-bar") point_at_elements(item);
    }
  }

 private:
  [[nodiscard]] std::optional<std::int64_t> element_of(std::uint32_t thread) const {
    const lab::WirePlan::Wire* wire = bands_.plan.wire_of(thread);
    return wire ? std::optional(wire->element) : std::nullopt;
  }
  [[nodiscard]] Link link_of(std::uint32_t thread, std::optional<std::int64_t> element,
                             std::uint32_t array) const {
    const std::uint32_t each = bands_.plan.threads_a_block;
    Link link = link_to(thread / each, thread % each);
    if (element) link.element = Link::Element{array, *element};
    return link;
  }

  /// Where the keyboard has led to, from the number that is linked, or else from the first.
  [[nodiscard]] static std::optional<std::int64_t> stepped_by_keys(std::int64_t now,
                                                                   std::int64_t count) {
    if (!ImGui::IsItemFocused() || count == 0) return {};
    own_keys(std::array{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home, ImGuiKey_End});
    std::int64_t to = now;
    if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) to = std::max<std::int64_t>(0, now - 1);
    if (ImGui::IsKeyPressed(ImGuiKey_RightArrow)) to = std::min(count - 1, now + 1);
    if (ImGui::IsKeyPressed(ImGuiKey_Home)) to = 0;
    if (ImGui::IsKeyPressed(ImGuiKey_End)) to = count - 1;
    return to == now ? std::nullopt : std::optional(to);
  }

  void point_at_threads(const lab::DrawnItem& bar) const {
    const bool pressed = item_over("threads", area_.corner, lab::bounds_of(bar));
    const auto link_to_thread = [&](std::uint32_t thread) {
      return link_of(thread, element_of(thread), 0);
    };
    if (ImGui::IsItemHovered())
      point_at(ui_, link_to_thread(bands_.thread_at(mouse_in(area_.corner).x)), pressed);
    if (const auto to =
            stepped_by_keys(state_.thread.value_or(0), static_cast<std::int64_t>(bands_.threads)))
      pin(ui_, link_to_thread(static_cast<std::uint32_t>(*to)));
  }

  /// An element leads to the thread that wrote it, else to the first that touched it.
  [[nodiscard]] Link link_to_element(std::uint32_t array, std::int64_t element) const {
    std::optional<std::uint32_t> thread =
        bands_.plan.writer_of(array, static_cast<std::uint64_t>(element));
    if (!thread) {
      const auto wire =
          std::ranges::find(bands_.plan.wires, element, &lab::WirePlan::Wire::element);
      if (wire != bands_.plan.wires.end()) thread = wire->thread;
    }
    if (thread) return link_of(*thread, element, array);
    Link link;
    link.element = Link::Element{array, element};
    return link;
  }

  void point_at_elements(const lab::DrawnItem& bar) const {
    const auto array = static_cast<std::uint32_t>(bar.id->number);
    ImGui::PushID(static_cast<int>(array));
    const bool pressed = item_over("elements", area_.corner, lab::bounds_of(bar));
    if (ImGui::IsItemHovered())
      point_at(ui_, link_to_element(array, bands_.element_at(mouse_in(area_.corner).x)), pressed);
    const auto size = static_cast<std::int64_t>(lab::count(accesses_.arrays[array].tensor));
    if (const auto to =
            stepped_by_keys(std::max<std::int64_t>(0, state_.element.value_or(0)), size))
      pin(ui_, link_to_element(array, *to));
    ImGui::PopID();
  }

  const FigureArea& area_;
  const Ui& ui_;
  const lab::AccessesExhibit& accesses_;
  const lab::WireBands& bands_;
  lab::WireState state_;
};
}  // namespace

float draw_bands(const FigureArea& area, const lab::AccessesExhibit& accesses) {
  const auto& bands = kept_layout<lab::WireBands>(
      area, &accesses, [&] { return lab::WireBands(accesses, static_cast<double>(area.width)); });
  if (area.draw) BandsPanel(area, accesses, bands).draw();
  return static_cast<float>(bands.height);
}

}  // namespace warpbook::gui
