// What is worked out from an exhibit's data once and not in every frame: a tensor may have ten million elements.
#pragma once

#include <any>
#include <cstdint>
#include <map>
#include <utility>

namespace warpbook::gui {

class FigureCache {
 public:
  /// Begins a frame. Where `stamp` is another than before, exhibits may be others, and nothing is kept.
  void next_frame(std::uint64_t stamp) {
    if (stamp != stamp_ || kept_.size() > kMost) kept_.clear();
    stamp_ = stamp;
  }
  /// What `make` gives, called when it is not there yet. `of` is the data that it is made from, and lives until the stamp
  /// changes; `what` says what is made of it, and decides T.
  template <class T, class Make>
  const T& get(const void* of, std::uint64_t what, Make&& make) {
    std::any& kept = kept_[{of, what}];
    if (!kept.has_value()) kept = std::any(std::forward<Make>(make)());
    return *std::any_cast<T>(&kept);
  }

 private:
  static constexpr std::size_t kMost =
      1024;  ///< while a divider is dragged, each width makes its own
  std::map<std::pair<const void*, std::uint64_t>, std::any> kept_;
  std::uint64_t stamp_ = 0;
};

}  // namespace warpbook::gui
