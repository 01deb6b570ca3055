#include <cmath>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {

/// x: [n], out: [1]
Truths reduction(const Given& given) {
  double sum = 0, magnitude = 0;
  for (const double value : given.input("x")) {
    sum += value;
    magnitude += std::abs(value);
  }
  return {{"out", {{sum}, {magnitude}, 0}}};
}

}  // namespace warpbook::lab::reference
