#include "gui/controls/widgets.hpp"

#include <algorithm>
#include <cmath>

#include <imgui_internal.h>
#include <imgui_stdlib.h>

namespace warpbook::gui {
namespace {
constexpr float kButtonPadding = 12, kTipWidth = 360, kTipPadding = 10;

Type button_type(const Ui& ui, const ButtonLook& look) {
  const bool primary = look.kind == ButtonKind::primary;
  return {primary ? Face::bold : Face::sans, look.height < 30 ? 14.0f : 15.0f,
          primary ? ui.theme.on_accent : ui.theme.t1};
}
Type key_type(const Ui& ui, const ButtonLook& look) {
  return {look.kind == ButtonKind::primary ? Face::bold : Face::sans, 12,
          look.kind == ButtonKind::primary ? fade(ui.theme.on_accent, 0.75f) : ui.theme.t3};
}
}  // namespace

bool item(const char* id, ImVec2 min, ImVec2 max) {
  ImGui::SetCursorScreenPos(min);
  return ImGui::InvisibleButton(id, {std::max(1.0f, max.x - min.x), std::max(1.0f, max.y - min.y)},
                                ImGuiButtonFlags_EnableNav);
}

void tip(const Ui& ui, std::string_view sentence) {
  if (sentence.empty() ||
      !ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort | ImGuiHoveredFlags_ForTooltip))
    return;
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  constexpr float kLine = 40, kAway = 4;
  // The focus goes down the page: above the item stands what it has been to, below what it will come to.
  if (!ImGui::IsMouseHoveringRect(min, max) && min.y > kLine + kAway) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float right = viewport.Pos.x + viewport.Size.x - kTipWidth - 2 * kTipPadding;
    ImGui::SetNextWindowPos({std::min(min.x, right), min.y - kAway}, ImGuiCond_Always, {0, 1});
  }
  show_tip(ui, sentence);
}

