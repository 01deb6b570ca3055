// Results that are computed from an exhibit's data once and not in every frame, because a tensor may have ten million
// elements.
#pragma once

#include <any>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace warpbook::gui {

/// Numbers that together decide a figure, as one for latest().
class FigureInputs {
 public:
  template <class... Numbers>
  explicit FigureInputs(Numbers... numbers) {
    (add(numbers), ...);
  }
  void add(std::uint64_t number) {
    mixed_ = (mixed_ ^ number) * 0x9E3779B97F4A7C15ull + (mixed_ >> 29);
  }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  void add(std::uint32_t number) { add(std::uint64_t{number}); }
  void add(bool number) { add(std::uint64_t{number}); }
  void add(float number) { add(std::uint64_t{std::bit_cast<std::uint32_t>(number)}); }
  void add(const void* of) {
    add(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(of)));
  }
  template <class T>
  void add(const std::optional<T>& number) {
    add(number.has_value());
    if (number) add(*number);
  }
  [[nodiscard]] std::uint64_t all() const { return mixed_; }

 private:
  std::uint64_t mixed_ = 0xCBF29CE484222325ull;
};

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
  /// As get(), but only the last one is kept, for as long as it was made from the same `inputs`, which tell apart what else
  /// decides it: a width, what the reader points at.
  template <class T, class Make>
  const T& latest(const void* of, std::uint64_t what, const FigureInputs& inputs, Make&& make) {
    std::any& kept = kept_[{of, what}];
    auto* last = std::any_cast<std::pair<std::uint64_t, T>>(&kept);
    if (!last || last->first != inputs.all()) {
      kept = std::pair<std::uint64_t, T>(inputs.all(), std::forward<Make>(make)());
      last = std::any_cast<std::pair<std::uint64_t, T>>(&kept);
    }
    return last->second;
  }

 private:
  /// While the divider is dragged, every width makes results of its own.
  static constexpr std::size_t kMost = 1024;
  std::map<std::pair<const void*, std::uint64_t>, std::any> kept_;
  std::uint64_t stamp_ = 0;
};

}  // namespace warpbook::gui
