// Draws text, icons and shapes into one ImGui draw list.
#pragma once

#include <string>
#include <string_view>

#include <imgui.h>

#include "gui/draw/fonts.hpp"
#include "gui/draw/theme.hpp"

namespace warpbook::gui {

/// A face at a size in a colour.
struct Type {
  Face face = Face::sans;
  float size = 17;
  Colour colour = 0;
};

/// The nearest place that is a whole pixel; where a point is several whole pixels, a whole point.
float onto_pixel(float place);

enum class Align : std::uint8_t { left, centre, right };

enum class Icon : std::uint8_t {
  check,
  cross,
  warning,
  question,
  waiting,
  play,
  chain,
  dots,
  chevron_left,
  chevron_right,
  chevron_down,
  chevron_up,
  reset,
  bulb,
  hidden,
  hash,
  clock,
  dot_ring,
  approx,
  speech,
  gear,
  search,
  undo,
  swap,
  list,
  logo,
  sun,
  moon,
  translate,
  chip,
  stop,
  pin
};

/// Where text and shapes are drawn. Cheap to copy; lives for a frame.
class Ink {
 public:
  Ink(const Fonts& fonts, ImDrawList* list) : fonts_(&fonts), list_(list) {}
  [[nodiscard]] ImDrawList* list() const { return list_; }
  [[nodiscard]] const Fonts& fonts() const { return *fonts_; }

  [[nodiscard]] float width(const Type& type, std::string_view text) const;
  /// From the top of a text's box to its baseline.
  [[nodiscard]] float ascent(const Type& type) const;
  /// The height of a capital.
  [[nodiscard]] static float cap_height(const Type& type) { return type.size * 0.715f; }

  /// Draws on a baseline; `x` is the left edge, the middle or the right edge.
  void text(float x, float baseline, const Type& type, std::string_view text,
            Align align = Align::left) const;
  /// Draws with the capitals centred on `middle`.
  void text_middle(float x, float middle, const Type& type, std::string_view text,
                   Align align = Align::left) const {
    this->text(x, middle + cap_height(type) / 2, type, text, align);
  }
  /// As much of `text` as fits, with an ellipsis if it was cut.
  [[nodiscard]] std::string fitted(const Type& type, std::string_view text, float width) const;

  /// A label that is to stay whole: smaller where it is too long for `room`, then in two lines, and cut only where not even
  /// these have room. Gives the width that it takes.
  float label(float x, float middle, const Type& type, std::string_view text, float room,
              Align align = Align::left) const;

  void fill(ImVec2 min, ImVec2 max, Colour colour, float radius = 0) const {
    list_->AddRectFilled(min, max, colour, radius);
  }
  void outline(ImVec2 min, ImVec2 max, Colour colour, float radius = 0, float thickness = 1) const;
  void dashed_outline(ImVec2 min, ImVec2 max, Colour colour, float radius,
                      float thickness = 1) const;
  /// Covers a place whose content the reader is not to see yet.
  void hatch(ImVec2 min, ImVec2 max, Colour colour, float step = 8) const;
  /// Centred on `middle`, within a square of `size`.
  void icon(Icon icon, ImVec2 middle, Colour colour, float size = 16, Colour hole = 0) const;
  /// An arc that covers `share` of a circle and begins at `phase`, in turns; it rotates while something is in progress.
  void ring(ImVec2 middle, float radius, Colour track, Colour colour, float phase,
            float share = 0.25f) const;

 private:
  /// As much of `rest` as fits, for a label of which it is the end.
  [[nodiscard]] std::string cut_label(const Type& type, std::string_view whole,
                                      std::string_view rest, float room) const;

  const Fonts* fonts_;
  ImDrawList* list_;
};

}  // namespace warpbook::gui
