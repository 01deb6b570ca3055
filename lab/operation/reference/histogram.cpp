#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {

/// x: [n], values below bins; out: [bins]
Truths histogram(const Given& given) {
  Truth out;
  out.values.resize(static_cast<std::size_t>(given.size("bins")));
  for (const double value : given.input("x")) out.values.at(static_cast<std::size_t>(value)) += 1;
  return {{"out", out}};
}

}  // namespace warpbook::lab::reference
