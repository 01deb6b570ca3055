#include <cmath>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {

/// x, out: [n]
Truths scan(const Given& given) {
  Truth out;
  double sum = 0, magnitude = 0;
  for (const double value : given.input("x")) {
    out.values.push_back(sum += value);
    out.magnitudes.push_back(magnitude += std::abs(value));
  }
  return {{"out", out}};
}

}  // namespace warpbook::lab::reference
