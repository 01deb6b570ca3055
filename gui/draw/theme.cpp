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
  return rgb(lab::mixed(hex(under), hex(over), static_cast<double>(share)));
}

Colour Theme::cell(std::size_t index, bool hovered) const {
  return mix(s2, category[index % category.size()], hovered ? 0.85f : 0.34f);
}

Colour Theme::of(const lab::Paint& paint) const {
  const auto role = paint.role();
  return fade(rgb(role ? lab::colour_in(palette, *role) : paint.colour()), paint.opacity());
}

namespace {
Theme theme_of(std::string_view name, lab::PaletteTheme theme) {
  using lab::Role;
  const auto made = [&](Role role) { return rgb(lab::colour_in(theme, role)); };
  return {.name = name,
          .palette = theme,
          .s0 = made(Role::s0),
          .s1 = made(Role::s1),
          .s2 = made(Role::s2),
          .s3 = made(Role::s3),
          .s4 = made(Role::s4),
          .s5 = made(Role::s5),
          .line = made(Role::line),
          .t1 = made(Role::t1),
          .t2 = made(Role::t2),
          .t3 = made(Role::t3),
          .t4 = made(Role::t4),
          .accent = made(Role::accent),
          .accent_tint = made(Role::accent_tint),
          .accent_text = made(Role::accent_text),
          .on_accent = made(Role::on_accent),
          .ok = made(Role::ok),
          .ok_tint = made(Role::ok_tint),
          .warn = made(Role::warn),
          .warn_tint = made(Role::warn_tint),
          .bad = made(Role::bad),
          .bad_tint = made(Role::bad_tint),
          .category = {made(Role::category_0), made(Role::category_1), made(Role::category_2),
                       made(Role::category_3), made(Role::category_4), made(Role::category_5)},
          .neutral = made(Role::neutral),
          .outline = theme == lab::PaletteTheme::contrast ? made(Role::t1) : 0,
          .code_keyword = made(Role::code_keyword),
          .code_type = made(Role::code_type),
          .code_cuda = made(Role::code_cuda),
          .code_number = made(Role::code_number),
          .code_string = made(Role::code_string),
          .code_comment = made(Role::code_comment),
          .code_directive = made(Role::code_directive),
          .dark = theme != lab::PaletteTheme::light};
}
}  // namespace

const Theme& dark_theme() {
  static const Theme theme = theme_of("dark", lab::PaletteTheme::dark);
  return theme;
}

const Theme& light_theme() {
  static const Theme theme = theme_of("light", lab::PaletteTheme::light);
  return theme;
}

const Theme& contrast_theme() {
  static const Theme theme = theme_of("contrast", lab::PaletteTheme::contrast);
  return theme;
}

const Theme& theme_named(std::string_view name) {
  return name == "light" ? light_theme() : name == "contrast" ? contrast_theme() : dark_theme();
}

Colour viridis(float position) { return rgb(lab::sequence_colour(static_cast<double>(position))); }

Colour text_on(Colour fill) { return rgb(lab::ink_on(hex(fill))); }

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
