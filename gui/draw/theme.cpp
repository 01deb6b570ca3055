#include "gui/draw/theme.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::gui {

Colour fade(Colour colour, float alpha) {
  const auto a = static_cast<Colour>(
      std::lround(static_cast<float>(colour >> 24) * std::clamp(alpha, 0.0f, 1.0f)));
  return (colour & 0x00FFFFFFu) | a << 24;
}

Colour mix(Colour under, Colour over, float share) {
  Colour result = 0xFF000000u;
  for (int shift = 0; shift < 24; shift += 8) {
    const auto a = static_cast<float>(under >> shift & 0xFF),
               b = static_cast<float>(over >> shift & 0xFF);
    result |= static_cast<Colour>(std::lround(a + (b - a) * share)) << shift;
  }
  return result;
}

Colour Theme::cell(std::size_t index, bool hovered) const {
  return mix(s2, category[index % category.size()], hovered ? 0.85f : 0.34f);
}

const Theme& dark_theme() {
  static const Theme theme{.name = "dark",
                           .s0 = rgb(0x141518),
                           .s1 = rgb(0x1B1C1F),
                           .s2 = rgb(0x222428),
                           .s3 = rgb(0x2B2D32),
                           .s4 = rgb(0x383B42),
                           .s5 = rgb(0x4A4E57),
                           .line = rgb(0x303338),
                           .t1 = rgb(0xE9EAEC),
                           .t2 = rgb(0xB7BBC3),
                           .t3 = rgb(0x9297A1),
                           .t4 = rgb(0x5F646E),
                           .accent = rgb(0x8EA6FF),
                           .accent_tint = rgb(0x272E48),
                           .accent_text = rgb(0xC6D1FF),
                           .on_accent = rgb(0x10131F),
                           .ok = rgb(0x62CB8E),
                           .ok_tint = rgb(0x1D3128),
                           .warn = rgb(0xE6B450),
                           .warn_tint = rgb(0x372E1B),
                           .bad = rgb(0xF47C7C),
                           .bad_tint = rgb(0x3A2225),
                           .category = {rgb(0x56B4E9), rgb(0xE69F00), rgb(0x009E73), rgb(0xCC79A7),
                                        rgb(0xF0E442), rgb(0xD55E00)},
                           .neutral = rgb(0x5F646E),
                           .code_keyword = rgb(0xC9A5E8),
                           .code_type = rgb(0x7CC8BC),
                           .code_cuda = rgb(0x8FBDF0),
                           .code_number = rgb(0xE2B878),
                           .code_string = rgb(0xA5C97F),
                           .code_comment = rgb(0x8A8F99),
                           .code_directive = rgb(0xD49AA8),
                           .dark = true};
  return theme;
}

const Theme& light_theme() {
  static const Theme theme{.name = "light",
                           .s0 = rgb(0xECECE8),
                           .s1 = rgb(0xFBFBF9),
                           .s2 = rgb(0xFFFFFF),
                           .s3 = rgb(0xF1F1EE),
                           .s4 = rgb(0xDFDFDA),
                           .s5 = rgb(0xBFC0BB),
                           .line = rgb(0xE2E2DD),
                           .t1 = rgb(0x1D1F23),
                           .t2 = rgb(0x4B4F57),
                           .t3 = rgb(0x656971),
                           .t4 = rgb(0xA2A5AB),
                           .accent = rgb(0x3852C4),
                           .accent_tint = rgb(0xE6EAFB),
                           .accent_text = rgb(0x2A3FA0),
                           .on_accent = rgb(0xFFFFFF),
                           .ok = rgb(0x17753F),
                           .ok_tint = rgb(0xE2F2E8),
                           .warn = rgb(0x8F5F00),
                           .warn_tint = rgb(0xF8EED6),
                           .bad = rgb(0xBE322D),
                           .bad_tint = rgb(0xFAE5E3),
                           .category = {rgb(0x0072B2), rgb(0xD55E00), rgb(0x009E73), rgb(0xCC79A7),
                                        rgb(0xE69F00), rgb(0x56B4E9)},
                           .neutral = rgb(0x8E949E),
                           .code_keyword = rgb(0x7A3AA8),
                           .code_type = rgb(0x0F6F66),
                           .code_cuda = rgb(0x1F5FA8),
                           .code_number = rgb(0x8F5300),
                           .code_string = rgb(0x3F7218),
                           .code_comment = rgb(0x656971),
                           .code_directive = rgb(0xA03A55),
                           .dark = false};
  return theme;
}

