#include "gui/controls/point.hpp"

#include <algorithm>

#include <imgui_internal.h>

namespace warpbook::gui {

Link link_to(std::uint64_t block, std::uint64_t thread) {
  Link link;
  link.thread = Link::Thread{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(thread)};
  return link;
}

void point_at(const Ui& ui, const Link& link, bool pressed) {
  ui.post([link](Book& book) { book.link.hover(link); });
  if (pressed) pin(ui, link);
}

void pin(const Ui& ui, const Link& link) {
  ui.post([link](Book& book) { book.link.pin(link); });
}

void own_keys(std::span<const ImGuiKey> keys) {
  // The public SetItemKeyOwner() serves hovered and pressed items alone.
  for (const ImGuiKey key : keys) ImGui::SetKeyOwner(key, ImGui::GetItemID());
}

std::optional<std::uint64_t> stepped(std::uint64_t now, std::uint64_t count) {
  const bool forth = ImGui::IsKeyPressed(ImGuiKey_Period),
             back = ImGui::IsKeyPressed(ImGuiKey_Comma);
  if (count == 0 || (!forth && !back)) return {};
  return (now + (forth ? 1 : count - 1)) % count;
}

std::uint64_t kept(const char* key, std::uint64_t otherwise) {
  const int number =
      ImGui::GetStateStorage()->GetInt(ImGui::GetID(key), static_cast<int>(otherwise));
  return static_cast<std::uint64_t>(std::max(0, number));
}

void keep(const char* key, std::uint64_t number) {
  ImGui::GetStateStorage()->SetInt(ImGui::GetID(key), static_cast<int>(number));
}

}  // namespace warpbook::gui
