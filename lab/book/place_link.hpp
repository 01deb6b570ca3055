// A place of the book as slides and messages name it: "coalescing?stride=8&step=compare".
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "device/error.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lab {

struct PlaceLink {
  std::string chapter;  ///< slug
  std::map<std::string, std::string>
      values;        ///< by parameter, as text; the others are at their defaults
  std::string step;  ///< empty: the chapter's start
  std::string gpu;   ///< empty: as the reader has it
  friend bool operator==(const PlaceLink&, const PlaceLink&) = default;
};

/// Reads a link; what is no letter, digit or one of -_.~/ may be written as %XX. Error: a part without "=".
device::Expected<PlaceLink> place_link_of(std::string_view text);
/// Writes one that place_link_of() reads.
std::string text_of(const PlaceLink& link);
/// The link to these inputs of a chapter at a step: the parameters that differ from the defaults, and the GPU if it is not
/// the usual one. Sources are not part of a link.
PlaceLink place_link(const Lesson& lesson, const Inputs& inputs, const std::string& step);

}  // namespace warpbook::lab