const Theme& contrast_theme() {
  static const Theme theme = [] {
    Theme made = dark_theme();
    made.name = "contrast";
    made.s0 = made.s1 = made.s2 = rgb(0x000000);
    made.s3 = rgb(0x1A1A1A);
    made.s4 = rgb(0x404040);
    made.s5 = rgb(0x5C5C5C);
    made.line = rgb(0x8C8C8C);
    made.t1 = made.t2 = made.t3 = rgb(0xFFFFFF);
    made.t4 = rgb(0xB8B8B8);
    made.accent = rgb(0xFFD400);
    made.accent_tint = rgb(0x3A3000);
    made.accent_text = rgb(0xFFE566);
    made.on_accent = rgb(0x000000);
    made.ok = rgb(0x6BFFA6);
    made.ok_tint = rgb(0x00351B);
    made.warn = rgb(0xFFC24D);
    made.warn_tint = rgb(0x402C00);
    made.bad = rgb(0xFF8A8A);
    made.bad_tint = rgb(0x4A0E0E);
    made.neutral = rgb(0xB8B8B8);
    made.outline = made.t1;
    made.code_comment = rgb(0xD0D0D0);
    return made;
  }();
  return theme;
}

const Theme& theme_named(std::string_view name) {
  return name == "light" ? light_theme() : name == "contrast" ? contrast_theme() : dark_theme();
}

