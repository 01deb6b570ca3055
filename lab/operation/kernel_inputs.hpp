// Numbers for checks: the same for the same operation, parameter and size, on every machine.
#pragma once

#include "lab/operation/operation.hpp"
#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab {

enum class InputKind : std::uint8_t {
  integers,  ///< small, so that sums stay exact
  normal,    ///< mean 0, deviation 1, rounded to the type; integers where the type is one
  edges      ///< normal, led by the parameter's edge values, four times over
};
std::string_view name_of(InputKind kind);

struct MadeInputs {
  std::map<std::string, std::vector<std::byte>> bytes;  ///< by parameter
  Given given;                                          ///< the same numbers for the reference
};
/// Throws ExperimentFailed where a shape or a range cannot be evaluated.
MadeInputs make_inputs(const Operation& operation, const OperationCase& size, InputKind kind);

}  // namespace warpbook::lab
