// An array as numbers, plot, heat map or image: what is first shown its lesson or its size says, and a switch shows the
// others.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/tensor/tensor_views.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
using TensorView = lab::TensorExhibit::View;

constexpr float kCellHeight = 28, kTensorGap = 3, kSwitch = 26, kBelowSwitch = 8;
constexpr std::uint64_t kMostCells = 256;
constexpr std::uint64_t kWorthSwitching = 16;  ///< fewer elements are best read as numbers

/// The numbers that a table shows.
struct Numbers {
  std::vector<std::string> texts;
  std::vector<bool> wrong;
  float widest = 0;
};

Numbers numbers_of(const Ui& ui, const lab::TensorExhibit& tensor) {
  Numbers numbers;
  const std::uint64_t shown = std::min(lab::held(tensor), kMostCells);
  numbers.wrong.resize(shown);
  for (std::uint64_t i = 0; i < shown; ++i) {
    numbers.texts.push_back(lab::element_figure(tensor, i));
    numbers.widest =
        std::max(numbers.widest, ui.ink().width({Face::mono, 13, 0}, numbers.texts.back()));
  }
  for (const std::uint64_t i : tensor.wrong) {
    if (i < shown) numbers.wrong[i] = true;
  }
  return numbers;
}

/// The switch among the views, in rows where one is too narrow; gives back its height.
float draw_switch(const TensorFrame& place) {
  const Ui& ui = place.ui();
  float x = 0, y = 0;
  for (const TensorView view : lab::views_of(place.tensor)) {
    const std::string name(lab::name_of(view)), label = ui.tr("tensor.view." + name);
    ButtonLook look{ButtonKind::plain, kSwitch};
    look.chosen = view == place.view;
    const float wide = button_width(ui, label, look);
    if (x > 0 && x + wide > place.width) {
      x = 0;
      y += kSwitch + 4;
    }
    if (place.draw() &&
        button(ui, name.c_str(), {place.corner.x + x, place.corner.y + y}, label, look)) {
      ui.post(
          [id = place.id, view](Book& book) { book.choose(id + "/view", static_cast<int>(view)); });
    }
    x += wide + 4;
  }
  return y + kSwitch + kBelowSwitch;
}

TensorView view_chosen(const Ui& ui, const lab::TensorExhibit& tensor, const std::string& id) {
  const int chosen = ui.book.choice(id + "/view");
  for (const TensorView view : lab::views_of(tensor)) {
    if (chosen == static_cast<int>(view)) return view;
  }
  return lab::view_of(tensor);
}
}  // namespace

float tensor_table(const TensorFrame& place) {
  const Ui& ui = place.ui();
  const lab::TensorExhibit& tensor = place.tensor;
  const Numbers& numbers =
      ui.cache.get<Numbers>(tensor.data.data(), kept_as(TensorPart::table, TensorView::table, 0),
                            [&] { return numbers_of(ui, tensor); });
  const float cell =
      std::clamp(std::ceil(numbers.widest) + 12, 34.0f, std::max(34.0f, place.width));
  const auto fit = static_cast<std::uint64_t>(
      std::max(1.0f, std::floor((place.width + kTensorGap) / (cell + kTensorGap))));
  const std::uint64_t inner = tensor.shape.size() >= 2 ? tensor.shape.back() : lab::held(tensor);
  const std::uint64_t columns = std::max<std::uint64_t>(1, std::min(inner, fit)),
                      shown = numbers.texts.size(), rows = (shown + columns - 1) / columns;
  if (place.draw()) {
    const Ink ink = ui.ink();
    const Link& link = ui.book.link.current();
    for (std::uint64_t i = 0; i < shown; ++i) {
      const std::uint64_t row = i / columns;
      const ImVec2 min{place.corner.x + static_cast<float>(i % columns) * (cell + kTensorGap),
                       place.corner.y + static_cast<float>(row) * (kCellHeight + kTensorGap)};
      const ImVec2 max{min.x + cell, min.y + kCellHeight};
      if (!ImGui::IsRectVisible(min, max)) continue;
      const bool wrong = numbers.wrong[i];
      const std::string& number = numbers.texts[i];
      const float settled = ui.motion.since(ImGui::GetID(reinterpret_cast<const void*>(i + 1)),
                                            std::hash<std::string>{}(number), kMoveSeconds);
      ink.fill(min, max,
               mix(ui.theme.accent_tint, wrong ? ui.theme.bad_tint : ui.theme.s3, settled),
               measure::kCellRadius);
      ink.text_middle((min.x + max.x) / 2, (min.y + max.y) / 2,
                      {Face::mono, 13, wrong ? ui.theme.bad : ui.theme.t1}, number, Align::centre);
      if (link.element && link.element->index == static_cast<std::int64_t>(i)) {
        ink.outline(min, max, ui.theme.accent, measure::kCellRadius, measure::kRing);
      }
    }
  }
  const float height = static_cast<float>(rows) * (kCellHeight + kTensorGap) - kTensorGap;
  if (shown == lab::held(tensor)) return height;
  const std::string more =
      lab::counted(ui.book.strings(), "tensor.more", lab::held(tensor) - shown);
  return height + 6 +
         words({ui, {place.corner.x, place.corner.y + height + 6}, place.width, place.draw()}, more,
               ui.caption_style());
}

