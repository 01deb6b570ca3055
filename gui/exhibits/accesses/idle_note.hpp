// What is said below idle threads in the picture of accesses: their index, and the condition that sent them away.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "gui/controls/ui.hpp"
#include "gui/exhibits/accesses/thread_values.hpp"

namespace warpbook::gui {

struct IdleNote {
  std::optional<Guard> guard;
  std::map<std::uint32_t, std::string> index;  ///< by thread of the launch: "10"
  bool past_end = false;                       ///< all of them lie behind every array
};
/// Of the threads that stored nothing, by the source of the same report, worked out once. Nothing is known of accesses that
/// are not the book's newest.
const IdleNote& idle_note(const Ui& ui, const lab::AccessesExhibit& accesses);

/// The index of each thread in its column (middles in `columns`, by thread) at the height `index_row`, and in the box what is
/// known of the condition, as far as it has room.
void draw_idle_note(const Ui& ui, const IdleNote& note,
                    const std::map<std::uint32_t, float>& columns, float index_row, ImVec2 min,
                    ImVec2 max);

}  // namespace warpbook::gui
