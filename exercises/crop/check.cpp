// crop: a rectangle of an image with padded rows, 0 where it reaches beyond.
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace crop_check {

struct Picture {
  std::int32_t width, height, pitch;
};
struct Rectangle {
  std::int32_t columns, rows, left, top;
};

std::string at(std::int32_t left, std::int32_t top) {
  return "(" + std::to_string(left) + ", " + std::to_string(top) + ")";
}

/// One case. Pixels and padding are 1 to 255: 0 comes from outside the image alone.
lab::Trial trial(const Picture& picture, const Rectangle& cut, const device::Dim3& block,
                 std::uint32_t seed) {
  std::vector<std::uint8_t> image(static_cast<std::size_t>(picture.pitch * picture.height));
  std::uint32_t state = seed;
  for (std::uint8_t& value : image) {
    state = state * 1664525 + 1013904223;  // Numerical Recipes, section 7.1
    value =
        static_cast<std::uint8_t>((state >> 16) % 8 == 0 ? 0 : state >> 24);  // an eighth is black
  }
  std::vector<double> truth;
  for (std::int32_t y = cut.top; y < cut.top + cut.rows; ++y) {
    for (std::int32_t x = cut.left; x < cut.left + cut.columns; ++x) {
      const bool inside = 0 <= x && x < picture.width && 0 <= y && y < picture.height;
      truth.push_back(inside ? image[static_cast<std::size_t>(y * picture.pitch + x)] : 0);
    }
  }
  lab::Trial made;
  made.name = std::to_string(cut.columns) + " x " + std::to_string(cut.rows) + " at " +
              at(cut.left, cut.top) + " of " + std::to_string(picture.width) + " x " +
              std::to_string(picture.height) + ", pitch " + std::to_string(picture.pitch);
  made.grid = {(static_cast<std::uint32_t>(cut.columns) + block.x - 1) / block.x,
               (static_cast<std::uint32_t>(cut.rows) + block.y - 1) / block.y, 1};
  made.block = block;
  made.arrays = {lab::input_array("image", image),
                 lab::output_array<std::uint8_t>("out", std::move(truth))};
  const auto number = [](std::int32_t value) { return device::Argument::of(value); };
  made.arguments = {
      "image",        number(picture.width), number(picture.height), number(picture.pitch),
      "out",          number(cut.columns),   number(cut.rows),       number(cut.left),
      number(cut.top)};
  return made;
}

void check(lab::Checker& checker) {
  constexpr Picture kPadded{37, 23, 48}, kTight{32, 20, 32}, kOne{1, 1, 16}, kEmpty{0, 0, 0};
  const device::Dim3 wide{8, 4, 1}, high{3, 32, 1};
  lab::Trials trials(checker);
  std::uint32_t seed = 1;
  // Inside: all of it, a part, one pixel, nothing.
  trials.run(trial(kTight, {32, 20, 0, 0}, wide, seed++));
  trials.run(trial(kPadded, {37, 23, 0, 0}, high, seed++));
  trials.run(trial(kPadded, {13, 7, 5, 9}, wide, seed++));
  trials.run(trial(kPadded, {1, 1, 36, 22}, high, seed++));
  trials.run(trial(kPadded, {0, 0, 3, 3}, wide, seed++));
  // Over one edge each: left, right, above, below. Then over a corner, over all four, and all outside.
  for (const Picture& picture : {kPadded, kTight}) {
    trials.run(trial(picture, {11, 5, -4, 8}, wide, seed++));
    trials.run(trial(picture, {15, 5, 30, 8}, high, seed++));
    trials.run(trial(picture, {9, 10, 7, -6}, wide, seed++));
    trials.run(trial(picture, {9, 10, 7, 16}, high, seed++));
    trials.run(trial(picture, {20, 20, 28, 15}, wide, seed++));
    trials.run(trial(picture, {45, 33, -4, -5}, high, seed++));
    trials.run(trial(picture, {6, 6, -6, 10}, wide, seed++));
    trials.run(trial(picture, {6, 6, 10, 400}, high, seed++));
  }
  trials.run(trial(kOne, {3, 3, -1, -1}, wide, seed++));
  // A picture without a pixel, all of whose surroundings are 0.
  trials.run(trial(kEmpty, {3, 3, -1, -1}, wide, seed++));
  trials.run(trial(kEmpty, {33, 5, 0, 0}, high, seed++));
  // Far from the picture: so far that a row times the pitch comes round to 0 in 32 bits, and beyond.
  trials.run(trial(kPadded, {9, 7, 100'000, 3}, wide, seed++));
  // 65,536 columns or rows to one side: in 16 bits that is the picture itself.
  trials.run(trial(kPadded, {9, 7, 65'536 + 3, 3}, wide, seed++));
  trials.run(trial(kPadded, {9, 7, 5, 3 - 65'536}, high, seed++));
  // The same with 20 bits.
  trials.run(trial(kPadded, {9, 7, 1'048'576 + 3, 3}, wide, seed++));
  trials.run(trial(kPadded, {9, 7, 3 - 1'048'576, 3}, wide, seed++));
  trials.run(trial(kPadded, {9, 7, 5, 89'478'485}, wide, seed++));
  trials.run(trial(kPadded, {9, 7, 5, -2'000'000'000}, high, seed++));
  // The largest block, and one of a single row.
  trials.run(trial(kPadded, {45, 33, -4, -5}, {32, 32, 1}, seed++));
  trials.run(trial(kPadded, {45, 33, -4, -5}, {64, 1, 1}, seed++));
  // More columns than fit with a sign into 16 bits, with the picture in the last of them; and more pixels than 16 bits count.
  trials.run(trial(kPadded, {33'020, 2, -32'990, 3}, {128, 2, 1}, seed++));
  trials.run(trial({280, 260, 288}, {275, 250, 2, -3}, {32, 8, 1}, seed++));
  // A border on the left and above.
  trials.run(lab::with_gates(trial({150, 140, 160}, {125, 121, -9, -7}, {16, 16, 1}, seed)));
  for (const device::Dim3& block : {device::Dim3{16, 16, 1}, {32, 8, 1}, {32, 4, 1}}) {
    const auto drawn = [&](std::int64_t least, std::int64_t most) {
      return static_cast<std::int32_t>(checker.drawn(least, most));
    };
    const std::int32_t width = drawn(60, 200), columns = drawn(100, 200), rows = drawn(70, 140);
    const Picture picture{width, drawn(40, 160), width + drawn(0, 30)};
    const Rectangle cut{columns, rows, drawn(-30, 60), drawn(-20, 40)};
    trials.run(lab::hidden_with_gates(
        trial(picture, cut, block, static_cast<std::uint32_t>(checker.draw()))));
  }

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace crop_check

lab::Exercise crop() { return {"crop", crop_check::check}; }

}  // namespace warpbook::exercises
