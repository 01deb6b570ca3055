// A closer look at a tensor: some rows and columns of its planes, or one plane alone. Plain arithmetic.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/exhibits/tensor/tensor_picture.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// What of a tensor is looked at: the same rows and columns of every plane, or of one.
struct TensorRegion {
  std::optional<std::uint64_t> plane;  ///< none: all
  std::uint64_t row = 0, column = 0;   ///< the first
  std::uint64_t rows = 0, columns = 0;
  friend bool operator==(const TensorRegion&, const TensorRegion&) = default;
};

/// Where a reader looks: how close, from which row and column on, and at which plane. Any numbers: what is beyond the tensor is the
/// nearest that it has.
struct TensorLook {
  std::uint64_t steps = 0;  ///< closer: two of them show half as many rows and columns
  std::int64_t row = 0, column = 0;
  std::optional<std::uint64_t> plane;
  friend bool operator==(const TensorLook&, const TensorLook&) = default;
};

/// As far as one can go: some cells stay in sight. 0 where all are few enough to be read as they are.
std::uint64_t most_steps(const TensorPlanes& planes);
TensorRegion region_of(const TensorLook& look, const TensorPlanes& planes);
bool is_whole(const TensorRegion& region, const TensorPlanes& planes);

/// `steps` closer, or farther where it is negative. What is at `about` (shares of the region, from its upper left corner) stays there.
TensorLook closer(const TensorLook& look, const TensorPlanes& planes, std::int64_t steps,
                  const Point& about);
TensorLook moved_to(const TensorLook& look, const TensorPlanes& planes, std::int64_t row,
                    std::int64_t column);
/// Moved no farther than it takes for the element to be in sight; a look at one plane goes to the element's.
TensorLook showing(const TensorLook& look, const TensorPlanes& planes, std::uint64_t element);
/// The plane after (1) or before (-1) the one that is looked at; beyond the ends, all of them.
TensorLook at_next_plane(const TensorLook& look, const TensorPlanes& planes, int by);

/// The region as a tensor of its own; of one plane, as rows and columns.
TensorExhibit cut(const TensorExhibit& tensor, const TensorRegion& region);
/// Which element of the whole an element of what was cut is, and the other way round; none where it was not cut out.
std::uint64_t element_of_whole(const TensorPlanes& planes, const TensorRegion& region,
                               std::uint64_t element);
std::optional<std::uint64_t> element_of_region(const TensorPlanes& planes,
                                               const TensorRegion& region, std::uint64_t element);

}  // namespace warpbook::lab
