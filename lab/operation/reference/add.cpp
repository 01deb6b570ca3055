#include <cmath>
#include <string>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {

namespace {

/// All of them: [n]
Truths sums(const Given& given, const std::string& first, const std::string& second,
            const std::string& result) {
  const std::vector<double>&x = given.input(first), &y = given.input(second);
  Truth out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    out.values.push_back(x[i] + y[i]);
    out.magnitudes.push_back(std::abs(x[i]) + std::abs(y[i]));
  }
  return {{result, out}};
}

}  // namespace

Truths add(const Given& given) { return sums(given, "x", "y", "out"); }

Truths accumulate(const Given& given) { return sums(given, "sum", "part", "sum_next"); }

}  // namespace warpbook::lab::reference
