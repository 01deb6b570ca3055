// A closer look at a tensor: where it leads, that it stays within the tensor, and that what is cut out is the tensor's own.
#include "lab/exhibits/tensor/tensor_region.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::lab::tensor_region_test {
namespace {

/// Bytes that count up.
TensorExhibit counting(std::vector<std::uint64_t> shape) {
  TensorExhibit made{"t", device::ElementType::u8, std::move(shape), {}, {}};
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : made.shape) elements *= extent;
  for (std::uint64_t i = 0; i < elements; ++i) made.data.push_back(static_cast<std::byte>(i % 251));
  return made;
}

constexpr TensorPlanes kStack{3, 40, 64};

}  // namespace

TEST_CASE("Closer: two steps show half as many rows and columns, and back again all") {
  const TensorLook two = closer({}, kStack, 2, {0.5, 0.5});
  const TensorRegion region = region_of(two, kStack);
  CHECK(region.rows == 20);
  CHECK(region.columns == 32);
  CHECK(region.row == 10);
  CHECK(region.column == 16);
  CHECK(is_whole(region_of(closer(two, kStack, -2, {0, 0}), kStack), kStack));
}

TEST_CASE("Closer: what the mouse is over stays there") {
  const TensorRegion left = region_of(closer({}, kStack, 2, {0, 0}), kStack),
                     right = region_of(closer({}, kStack, 2, {1, 1}), kStack);
  CHECK(left.row == 0);
  CHECK(left.column == 0);
  CHECK(right.row + right.rows == kStack.rows);
  CHECK(right.column + right.columns == kStack.columns);
}

TEST_CASE("No look leaves the tensor, and none comes closer than a few cells") {
  const auto planes =
      GENERATE(TensorPlanes{1, 1, 1}, TensorPlanes{1, 1, 100'000}, TensorPlanes{7, 9, 2}, kStack);
  const auto steps = GENERATE(std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{1000});
  const auto place = GENERATE(std::int64_t{-50}, std::int64_t{3}, std::int64_t{1'000'000});
  const TensorRegion region = region_of({steps, place, place, std::uint64_t{99}}, planes);
  CAPTURE(planes.planes, planes.rows, planes.columns, steps, place);
  CHECK(region.rows >= 1);
  CHECK(region.row + region.rows <= planes.rows);
  CHECK(std::max(region.rows, region.columns) >=
        std::min<std::uint64_t>(6, std::max(planes.rows, planes.columns)));
  CHECK(region.column + region.columns <= planes.columns);
  CHECK(region.plane.has_value() == (planes.planes > 1));
  if (region.plane) CHECK(*region.plane == planes.planes - 1);
}

TEST_CASE("An element is brought into sight by the shortest way, on its plane") {
  const TensorLook look{4, 10, 10, std::uint64_t{0}};  // 10 rows, 16 columns
  const auto shown = [&](std::uint64_t plane, std::uint64_t row, std::uint64_t column) {
    return region_of(showing(look, kStack, (plane * 40 + row) * 64 + column), kStack);
  };
  CHECK(shown(0, 12, 12) == region_of(look, kStack));
  CHECK(shown(0, 9, 12).row == 9);
  CHECK(shown(0, 25, 12).row == 16);
  CHECK(shown(0, 12, 60).column == 45);
  CHECK(shown(2, 12, 12).plane == 2);
}

TEST_CASE("Beyond the last plane and before the first come all of them") {
  TensorLook look = at_next_plane({}, kStack, 1);
  CHECK(look.plane == 0);
  look = at_next_plane(at_next_plane(look, kStack, 1), kStack, 1);
  CHECK(look.plane == 2);
  CHECK_FALSE(at_next_plane(look, kStack, 1).plane);
  CHECK(at_next_plane({}, kStack, -1).plane == 2);
}

TEST_CASE("What is cut out has the tensor's elements, and each leads back to its place") {
  TensorExhibit tensor = counting({3, 40, 64});
  tensor.wrong = {5, (1 * 40 + 11) * 64 + 13};
  const auto plane = GENERATE(std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{1});
  const TensorRegion region{plane, 10, 12, 5, 7};
  const TensorExhibit part = cut(tensor, region);
  CHECK(count(part) == (plane ? 1u : 3u) * 5 * 7);
  CHECK(valid(part));
  for (std::uint64_t i = 0; i < count(part); ++i) {
    const std::uint64_t at = element_of_whole(kStack, region, i);
    CHECK(part.data[i] == tensor.data[at]);
    CHECK(element_of_region(kStack, region, at) == i);
  }
  REQUIRE(part.wrong.size() == 1);
  CHECK(element_of_whole(kStack, region, part.wrong[0]) == tensor.wrong[1]);
  CHECK_FALSE(element_of_region(kStack, region, 5));
}

}  // namespace warpbook::lab::tensor_region_test
