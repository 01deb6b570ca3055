// The book's signature: one thing pointed at is marked wherever it appears. What is hovered shows;
// what is pinned stays.
#pragma once

#include <cstdint>
#include <optional>

namespace warpbook::gui {

/// What is linked: a thread, the element it was reached by, a line of source, one of the lines of PTX
/// that stem from it; any of them may be unknown.
struct Link {
  struct Thread {
    std::uint32_t block = 0, thread = 0;  ///< linear
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

/// What is linked now. Hovering is told anew every frame and holds for the next one.
class LinkState {
 public:
  void hover(const Link& link) { coming_ = link; }
  /// Pins what is given; the same once more lets go.
  void pin(const Link& link) { pinned_ = pinned_ == link ? Link{} : link; }
  void unpin() { pinned_ = {}; }
  /// Ends the frame: what was hovered in it is shown in the next. True where that changed.
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
