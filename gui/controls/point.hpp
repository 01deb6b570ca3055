// What all panels do with mouse and keyboard: the thing pointed at is linked, a press pins it, and keys go on from there.
// Also small numbers that ImGui keeps for a panel from frame to frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// A thread of a launch by its linear indices.
Link link_to(std::uint64_t block, std::uint64_t thread);
/// Links the thing under the mouse; a press pins it.
void point_at(const Ui& ui, const Link& link, bool pressed);
void pin(const Ui& ui, const Link& link);

/// The last drawn item, which has the focus, uses these keys itself, so that they move neither the focus nor the page.
void own_keys(std::span<const ImGuiKey> keys);
/// Full stop and comma step to the number after and before `now`, modulo `count`. Nothing if neither key was pressed.
std::optional<std::uint64_t> stepped(std::uint64_t now, std::uint64_t count);

/// A number that ImGui keeps under `key` for the panel that is being drawn; `otherwise` if it keeps none.
std::uint64_t kept(const char* key, std::uint64_t otherwise);
void keep(const char* key, std::uint64_t number);

}  // namespace warpbook::gui
