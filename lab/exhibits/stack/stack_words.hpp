// What the renderers of a stack share: its words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits/stack/stack.hpp"

namespace warpbook::lab {

std::string state_key(StackExhibit::State state);
/// "does not fit: cuDNN 9 was built for ...".
std::string fit_text(const StackExhibit::Fit& fit, const Strings& strings);
/// Why a part is not here or cannot be used; empty where it can.
std::string problem_of(const StackExhibit::Part& part, const Strings& strings);
/// Of a part by its id; the id itself where there is no such part.
std::string name_of_part(const StackExhibit& stack, std::string_view id, const Strings& strings);

/// The parts of one side, in their order.
struct StackSide {
  StackExhibit::Side side = StackExhibit::Side::compile;
  std::vector<const StackExhibit::Part*> parts;
};
/// Those sides that have a part.
std::vector<StackSide> sides_of(const StackExhibit& stack);

}  // namespace warpbook::lab
