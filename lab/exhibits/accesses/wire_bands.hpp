// The picture of more threads or elements than have columns of their own: the launch is one bar in its blocks, each array is
// one, and of the wires between them so many are drawn as can be told apart. Thread i stands above element i where both have
// room at one scale, so what goes astray leans. Where an array's elements are few, each has a cell with its value. A thread or
// an element that is linked is drawn by itself on top.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/exhibits/accesses/wire_picture.hpp"

namespace warpbook::lab {

struct WireBands {
  WireBands(const AccessesExhibit& accesses, double width);

  WirePlan plan;              ///< of all wires; its columns are not used
  std::uint64_t threads = 0;  ///< of the launch
  std::int64_t elements = 0;  ///< of the longest array
  std::vector<std::int64_t> before,
      after;  ///< elements outside of all arrays that were touched, rising
  double width = 0, height = 0;
  bool one_scale = false;  ///< thread i stands above element i

  /// The left end of a thread; the left and right ends of an element, which may be one outside.
  [[nodiscard]] double thread_x(double thread) const;
  [[nodiscard]] double element_x(std::int64_t element) const;
  [[nodiscard]] double element_end(std::int64_t element) const;
  /// What is at x.
  [[nodiscard]] std::uint32_t thread_at(double x) const;
  [[nodiscard]] std::int64_t element_at(double x) const;

 private:
  double left_ = 0, right_ = 0;              ///< of the arrays, without what is outside of them
  double per_thread_ = 1, per_element_ = 1;  ///< points
};

/// Whether a row of `most` columns has no room for all threads, or for all elements.
bool has_more_than(const AccessesExhibit& accesses, std::size_t most);

/// Its items {"thread-bar"} and {"element-bar", array} can be pointed at.
Drawing drawing_of(const AccessesExhibit& accesses, const WireBands& bands, const WireState& state,
                   const Canvas& canvas);

}  // namespace warpbook::lab