float figure_of(const FigureArea& area, const lab::TensorExhibit& tensor, const std::string& id) {
  const Ui& ui = area.ui;
  if (lab::held(tensor) == 0) return words(area, ui.tr("gui.tensor.empty"), ui.caption_style());
  TensorFrame place{area, tensor, view_chosen(ui, tensor, id), id, area.corner, area.width};
  float used = 0;
  if (lab::held(tensor) > kWorthSwitching || tensor.view != TensorView::automatic) {
    used = draw_switch(place);
    place.corner.y += used;
  }
  switch (place.view) {
    case TensorView::plot: return used + tensor_plot(place);
    case TensorView::heat:
    case TensorView::image: return used + tensor_heat(place);
    case TensorView::automatic:
    case TensorView::table: break;
  }
  return used + tensor_table(place);
}

const lab::TensorScale& scale_of(const TensorFrame& place) {
  const auto* other = beside_as<lab::TensorExhibit>(place.area);
  const auto make = [&] {
    return other ? lab::scale_of_both(place.tensor, *other, place.view)
                 : lab::scale_of(place.tensor, place.view);
  };
  // Of two pairs, a tensor's partner tells them apart.
  const auto partner = other ? reinterpret_cast<std::uintptr_t>(other->data.data()) >> 4 : 0;
  return place.ui().cache.get<lab::TensorScale>(
      place.tensor.data.data(), kept_as(TensorPart::scale, place.view, partner & kWidths), make);
}

float say_shared_scale(const TensorFrame& place, float top) {
  if (!beside_as<lab::TensorExhibit>(place.area)) return 0;
  const Ui& ui = place.ui();
  const lab::TensorScale& scale = scale_of(place);
  return words({ui, {place.corner.x, top}, place.width, place.draw()},
               ui.tr("tensor.shared-scale",
                     {{"low", lab::number(scale.low)}, {"high", lab::number(scale.high)}}),
               ui.caption_style());
}

std::optional<std::uint64_t> pinned_element(const TensorFrame& place) {
  const int at = place.ui().book.choice(place.id + "/at");
  if (at < 0 || static_cast<std::uint64_t>(at) >= lab::held(place.tensor)) return std::nullopt;
  return static_cast<std::uint64_t>(at);
}

void pin_element(const TensorFrame& place, std::uint64_t element) {
  const int wanted =
      pinned_element(place) == element
          ? -1
          : static_cast<int>(std::min<std::uint64_t>(element, std::numeric_limits<int>::max()));
  place.ui().post([id = place.id, wanted](Book& book) { book.choose(id + "/at", wanted); });
}

std::optional<std::uint64_t> step_by_arrows(const TensorFrame& place, std::uint64_t along,
                                            std::uint64_t row) {
  if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) return std::nullopt;
  // The arrows are the picture's while it has the focus; Tab leads on.
  own_keys(
      std::array{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow});
  const std::uint64_t elements = lab::held(place.tensor);
  const auto pinned = pinned_element(place);
  std::optional<std::uint64_t> next;
  const auto go = [&](ImGuiKey key, std::uint64_t by, bool forth) {
    if (!ImGui::IsKeyPressed(key)) return;
    const std::uint64_t from = pinned.value_or(0);
    if (!pinned)
      next = 0;
    else if (forth && from + by < elements)
      next = from + by;
    else if (!forth && from >= by)
      next = from - by;
  };
  go(ImGuiKey_RightArrow, along, true);
  go(ImGuiKey_LeftArrow, along, false);
  go(ImGuiKey_DownArrow, row, true);
  go(ImGuiKey_UpArrow, row, false);
  if (next) pin_element(place, *next);
  return next;
}

void say_element(const TensorFrame& place, float middle, std::optional<std::uint64_t> hovered) {
  const Ui& ui = place.ui();
  const auto shown = hovered ? hovered : pinned_element(place);
  if (!shown) return;
  std::string says =
      lab::place_name(place.tensor, *shown) + " = " + lab::element_figure(place.tensor, *shown);
  if (lab::is_wrong(place.tensor, *shown)) says += "   " + ui.tr("tensor.mark.wrong");
  const Type type = ui.figures(ui.theme.t1);
  ui.ink().label(place.corner.x, middle, type, says, place.width);
}

float say_marks(const TensorFrame& place, float top, const lab::TensorMarks& any) {
  const Ui& ui = place.ui();
  std::string text;
  const auto add = [&](bool there, std::string_view key) {
    if (there) text += (text.empty() ? "" : "   ") + ui.tr(key);
  };
  add(any.nan, "tensor.mark.nan");
  add(any.infinite, "tensor.mark.infinite");
  add(any.wrong, "tensor.mark.wrong");
  if (text.empty()) return 0;
  return words({ui, {place.corner.x, top}, place.width, place.draw()}, text, ui.caption_style()) +
         4;
}

}  // namespace warpbook::gui
