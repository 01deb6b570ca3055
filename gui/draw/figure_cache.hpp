// Results that are computed from an exhibit's data once and not in every frame, because a tensor may have ten million
// elements.
#pragma once

#include <any>
#include <cstdint>
#include <map>
#include <utility>

namespace warpbook::gui {

class FigureCache {
 public:
  /// Begins a frame. If `stamp` has changed, so may have the exhibits, and everything is forgotten.
  void next_frame(std::uint64_t stamp) {
    if (stamp != stamp_ || kept_.size() > kMost) kept_.clear();
    stamp_ = stamp;
  }
  /// The result of `make`, which is called if there is none yet. `of` is the data that it is made from, and must live until
  /// the stamp changes; `what` says which result it is, and determines T.
  template <class T, class Make>
  const T& get(const void* of, std::uint64_t what, Make&& make) {
    std::any& kept = kept_[{of, what}];
    if (!kept.has_value()) kept = std::any(std::forward<Make>(make)());
    return *std::any_cast<T>(&kept);
  }

 private:
  /// While the divider is dragged, every width makes results of its own.
  static constexpr std::size_t kMost = 1024;
  std::map<std::pair<const void*, std::uint64_t>, std::any> kept_;
  std::uint64_t stamp_ = 0;
};

}  // namespace warpbook::gui
