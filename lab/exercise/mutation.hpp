// Small changes to a right program, one at a time: what a check ought to notice (mutation testing).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpbook::lab {

/// One change.
struct Mutation {
  std::uint32_t line = 0;  ///< where, from 1
  std::string was,
      now;  ///< the words that changed: "<", "<="; now is empty where something was left out
  std::string
      text;  ///< the line after the change, without indentation; what was left out is a comment there
  std::string source;  ///< the whole program after it
};

/// Which functions are changed: all, or those that run on the GPU (of a whole program, whose host code stays as it is).
enum class Mutated : std::uint8_t { all_functions, gpu_functions };

/// Of CUDA C++: every operator, number, index and guard inside functions is changed in turn, and every statement that
/// stores, waits or leaves a loop is left out in turn. Comments, strings and lines for the preprocessor stay as they are. Some of
/// the results do not compile, and some mean the same as before.
std::vector<Mutation> mutations_of(const std::string& source,
                                   Mutated mutated = Mutated::all_functions);

}  // namespace warpbook::lab
