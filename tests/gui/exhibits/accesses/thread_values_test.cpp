#include "gui/exhibits/accesses/thread_values.hpp"

#include <cstring>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::thread_values_test {
namespace {
using device::AccessKind;

lab::TensorExhibit tensor(std::string name, const std::vector<std::int32_t>& values) {
  lab::TensorExhibit made{std::move(name), device::ElementType::i32, {values.size()}, {}, {}};
  made.data.resize(values.size() * sizeof(std::int32_t));
  std::memcpy(made.data.data(), values.data(), made.data.size());
  return made;
}

constexpr const char* kSource =
    R"(__global__ void add(const int* x, const int* y, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = x[i] + y[i];
  }
}
)";

/// Thread t of two blocks of two reads x[t] and y[t] and writes out[t].
lab::AccessesExhibit accesses() {
  lab::AccessesExhibit run;
  run.grid = {2, 1, 1};
  run.block = {2, 1, 1};
  run.arrays = {{tensor("x", {1, 2, 3, 4}), false},
                {tensor("y", {5, 6, 7, 8}), false},
                {tensor("out", {6, 8, 10, 12}), true}};
  for (std::uint32_t t = 0; t < 4; ++t) {
    run.wires.push_back({t / 2, t % 2, 1, t, AccessKind::load, 4});
    run.wires.push_back({t / 2, t % 2, 0, t, AccessKind::load, 4});
    run.wires.push_back({t / 2, t % 2, 2, t, AccessKind::store, 4});
  }
  return run;
}

lab::SourceExhibit source() {
  lab::SourceExhibit made{"add.cu", "add", kSource, "", {}, {}};
  for (const std::uint32_t line : {1u, 2u, 3u, 4u}) made.lines.push_back({line, 4, {}});
  return made;
}

std::string at(const std::vector<LineValues>& values, std::uint32_t line) {
  for (const LineValues& each : values) {
    if (each.line == line) return each.full + " | " + each.brief;
  }
  return "nothing";
}
}  // namespace

TEST_CASE("the linked thread's accesses and their values stand at the line that made them") {
  const auto values = values_of(accesses(), source(), {1, 0});
  CHECK(at(values, 4) == "x[2] = 3, y[2] = 7 → out[2] = 10 | 3, 7 → 10");
  CHECK(at(values, 1) == "nothing");
  CHECK(at(values, 3) == "nothing");
}

TEST_CASE("its index is put together from the run's own numbers") {
  CHECK(at(values_of(accesses(), source(), {1, 0}), 2) == "1 * 2 + 0 = 2 | 2");
  // Where the line was not run by all, nobody knows whether this thread was one of them.
  lab::SourceExhibit some = source();
  some.lines[1].threads = 3;
  CHECK(at(values_of(accesses(), some, {1, 0}), 2) == "nothing");
  // What takes more than built-in variables is not worked out.
  lab::SourceExhibit more = source();
  more.text.replace(more.text.find("threadIdx.x;"), 12, "threadIdx.x + n;");
  CHECK(at(values_of(accesses(), more, {1, 0}), 2) == "nothing");
}

TEST_CASE("the line that makes an index is found once, and gives every thread its own") {
  const auto line = index_line(accesses(), source());
  REQUIRE(line);
  for (std::uint32_t t = 0; t < 4; ++t) {
    CHECK(index_by(*line, accesses(), {t / 2, t % 2}) == t);
    CHECK(at(values_of(accesses(), source(), {t / 2, t % 2}), 2).ends_with(std::to_string(t)));
  }
  lab::SourceExhibit some = source();
  some.lines[1].threads = 3;
  CHECK_FALSE(index_line(accesses(), some));
  lab::SourceExhibit other = source();
  std::erase_if(other.lines, [](const auto& cost) { return cost.line == 4; });
  CHECK_FALSE(index_line(accesses(), other));
  CHECK_FALSE(index_by("  out[i] = x[i];", accesses(), {0, 0}));
  // Where threads reach memory in that line, what stands beside it is what they read and wrote.
  lab::SourceExhibit storing = source();
  storing.text.replace(storing.text.find("x[i] + y[i]"), 11, "threadIdx.x");
  storing.text.replace(storing.text.find("blockIdx.x * blockDim.x + threadIdx.x"), 37, "n");
  CHECK_FALSE(index_line(accesses(), storing));
}

TEST_CASE("a value that the run may have changed since is not told") {
  lab::AccessesExhibit twice = accesses();
  twice.wires.push_back({0, 0, 2, 2, AccessKind::store, 4});  // out[2] was written by another, too
  CHECK(at(values_of(twice, source(), {1, 0}), 4) ==
        "x[2] = 3, y[2] = 7 → out[2] | x[2] = 3, y[2] = 7 → out[2]");
  lab::AccessesExhibit cut = accesses();
  cut.cut = true;
  CHECK(at(values_of(cut, source(), {1, 0}), 4).starts_with("x[2] = 3, y[2] = 7 → out[2] |"));
}

TEST_CASE("a stray access has no value") {
  lab::AccessesExhibit run = accesses();
  run.wires.push_back({1, 1, 0, 9, AccessKind::load, 4});
  CHECK(at(values_of(run, source(), {1, 1}), 4)
            .starts_with("x[3] = 4, x[9] ✗, y[3] = 8 → out[3] = 12 |"));
}

TEST_CASE("accesses of another source are not shown beside this one") {
  lab::SourceExhibit other = source();
  std::erase_if(other.lines, [](const auto& line) { return line.line == 4; });
  CHECK(values_of(accesses(), other, {1, 0}).empty());
  CHECK(values_of(accesses(), source(), {7, 0}).empty());
}

TEST_CASE(
    "the guard that sends idle threads away is told by its line's threads and those behind it") {
  lab::AccessesExhibit run = accesses();
  lab::SourceExhibit code = source();
  CHECK_FALSE(guard_of(run, code));  // nobody is idle
  std::erase_if(run.wires, [](const auto& wire) { return wire.element == 3; });
  code.lines[3].threads = 3;
  const auto guard = guard_of(run, code);
  REQUIRE(guard);
  CHECK(guard->condition == "i < n");
  CHECK_FALSE(guard->holds);
  code.text.replace(code.text.find("if (i < n) {"), 12, "if (f(i) || i >= n) return;  // (");
  REQUIRE(guard_of(run, code));
  CHECK(guard_of(run, code)->condition == "f(i) || i >= n");
  CHECK(guard_of(run, code)->holds);

  lab::SourceExhibit others = code;
  others.lines[3].threads = 2;  // one that came so far stored nothing all the same
  CHECK_FALSE(guard_of(run, others));
  others = code;
  others.lines[2].threads = 3;  // some were gone before
  CHECK_FALSE(guard_of(run, others));
  others = code;
  others.text.replace(others.text.find("if ("), 4, "g = (");
  CHECK_FALSE(guard_of(run, others));
  run.cut = true;
  CHECK_FALSE(guard_of(run, code));
}

}  // namespace warpbook::gui::thread_values_test
