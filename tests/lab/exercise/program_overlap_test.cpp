// Overlap is judged by which operation waits for which.
#include "lab/exercise/program_overlap.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::lab::program_overlap_test {
namespace {

using Catch::Approx;
using namespace device::runtime;

constexpr std::uint64_t kChunk = 100;

/// A film in chunks, as programs ask for it.
class Pipeline {
 public:
  void copy(Engine engine, std::uint64_t chunk, std::uint32_t stream) {
    OperationNote made{.engine = engine, .stream = stream, .bytes = kChunk};
    auto& extents = engine == Engine::copy_in ? made.footprint.writes : made.footprint.reads;
    extents.push_back({chunk * kChunk, (chunk + 1) * kChunk});
    add(std::move(made));
  }
  void kernel(std::uint64_t chunk, std::uint32_t stream) {
    record.launches.emplace_back().thread_instructions = 5;
    add({.engine = Engine::kernel,
         .stream = stream,
         .launch = record.launches.size() - 1,
         .footprint = {{{chunk * kChunk, (chunk + 1) * kChunk}}, {}}});
  }
  void all_of(std::uint64_t chunk, std::uint32_t stream) {
    copy(Engine::copy_in, chunk, stream);
    kernel(chunk, stream);
    copy(Engine::copy_out, chunk, stream);
  }
  StreamOrder order;
  ProgramRecord record;

 private:
  void add(OperationNote made) {
    made.past = order.add(made.stream);
    record.operations.push_back(std::move(made));
  }
};

}  // namespace

TEST_CASE("With s streams, c chunks take as long as their lanes and their order allow") {
  const auto [streams, path] =
      GENERATE(table<std::uint32_t, double>({{1, 24}, {2, 13}, {3, 10}, {8, 10}}));
  CAPTURE(streams);
  Pipeline film;
  for (std::uint32_t k = 0; k < 8; ++k) film.all_of(k, 1 + k % streams);
  const ProgramOverlap overlap = overlap_of(film.record, 8 * kChunk);
  CHECK(overlap.path_share == Approx(path / 24));
  CHECK(overlap.late_copies == (streams == 1 ? 7 : 0));
}

TEST_CASE("Whoever waits for each pair of chunks copies every second one late") {
  Pipeline film;
  for (std::uint32_t k = 0; k < 8; ++k) {
    film.all_of(k, 1 + k % 2);
    if (k % 2 == 1) film.order.host_waits_for_all();
  }
  const ProgramOverlap overlap = overlap_of(film.record, 8 * kChunk);
  CHECK(overlap.path_share == Approx(16.0 / 24));
  CHECK(overlap.late_copies == 3);
}

TEST_CASE("A kernel whose memory is not known is taken for the one that the copy was for") {
  Pipeline film;
  for (std::uint32_t k = 0; k < 4; ++k) film.all_of(k, 0);
  for (auto& operation : film.record.operations)
    if (operation.launch) operation.footprint = {};
  CHECK(overlap_of(film.record, 4 * kChunk).late_copies == 3);
}

TEST_CASE("A copy of pageable memory counts by its bytes") {
  Pipeline film;
  film.all_of(0, 1);
  film.record.operations[0].pageable = true;
  CHECK(overlap_of(film.record, kChunk).pageable_share == 0.5);
}

TEST_CASE("A program that asks for nothing overlaps nothing") {
  CHECK(overlap_of({}, 100).path_share == 1);
  CHECK(hold_up_of({}).why == HoldUp::Why::unknown);
}

TEST_CASE("What makes operations wait is known by the calls alone, where they show it") {
  const auto chunks = [](std::uint32_t streams) {
    Pipeline film;
    for (std::uint32_t k = 0; k < 8; ++k) film.all_of(k, 1 + k % streams);
    for (std::size_t i = 0; i < film.record.operations.size(); ++i)
      film.record.operations[i].call = 100 + i;
    return film.record;
  };
  CHECK(hold_up_of(chunks(3)).why == HoldUp::Why::unknown);
  CHECK(hold_up_of(chunks(1)).why == HoldUp::Why::one_stream);
  CHECK(hold_up_of(chunks(1)).call == 100);

  ProgramRecord waits = chunks(3);
  waits.waits = {{.call = 7, .operations = 0},
                 {.call = 30, .operations = 3},
                 {.call = 60, .operations = 6},
                 {.call = 200, .operations = 24}};
  CHECK(hold_up_of(waits).why == HoldUp::Why::host_waits);
  CHECK(hold_up_of(waits).call == 30);
  CHECK(hold_up_of(waits).times == 2);
}

TEST_CASE(
    "The default stream holds up those that wait for it, unless it comes before or behind them") {
  const auto cleared_before = [](std::uint32_t chunk) {
    Pipeline film;
    for (std::uint32_t k = 0; k < 8; ++k) {
      if (k == chunk) film.kernel(k, 0);
      film.all_of(k, 1 + k % 3);
    }
    if (chunk == 8) film.kernel(8, 0);
    return hold_up_of(film.record).why;
  };
  CHECK(cleared_before(0) == HoldUp::Why::unknown);
  CHECK(cleared_before(4) == HoldUp::Why::default_stream);
  CHECK(cleared_before(8) == HoldUp::Why::unknown);
}

}  // namespace warpbook::lab::program_overlap_test
