// A drawing of the reader's own, on a pad of 32 x 32 points.
#pragma once

#include <bitset>
#include <cstddef>
#include <filesystem>

#include "device/error.hpp"
#include "lab/model/picture.hpp"

namespace warpbook::lab {

/// Which points of the pad have ink. A place on the pad is given in points from its upper left corner, and may lie outside.
class Sketch {
 public:
  static constexpr std::size_t kSide = 32;
  struct Place {
    double x = 0, y = 0;
  };

  [[nodiscard]] bool at(std::size_t x, std::size_t y) const { return ink_[y * kSide + x]; }
  [[nodiscard]] bool empty() const { return ink_.none(); }
  void set(std::size_t x, std::size_t y, bool ink) { ink_[y * kSide + x] = ink; }
  /// Every point whose middle is at most half of `width` from the line gets ink, or loses it.
  void stroke(const Place& from, const Place& to, double width, bool ink);

  friend bool operator==(const Sketch&, const Sketch&) = default;

 private:
  std::bitset<kSide * kSide> ink_;
};

/// A picture as a drawing: scaled so that its longer side fills the pad, with the shorter one in the middle. Its ground is what most
/// of its edge has; what differs from that by more than half of the largest difference is ink, so it may be bright on dark or dark on
/// bright. `picture` is grey.
Sketch sketch_of(const Picture& picture);
/// The picture in a file. Error: file_unreadable.
device::Expected<Sketch> read_sketch(const std::filesystem::path& file);
/// The longest side of a picture that is looked at for a drawing.
inline constexpr std::uint64_t kSketchPictureSide = 8 * Sketch::kSide;

/// A drawing as a grey picture, white on black, each point of the pad `scale` x `scale` pixels.
Picture picture_of(const Sketch& sketch, std::uint64_t scale);

}  // namespace warpbook::lab
