// What reads its operands by their strides, and the gradient of what was repeated.
#include <array>
#include <cmath>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {
namespace {

using Four = std::array<std::int64_t, 4>;

/// The scalars PREFIX0 to PREFIX3.
Four four(const Given& given, const std::string& prefix) {
  return {given.size(prefix + "0"), given.size(prefix + "1"), given.size(prefix + "2"),
          given.size(prefix + "3")};
}

std::int64_t place(const Four& index, const Four& strides) {
  std::int64_t at = 0;
  for (std::size_t axis = 0; axis < 4; ++axis) at += index[axis] * strides[axis];
  return at;
}

template <class Visit>
void for_each_index(const Four& extents, Visit&& visit) {
  Four i{};
  for (i[0] = 0; i[0] < extents[0]; ++i[0])
    for (i[1] = 0; i[1] < extents[1]; ++i[1])
      for (i[2] = 0; i[2] < extents[2]; ++i[2])
        for (i[3] = 0; i[3] < extents[3]; ++i[3]) visit(i);
}

template <class Combine>
Truths elementwise(const Given& given, Combine&& combine) {
  const std::vector<double>&x = given.input("x"), &y = given.input("y");
  Truth out;
  for_each_index(four(given, "d"), [&](const Four& index) {
    out.values.push_back(combine(x[static_cast<std::size_t>(place(index, four(given, "x")))],
                                 y[static_cast<std::size_t>(place(index, four(given, "y")))]));
  });
  return {{"out", out}};
}

}  // namespace

/// out: [d0][d1][d2][d3]
Truths strided_copy(const Given& given) {
  const std::vector<double>& x = given.input("x");
  Truth out;
  for_each_index(four(given, "d"), [&](const Four& index) {
    out.values.push_back(x[static_cast<std::size_t>(place(index, four(given, "x")))]);
  });
  return {{"out", out}};
}

Truths broadcast_add(const Given& given) {
  return elementwise(given, [](double x, double y) { return x + y; });
}
Truths broadcast_multiply(const Given& given) {
  return elementwise(given, [](double x, double y) { return x * y; });
}

/// dy: [d0][d1][d2][d3], out: [k0][k1][k2][k3]
Truths broadcast_backward(const Given& given) {
  const std::vector<double>& dy = given.input("dy");
  const Four kept = four(given, "k");
  const auto count = static_cast<std::size_t>(kept[0] * kept[1] * kept[2] * kept[3]);
  Truth out{std::vector<double>(count), std::vector<double>(count), 0};
  std::size_t from = 0;
  for_each_index(four(given, "d"), [&](const Four& index) {
    std::int64_t at = 0;
    for (std::size_t axis = 0; axis < 4; ++axis)
      at = at * kept[axis] + (kept[axis] == 1 ? 0 : index[axis]);
    out.values[static_cast<std::size_t>(at)] += dy[from];
    out.magnitudes[static_cast<std::size_t>(at)] += std::abs(dy[from++]);
  });
  return {{"out", out}};
}

}  // namespace warpbook::lab::reference
