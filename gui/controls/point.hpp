// What panels do alike with mouse and keyboard: what is pointed at is linked, a press pins it, keys go on from there; and a
// panel keeps what was chosen in it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// A thread of a launch by its linear numbers.
Link link_to(std::uint64_t block, std::uint64_t thread);
/// Links what the mouse is over; a press pins it.
void point_at(const Ui& ui, const Link& link, bool pressed);
void pin(const Ui& ui, const Link& link);

/// Keys of the item that was drawn last, which has the focus: they move neither the focus nor the page.
void own_keys(std::span<const ImGuiKey> keys);
/// Full stop and comma: the number after and before `now`, round `count` of them. Nothing where neither was pressed.
std::optional<std::uint64_t> stepped(std::uint64_t now, std::uint64_t count);

/// A number that ImGui keeps for the panel that is being drawn, under `key`.
std::uint64_t kept(const char* key, std::uint64_t otherwise);
void keep(const char* key, std::uint64_t number);

}  // namespace warpbook::gui