void show_tip(const Ui& ui, std::string_view sentence) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kTipPadding, 7));
  if (ImGui::BeginTooltip()) {
    ImGui::PushFont(ui.fonts.face(Face::sans), 14);
    ImGui::PushTextWrapPos(kTipWidth);
    ImGui::TextUnformatted(sentence.data(), sentence.data() + sentence.size());
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

float button_width(const Ui& ui, std::string_view label, const ButtonLook& look) {
  const Ink ink = ui.ink();
  float width = 2 * kButtonPadding + ink.width(button_type(ui, look), label);
  if (look.icon) width += label.empty() ? 16.0f : 24.0f;
  if (!look.keys.empty()) width += 10 + ink.width(key_type(ui, look), look.keys);
  return std::ceil(width);
}

bool button(const Ui& ui, const char* id, ImVec2 corner, std::string_view label,
            const ButtonLook& look, float width) {
  const Ink ink = ui.ink();
  if (width == 0) width = button_width(ui, label, look);
  const ImVec2 end{corner.x + width, corner.y + look.height};
  ImGui::BeginDisabled(look.disabled);
  const bool pressed = item(id, corner, end);
  const bool hovered = ImGui::IsItemHovered() && !look.disabled, held = ImGui::IsItemActive();
  const float lit = ui.motion.to(ImGui::GetItemID(), hovered ? 1 : 0);
  ImGui::EndDisabled();
  Type type = button_type(ui, look);
  switch (look.kind) {
    case ButtonKind::primary:
      ink.fill(corner, end,
               held ? mix(ui.theme.accent, ui.theme.s0, 0.15f)
                    : mix(ui.theme.accent, ui.theme.t1, 0.15f * lit),
               measure::kControlRadius);
      break;
    case ButtonKind::plain:
      ink.fill(corner, end,
               look.chosen ? ui.theme.accent_tint
               : held      ? ui.theme.s5
                           : mix(ui.theme.s3, ui.theme.s4, lit),
               measure::kControlRadius);
      if (look.chosen) type.colour = ui.theme.accent_text;
      break;
    case ButtonKind::quiet:
      ink.fill(corner, end, fade(ui.theme.s3, lit), measure::kControlRadius);
      type.colour = mix(ui.theme.t2, ui.theme.t1, lit);
      break;
  }
  if (look.disabled) type.colour = ui.theme.t4;
  const float middle = (corner.y + end.y) / 2;
  float x = corner.x + (width - button_width(ui, label, look)) / 2 + kButtonPadding;
  if (look.icon) {
    ink.icon(*look.icon, {x + 7, middle}, look.icon_colour ? look.icon_colour : type.colour, 14);
    x += 24;
  }
  ink.text_middle(x, middle, type, label);
  if (!look.keys.empty())
    ink.text_middle(end.x - kButtonPadding, middle, key_type(ui, look), look.keys, Align::right);
  return pressed && !look.disabled;
}

bool icon_button(const Ui& ui, const char* id, ImVec2 corner, Icon icon, std::string_view says,
                 float size) {
  const Ink ink = ui.ink();
  const ImVec2 end{corner.x + size, corner.y + size};
  const bool pressed = item(id, corner, end);
  const bool hovered = ImGui::IsItemHovered();
  const float lit = ui.motion.to(ImGui::GetItemID(), hovered ? 1 : 0);
  ink.fill(corner, end, fade(ui.theme.s3, lit), measure::kControlRadius);
  ink.icon(icon, {corner.x + size / 2, corner.y + size / 2}, mix(ui.theme.t2, ui.theme.t1, lit),
           15);
  tip(ui, says);
  return pressed;
}

bool toggle(const Ui& ui, const char* id, ImVec2 corner, std::string_view label, bool on) {
  const Ink ink = ui.ink();
  const float width = 12 + 28 + 8 + ink.width(ui.label(), label) + 12;
  const ImVec2 end{corner.x + width, corner.y + measure::kButton};
  const bool pressed = item(id, corner, end);
  ink.fill(corner, end, ImGui::IsItemHovered() ? ui.theme.s3 : ui.theme.s2,
           measure::kControlRadius);
  const float middle = (corner.y + end.y) / 2, left = corner.x + 12;
  const float at = ui.motion.to(ImGui::GetItemID(), on ? 1 : 0);
  ink.fill({left, middle - 7}, {left + 28, middle + 7}, mix(ui.theme.s5, ui.theme.accent, at), 7);
  ink.list()->AddCircleFilled({left + 7 + 14 * at, middle}, 5,
                              mix(ui.theme.t2, ui.theme.on_accent, at));
  ink.text_middle(left + 36, middle, ui.label(), label);
  return pressed;
}

namespace {
std::string badge_word(const Ui& ui, const device::Evidence& evidence) {
  return ui.tr("evidence." + std::string(device::name_of(evidence.kind)));
}
}  // namespace

float badge_width(const Ui& ui, const device::Evidence& evidence) {
  return 8 + 14 + 5 + ui.ink().width(ui.badge(), badge_word(ui, evidence)) + 9;
}

float badge(const Ui& ui, float right, float middle, const device::Evidence& evidence) {
  const Ink ink = ui.ink();
  const std::string word = badge_word(ui, evidence);
  Type type = ui.badge();
  const float width = badge_width(ui, evidence), half = measure::kBadge / 2;
  const ImVec2 min{std::round(right - width), middle - half}, max{std::round(right), middle + half};
  Icon icon = Icon::hash;
  switch (evidence.kind) {
    case device::EvidenceKind::measured:
      ink.fill(min, max, ui.theme.t2, half);
      type.colour = ui.theme.dark ? ui.theme.on_accent : ui.theme.s2;
      icon = Icon::clock;
      break;
    case device::EvidenceKind::counted: ink.fill(min, max, ui.theme.s4, half); break;
    case device::EvidenceKind::estimated:
      ink.dashed_outline(min, max, ui.theme.t3, half);
      icon = Icon::approx;
      break;
    case device::EvidenceKind::recorded:
      ink.outline(min, max, ui.theme.s5, half);
      icon = Icon::dot_ring;
      break;
    case device::EvidenceKind::reported:
      ink.outline(min, max, ui.theme.s5, half);
      icon = Icon::speech;
      break;
    case device::EvidenceKind::published:
      ink.outline(min, max, ui.theme.s5, half);
      icon = Icon::list;
      break;
  }
  ink.icon(icon, {min.x + 14, middle}, type.colour, 12);
  ink.text_middle(min.x + 24, middle, type, word);
  if (ImGui::IsMouseHoveringRect(min, max) && ImGui::IsWindowHovered()) {
    std::string sentence = ui.tr("gui.badge." + std::string(device::name_of(evidence.kind)),
                                 {{"device", evidence.on}});
    if (!evidence.when.empty()) sentence += " " + evidence.when;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10, 7));
    if (ImGui::BeginTooltip()) {
      ImGui::PushFont(ui.fonts.face(Face::sans), 14);
      ImGui::TextUnformatted(sentence.c_str());
      ImGui::PopFont();
      ImGui::EndTooltip();
    }
    ImGui::PopStyleVar();
  }
  return width;
}

