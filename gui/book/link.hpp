// Linked marking: whatever the reader points at (a thread, an element, a line) is marked in every view that shows it.
// Hovering marks it for as long as the mouse is there; a press pins it until it is released.
#pragma once

#include <cstdint>
#include <optional>

namespace warpbook::gui {

/// What is linked: a thread, the array element through which the reader pointed at it, a line of source, and one of the
/// lines of PTX compiled from it. Any of them may be unknown.
struct Link {
  struct Thread {
    std::uint32_t block = 0, thread = 0;  ///< linear indices
    friend bool operator==(const Thread&, const Thread&) = default;
  };
  struct Element {
    std::uint32_t array = 0;  ///< index into the accesses exhibit's arrays
    std::int64_t index = 0;
    friend bool operator==(const Element&, const Element&) = default;
  };
  std::optional<Thread> thread;
  std::optional<Element> element;
  std::optional<std::uint32_t> line, ptx_line;
  [[nodiscard]] bool empty() const { return !thread && !element && !line && !ptx_line; }
  friend bool operator==(const Link&, const Link&) = default;
};

/// The current link. Views report hovering anew in every frame, and the report counts in the next frame.
class LinkState {
 public:
  void hover(const Link& link) { coming_ = link; }
  /// Pins a link; the same link once more releases it.
  void pin(const Link& link) { pinned_ = pinned_ == link ? Link{} : link; }
  void unpin() { pinned_ = {}; }
  /// Ends the frame: what was hovered in it is marked in the next one. True if that changed.
  bool next_frame() {
    const bool changed = hovered_ != coming_;
    hovered_ = coming_;
    coming_ = {};
    return changed;
  }
  [[nodiscard]] const Link& current() const { return hovered_.empty() ? pinned_ : hovered_; }
  [[nodiscard]] const Link& pinned() const { return pinned_; }

 private:
  Link pinned_, hovered_, coming_;
};

}  // namespace warpbook::gui