Colour viridis(float position) {
  // Nine stops of Viridis (S. van der Walt, N. Smith, 2015), evenly spaced.
  static constexpr std::array<unsigned, 9> kStops{0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C,
                                                  0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};
  const float at = std::clamp(position, 0.0f, 1.0f) * (kStops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  return mix(rgb(kStops[low]), rgb(kStops[low + 1]), at - static_cast<float>(low));
}

namespace {
void apply_measures(ImGuiStyle& style) {
  style.WindowPadding = {0, 0};
  style.FramePadding = {10, 7};
  style.ItemSpacing = {8, 8};
  style.ItemInnerSpacing = {8, 4};
  style.WindowRounding = 0;
  style.ChildRounding = measure::kPanelRadius;
  style.PopupRounding = measure::kPanelRadius;
  style.FrameRounding = measure::kControlRadius;
  style.GrabRounding = 8;
  style.TabRounding = measure::kControlRadius;
  style.ScrollbarRounding = 4;
  style.ScrollbarSize = 12;
  style.ScrollbarPadding = 3;
  style.WindowBorderSize = style.ChildBorderSize = style.PopupBorderSize = style.FrameBorderSize =
      0;
  style.SeparatorTextBorderSize = 1;
  style.GrabMinSize = 16;
  style.DisabledAlpha = 0.5f;
  style.AntiAliasedLinesUseTex = true;
}
}  // namespace

void apply(const Theme& theme, ImGuiStyle& style) {
  apply_measures(style);
  const auto put = [&](ImGuiCol index, Colour colour) {
    style.Colors[index] = ImGui::ColorConvertU32ToFloat4(colour);
  };
  // Everything starts in a colour that nobody would overlook, so that a new ImGuiCol is set on
  // purpose.
  for (int i = 0; i < ImGuiCol_COUNT; ++i) put(i, rgb(0xFF00FF));
  const Colour clear = 0;
  put(ImGuiCol_Text, theme.t1);
  put(ImGuiCol_TextDisabled, theme.t4);
  put(ImGuiCol_TextLink, theme.accent);
  put(ImGuiCol_TextSelectedBg, fade(theme.accent, 0.35f));
  put(ImGuiCol_InputTextCursor, theme.accent);
  put(ImGuiCol_WindowBg, theme.s0);
  put(ImGuiCol_ChildBg, clear);
  put(ImGuiCol_PopupBg, theme.s3);
  put(ImGuiCol_Border, clear);
  put(ImGuiCol_BorderShadow, clear);
  put(ImGuiCol_FrameBg, theme.s3);
  put(ImGuiCol_FrameBgHovered, theme.s4);
  put(ImGuiCol_FrameBgActive, theme.s4);
  put(ImGuiCol_TitleBg, theme.s0);
  put(ImGuiCol_TitleBgActive, theme.s0);
  put(ImGuiCol_TitleBgCollapsed, theme.s0);
  put(ImGuiCol_MenuBarBg, theme.s0);
  put(ImGuiCol_ScrollbarBg, clear);
  put(ImGuiCol_ScrollbarGrab, theme.s4);
  put(ImGuiCol_ScrollbarGrabHovered, theme.s5);
  put(ImGuiCol_ScrollbarGrabActive, theme.s5);
  put(ImGuiCol_CheckMark, theme.accent);
  put(ImGuiCol_CheckboxSelectedBg, theme.s3);
  put(ImGuiCol_SliderGrab, theme.t1);
  put(ImGuiCol_SliderGrabActive, theme.accent);
  put(ImGuiCol_Button, theme.s3);
  put(ImGuiCol_ButtonHovered, theme.s4);
  put(ImGuiCol_ButtonActive, theme.s5);
  put(ImGuiCol_Header, theme.accent_tint);
  put(ImGuiCol_HeaderHovered, theme.s4);
  put(ImGuiCol_HeaderActive, theme.s5);
  put(ImGuiCol_Separator, theme.line);
  put(ImGuiCol_SeparatorHovered, theme.s5);
  put(ImGuiCol_SeparatorActive, theme.accent);
  put(ImGuiCol_ResizeGrip, clear);
  put(ImGuiCol_ResizeGripHovered, theme.s5);
  put(ImGuiCol_ResizeGripActive, theme.accent);
  put(ImGuiCol_Tab, clear);
  put(ImGuiCol_TabHovered, theme.s4);
  put(ImGuiCol_TabSelected, theme.s3);
  put(ImGuiCol_TabSelectedOverline, theme.accent);
  put(ImGuiCol_TabDimmed, clear);
  put(ImGuiCol_TabDimmedSelected, theme.s3);
  put(ImGuiCol_TabDimmedSelectedOverline, theme.s5);
  put(ImGuiCol_DockingPreview, fade(theme.accent, 0.5f));
  put(ImGuiCol_DockingEmptyBg, theme.s0);
  put(ImGuiCol_PlotLines, theme.category[0]);
  put(ImGuiCol_PlotLinesHovered, theme.accent);
  put(ImGuiCol_PlotHistogram, theme.category[0]);
  put(ImGuiCol_PlotHistogramHovered, theme.accent);
  put(ImGuiCol_TableHeaderBg, theme.s3);
  put(ImGuiCol_TableBorderStrong, theme.line);
  put(ImGuiCol_TableBorderLight, theme.line);
  put(ImGuiCol_TableRowBg, clear);
  put(ImGuiCol_TableRowBgAlt, clear);
  put(ImGuiCol_TreeLines, theme.line);
  put(ImGuiCol_DragDropTarget, theme.accent);
  put(ImGuiCol_DragDropTargetBg, clear);
  put(ImGuiCol_UnsavedMarker, theme.t3);
  put(ImGuiCol_NavCursor, theme.accent);
  put(ImGuiCol_NavWindowingHighlight, theme.accent);
  put(ImGuiCol_NavWindowingDimBg, fade(theme.s0, 0.6f));
  put(ImGuiCol_ModalWindowDimBg, fade(theme.s0, 0.6f));
}

}  // namespace warpbook::gui
