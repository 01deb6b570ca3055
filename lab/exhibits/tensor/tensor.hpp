// The numbers in a tensor: exact values, and what its sentence and its pictures need to know of all of them at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lab/model/exhibits.hpp"

namespace warpbook::lab {

/// Element `index` without loss, whatever its type: a long double holds every 64-bit integer.
long double exact_element(const TensorExhibit& tensor, std::uint64_t index);
/// Elements that the data really holds: count(), less where the data is too short for the shape.
std::uint64_t held(const TensorExhibit& tensor);
/// "automatic", "table", "plot", "heat", "image".
std::string_view name_of(TensorExhibit::View view);
bool is_wrong(const TensorExhibit& tensor, std::uint64_t index);
/// "4", "3 x 4"; "0" where there are no dimensions but also no data.
std::string shape_text(const TensorExhibit& tensor);

struct TensorRange {
  bool any_finite = false;
  std::uint64_t lowest = 0, highest = 0;  ///< indices of the least and the greatest finite element
  std::uint64_t not_finite = 0;           ///< elements that are NaN or infinite
  std::uint64_t first_not_finite = 0;
};
TensorRange range_of(const TensorExhibit& tensor);

}  // namespace warpbook::lab
