#include <cmath>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {

/// x, y, out: [n]
Truths add(const Given& given) {
  const std::vector<double>&x = given.input("x"), &y = given.input("y");
  Truth out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    out.values.push_back(x[i] + y[i]);
    out.magnitudes.push_back(std::abs(x[i]) + std::abs(y[i]));
  }
  return {{"out", out}};
}

}  // namespace warpbook::lab::reference
