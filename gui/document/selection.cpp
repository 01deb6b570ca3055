#include "gui/document/selection.hpp"

namespace warpbook::gui {

void Selection::press(const PageText& text, const TextPlace& place, int clicks, bool extend) {
  if (extend && !empty()) {
    extend_to(place);
    return;
  }
  grain_ = clicks >= 3 ? Grain::paragraph : clicks == 2 ? Grain::word : Grain::character;
  anchor_ = focus_ = text.unit_at(place, grain_);
}

void Selection::extend_to(const TextPlace& place) {
  const TextPlace still = focus() == to() ? from() : to();
  set(still, place);
}

}  // namespace warpbook::gui
