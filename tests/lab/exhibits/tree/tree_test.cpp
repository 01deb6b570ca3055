// Trees in shared memory: told from made-up traces, summed up, drawn and written.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/tree/tree_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::tree_test {
namespace {

using device::AccessKind;
using device::Space;
using sample::english;
using sample::exhibit;
using tests::holds;
using Node = TreeExhibit::Node;

/// A launch of blocks of 64 threads whose accesses to shared memory a test writes down one by one.
class Made {
 public:
  Made() {
    record.counted = true;
    record.grid = {4, 1, 1};
    record.block = {64, 1, 1};
  }
  Made& access(AccessKind kind, std::uint32_t place, std::uint32_t thread, std::uint16_t barriers) {
    device::Access made;
    made.address = 4 * std::uint64_t{place};
    made.block = block;
    made.thread = thread;
    made.request = ++request_;
    made.bytes = 4;
    made.space = Space::shared;
    made.kind = kind;
    made.barriers = barriers;
    record.trace.push_back(made);
    return *this;
  }
  Made& read(std::uint32_t place, std::uint32_t thread, std::uint16_t barriers) {
    return access(AccessKind::load, place, thread, barriers);
  }
  Made& write(std::uint32_t place, std::uint32_t thread, std::uint16_t barriers) {
    return access(AccessKind::store, place, thread, barriers);
  }
  /// part[left] += part[right]
  Made& join(std::uint32_t left, std::uint32_t right, std::uint32_t thread,
             std::uint16_t barriers) {
    return read(left, thread, barriers).read(right, thread, barriers).write(left, thread, barriers);
  }
  [[nodiscard]] TreeExhibit tree(std::uint32_t places = 64) const {
    WantedTree wanted;
    wanted.places = places;
    wanted.block = block;
    return tree_of(record, wanted);
  }

  device::LaunchRecord record;
  std::uint32_t block = 1;

 private:
  std::uint32_t request_ = 0;
};

/// 64 places, filled and joined by the rule of a rung: the thread and the left place of each pair with that stride.
Made tree_by(const std::vector<std::uint32_t>& strides, std::uint32_t spread_of_threads,
             bool interleaved) {
  Made made;
  for (std::uint32_t t = 0; t < 64; ++t) made.write(t, t, 0);
  std::uint16_t barriers = 1;
  for (const std::uint32_t s : strides) {
    for (std::uint32_t left = 0; left < 64; left += interleaved ? 2 * s : 1) {
      if (!interleaved && left == s) break;
      made.join(left, left + s, spread_of_threads == 0 ? left / (2 * s) : left, barriers);
    }
    ++barriers;
  }
  made.read(0, 0, barriers);
  return made;
}

}  // namespace

TEST_CASE("Tree: a place was joined from what its thread had read since it last wrote") {
  Made made;
  made.write(0, 0, 0).write(1, 1, 0).write(2, 2, 0).join(0, 2, 5, 1).join(0, 1, 0, 2);
  const TreeExhibit tree = made.tree();
  REQUIRE(tree.rounds.size() == 3);
  CHECK(tree.rounds[0].nodes == std::vector<Node>{{0, 0, {}}, {1, 1, {}}, {2, 2, {}}});
  CHECK(tree.rounds[1].nodes == std::vector<Node>{{0, 5, {0, 2}}});
  CHECK(tree.rounds[2].nodes == std::vector<Node>{{0, 0, {0, 1}}});
  CHECK(tree.threads == 64);
}

TEST_CASE("Tree: what a thread has read stays with it across a barrier") {
  Made made;
  made.write(0, 0, 0).write(1, 1, 0).read(0, 0, 1).read(1, 0, 1).write(0, 0, 2);
  const TreeExhibit tree = made.tree();
  REQUIRE(tree.rounds.size() == 2);
  CHECK(tree.rounds[1].nodes == std::vector<Node>{{0, 0, {0, 1}}});
}

TEST_CASE("Tree: a thread's further writes between two barriers are further rounds") {
  Made made;
  for (std::uint32_t t = 0; t < 4; ++t) made.write(t, t, 0);
  made.join(0, 2, 0, 1).join(1, 3, 1, 1).join(0, 1, 0, 1);
  const TreeExhibit tree = made.tree();
  REQUIRE(tree.rounds.size() == 3);
  CHECK(tree.rounds[1].nodes.size() == 2);
  CHECK(tree.rounds[2].nodes == std::vector<Node>{{0, 0, {0, 1}}});
}

TEST_CASE(
    "Tree: who only fetches the result makes no round, and other arrays and blocks are left out") {
  Made made;
  made.write(0, 0, 0).write(70, 1, 0).read(0, 0, 1);
  made.block = 2;
  made.write(1, 1, 0);
  made.block = 1;
  const TreeExhibit tree = made.tree();
  REQUIRE(tree.rounds.size() == 1);
  CHECK(tree.rounds[0].nodes == std::vector<Node>{{0, 0, {}}});
  CHECK(values_in_last(tree).empty());
}

