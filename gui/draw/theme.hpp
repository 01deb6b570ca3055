// The colours and measures of the window. The colours are those of lab/markup/palette.hpp, packed as ImGui takes them; nothing
// in gui/ names another one.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <imgui.h>

#include "lab/markup/drawing.hpp"
#include "lab/markup/palette.hpp"

namespace warpbook::gui {

/// A colour with straight alpha, as ImGui packs it.
using Colour = ImU32;

/// 0xRRGGBB, opaque: how the palette and code that draws a reader's pixels give a colour.
constexpr Colour rgb(unsigned hex) {
  return 0xFF000000u | (hex & 0xFF) << 16 | (hex & 0xFF00) | hex >> 16;
}
/// A colour as 0xRRGGBB, without its alpha.
constexpr unsigned hex(Colour colour) {
  return (colour & 0xFF) << 16 | (colour & 0xFF00) | (colour >> 16 & 0xFF);
}
/// The same colour, `alpha` of it (0 to 1).
Colour fade(Colour colour, float alpha);
/// `share` of `over` laid on `under`; both opaque.
Colour mix(Colour under, Colour over, float share);

struct Theme {
  std::string_view name;
  lab::PaletteTheme palette = lab::PaletteTheme::dark;
  Colour s0, s1, s2, s3, s4, s5;  ///< surfaces, from the window's ground up to what is pressed
  Colour line;                    ///< outline of what is not there
  Colour t1, t2, t3, t4;          ///< text, from first to disabled
  Colour accent, accent_tint, accent_text, on_accent;
  Colour ok, ok_tint, warn, warn_tint, bad, bad_tint;
  std::array<Colour, 6> category;  ///< Okabe-Ito, in the order of use
  Colour neutral;                  ///< data without a category
  Colour outline = 0;              ///< round every panel; 0: the step of its surface is enough
  Colour code_keyword, code_type, code_cuda, code_number, code_string, code_comment, code_directive;
  bool dark;

  /// A picture's paint, with its opacity as alpha.
  [[nodiscard]] Colour of(const lab::Paint& paint) const;
  /// What a cell with text is filled with: the category at 34 % over a panel, 85 % when hovered.
  [[nodiscard]] Colour cell(std::size_t index, bool hovered = false) const;
  /// What selected text stands on.
  [[nodiscard]] Colour selected() const { return fade(accent, 0.25f); }
  /// What text that was found stands on; `now`, the place that the reader is at, which has an outline of `warn` too.
  [[nodiscard]] Colour found(bool now) const { return fade(warn, now ? 0.26f : 0.18f); }
};

const Theme& dark_theme();
const Theme& light_theme();
/// Black, white and yellow, every panel outlined.
const Theme& contrast_theme();
/// "dark", "light" or "contrast"; anything else is dark.
const Theme& theme_named(std::string_view name);

/// Viridis, `position` in 0 to 1.
Colour viridis(float position);
/// The ink that is read best on a fill.
Colour text_on(Colour fill);

/// Puts every colour and measure of ImGui's own widgets.
void apply(const Theme& theme, ImGuiStyle& style);

namespace measure {
inline constexpr float kGap = 8, kLabMargin = 16, kDocumentMargin = 24, kPadding = 16,
                       kExhibitPadding = 12;
inline constexpr float kPanelRadius = 6, kControlRadius = 4, kCellRadius = 3;
inline constexpr float kTopBar = 48, kStatusBar = 28, kListWidth = 240, kRailWidth = 48,
                       kListRow = 32, kFoot = 48;
inline constexpr float kPanelHeader = 36, kButton = 32, kCardButton = 26, kBadge = 20;
inline constexpr float kWire = 1.5f, kLinkedWire = 3, kRing = 2, kAccentBar = 3;
}  // namespace measure

}  // namespace warpbook::gui