void progress_bar(const Ui& ui, ImVec2 corner, float width, float fraction) {
  const Ink ink = ui.ink();
  ink.fill(corner, {corner.x + width, corner.y + 4}, ui.theme.s4, 2);
  const float done = std::clamp(fraction, 0.02f, 1.0f) * width;
  ink.fill(corner, {corner.x + done, corner.y + 4}, ui.theme.accent, 2);
}

void fitted_text(const Ui& ui, float x, float baseline, const Type& type, std::string_view text,
                 float width) {
  const Ink ink = ui.ink();
  const std::string shown = ink.fitted(type, text, width);
  ink.text(x, baseline, type, shown);
  if (shown.size() != text.size() && ImGui::IsWindowHovered() &&
      ImGui::IsMouseHoveringRect({x, baseline - type.size}, {x + width, baseline + 4})) {
    show_tip(ui, text);
  }
}

void text_box(const Fonts& fonts, const char* id, ImVec2 corner, float width, const TextBox& look,
              const std::string& hint, std::string& text, ImGuiInputTextFlags flags) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImDrawListFlags flags_before = list.Flags;
  // ImGui would move the text to whole points, which lie between pixels where a point is one and a half.
  list.Flags |= ImDrawListFlags_TextNoPixelSnap;
  ImGui::SetCursorScreenPos({onto_pixel(corner.x), onto_pixel(corner.y)});
  ImGui::SetNextItemWidth(width);
  ImGui::PushFont(fonts.face(look.face), look.size);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(onto_pixel(look.padding.x), onto_pixel(look.padding.y)));
  ImGui::InputTextWithHint(id, hint.c_str(), &text, flags);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  list.Flags = flags_before;
}

void ground(const Ui& ui, ImVec2 min, ImVec2 max, Colour fill, float radius) {
  const Ink ink = ui.ink();
  ink.fill(min, max, fill, radius);
  if (ui.theme.outline) ink.outline(min, max, ui.theme.outline, radius);
}

float panel(const Ui& ui, ImVec2 corner, float width, float height, const PanelHeader& header) {
  const Ink ink = ui.ink();
  ground(ui, corner, {corner.x + width, corner.y + height}, ui.theme.s2);
  const float middle = corner.y + measure::kPanelHeader / 2;
  Type title = ui.label_bold();
  if (header.mono_title) title = ui.code(ui.theme.t1);
  const float x = corner.x + measure::kPadding;
  constexpr float kBadgeRoom = 140;  // of the widest badge; what surely fits is not measured
  const float room = width - 2 * measure::kPadding - header.right;
  const bool fits = static_cast<float>(header.title.size()) * title.size * 0.75f <=
                    room - (header.evidence ? kBadgeRoom : 0);
  if (fits && header.subtitle.empty()) {
    ink.text_middle(x, middle, title, header.title);
  } else {
    const float beside = header.evidence ? badge_width(ui, *header.evidence) + 8 : 0,
                taken = ink.label(x, middle, title, header.title, room - beside) + 10;
    if (!header.subtitle.empty())
      ink.label(x + taken, middle, ui.note(), header.subtitle, room - beside - taken);
  }
  if (header.evidence)
    badge(ui, corner.x + width - measure::kPadding - header.right, middle, *header.evidence);
  return corner.y + measure::kPanelHeader;
}

}  // namespace warpbook::gui
