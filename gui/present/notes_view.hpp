// What the lecturer alone needs to see: the clock and the plan, what the class is expected to answer, how it has voted, and what
// comes next.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "gui/book/presentation.hpp"
#include "gui/controls/ui.hpp"
#include "gui/document/flow.hpp"

namespace warpbook::gui {

class NotesView {
 public:
  /// Fills `size`, and scrolls where that is too little. `votes`: the file of earlier classes' votes.
  void draw(const Ui& ui, const Presentation& lecture, const std::filesystem::path& votes,
            ImVec2 corner, ImVec2 size);
  /// The other plan of the chapter's notes.
  void next_plan() { ++plan_; }

 private:
  /// Each sets one part of the notes below what is there already.
  void set_clock(Flow& flow, const Presentation& lecture) const;
  void set_now(Flow& flow, const Presentation& lecture);
  void set_expected(Flow& flow, const Presentation& lecture) const;
  void set_votes(Flow& flow, const Presentation& lecture, const std::filesystem::path& votes);
  void set_plan(Flow& flow, const Presentation& lecture) const;
  void set_section(Flow& flow, const lab::TeachingNotes& notes) const;

  std::size_t plan_ = 1;  ///< counts on; the notes have it modulo their plans: first the long one
  std::uint64_t read_for_ = 0;  ///< the screen for which the earlier votes were read
  std::array<std::optional<EarlierVote>, 2> earlier_;
  FlowShared shared_;
};

}  // namespace warpbook::gui