TEST_CASE(
    "Tree: rounds, joins and passes are those of the rule by which threads and places were "
    "chosen") {
  // Of interleaved threads both warps work in five of six rounds; of threads side by side, warp 0 alone.
  const std::vector<std::uint32_t> growing{1, 2, 4, 8, 16, 32}, falling{32, 16, 8, 4, 2, 1};
  const TreeExhibit interleaved = tree_by(growing, 1, true).tree(),
                    together = tree_by(growing, 0, true).tree(),
                    folded = tree_by(falling, 1, false).tree();
  for (const TreeExhibit* tree : {&interleaved, &together, &folded}) {
    const TreeFigures figures = figures_of(*tree);
    CHECK(figures.loaded == 64);
    CHECK(figures.rounds == 6);
    CHECK(figures.joins == 63);
    const auto values = values_in_last(*tree);
    CHECK(values.size() == 64);
    CHECK(std::ranges::all_of(values, [](const TreeValue& value) { return value.times == 1; }));
    CHECK(valid(*tree));
  }
  CHECK(figures_of(interleaved).warp_joins == 11);
  CHECK(figures_of(together).warp_joins == 6);
  CHECK(figures_of(folded).warp_joins == 6);
}

TEST_CASE("Tree: values that are lost or counted twice are told") {
  Made made;
  for (std::uint32_t t = 0; t < 4; ++t) made.write(t, t, 0);
  made.join(0, 2, 0, 1).join(1, 2, 1, 1).join(0, 1, 0, 2);
  const TreeExhibit tree = made.tree();
  std::vector<std::uint64_t> times(4);
  for (const TreeValue& value : values_in_last(tree)) times[value.place] = value.times;
  CHECK(times == std::vector<std::uint64_t>{1, 1, 2, 0});
  const std::string text = sentence(exhibit(tree), english());
  CHECK(holds(text, "1 value never reaches the last place."));
  CHECK(holds(text, "1 value is in the last one more than once."));
}

TEST_CASE("Tree: so many rounds that not all are kept, and it says so") {
  Made made;
  for (std::uint16_t barriers = 0; barriers < 40; ++barriers) made.write(0, 0, barriers);
  const TreeExhibit tree = made.tree();
  CHECK(tree.cut);
  CHECK(tree.rounds.size() == 24);
}

TEST_CASE(
    "Tree: a launch that a budget stopped is told, and no value of it is lost, since its last one "
    "is not known") {
  Made made = tree_by({32, 16}, 0, false);
  CHECK(std::ranges::any_of(values_in_last(made.tree()),
                            [](const TreeValue& value) { return value.times == 0; }));
  made.record.error = device::Error{device::ErrorCode::budget_time, {}, {}};
  CHECK(made.tree().stopped);
  CHECK(made.tree().cut);
  CHECK(values_in_last(made.tree()).empty());
  made.record.error = device::Error{device::ErrorCode::trap, {}, {}};
  CHECK_FALSE(made.tree().stopped);
  CHECK_FALSE(made.tree().cut);
}

TEST_CASE("Tree: passes are those of each request over the banks") {
  const auto [stride, passes] =
      GENERATE(table<std::uint32_t, std::uint64_t>({{1, 1}, {2, 2}, {32, 32}}));
  CAPTURE(stride);
  Made made;
  for (std::uint32_t lane = 0; lane < 32; ++lane) made.write(lane * stride, lane, 0);
  for (device::Access& each : made.record.trace) each.request = 7;
  const TreeExhibit tree = made.tree(1024);
  CHECK(tree.rounds[0].requests == 1);
  CHECK(tree.rounds[0].passes == passes);
}

TEST_CASE("Tree: its text has a line a round, with the threads that wrote") {
  const std::string text = to_text(exhibit(sample::tree()), english(), 100);
  CHECK(holds(text, "Filled   ###............................. .#......"));
  CHECK(holds(text, "Round 2  #..............................."));
}

TEST_CASE("Tree: its picture has a box for each place written and a line for each place read") {
  const TreeExhibit tree = sample::tree();
  const TreePlane plane(tree, 768);
  const Drawing drawing = drawing_of(tree, plane, std::nullopt, svg_canvas(768, english()));
  const auto lines = std::ranges::count_if(drawing.items, [](const DrawnItem& item) {
    return std::holds_alternative<Polyline>(item.shape);
  });
  CHECK(lines == 5);
  for (std::size_t round = 0; round < tree.rounds.size(); ++round) {
    CHECK(plane.round_at(plane.place(round, 3)) == round);
    CHECK(plane.rows().holds(plane.thread(round, 39).middle()));
  }
  CHECK_FALSE(plane.round_at({5, 2}));
  CHECK(drawing.width == 768);
}

TEST_CASE("Tree: a row of its table for each place written, with the places read") {
  const Table table = table_of(sample::tree(), english());
  REQUIRE(table.rows.size() == 7);
  CHECK(table.rows[4] == std::vector<std::string>{"Round 1", "0", "0", "0, 2"});
}

TEST_CASE("Tree: one whose nodes are not in order, or beyond its places, is not valid") {
  TreeExhibit tree = sample::tree();
  CHECK(valid(tree));
  std::swap(tree.rounds[0].nodes[0], tree.rounds[0].nodes[1]);
  CHECK_FALSE(valid(tree));
  tree = sample::tree();
  tree.rounds[1].nodes[0].from.push_back(4);
  CHECK_FALSE(valid(tree));
  tree = sample::tree();
  tree.rounds.emplace_back();
  CHECK_FALSE(valid(tree));
}

}  // namespace warpbook::lab::tree_test
