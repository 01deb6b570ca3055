// Streams: what overlaps, what is right, and that its hand estimates are what its runs come to.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::streams_test {
namespace {

using Catch::Approx;
using Int = std::int64_t;
using lab::TimelineExhibit;
using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::Values;
using Activity = TimelineExhibit::Activity;
const std::string kWork = "work", kDefault = "0", kNonBlocking = "cudaStreamNonBlocking",
                  kBreadth = "breadth-first", kPageable = "pageable";

/// Eight chunks in three streams, and what else is said.
lab::Report run(Values values) {
  Values all{{"chunks", Int{8}}, {"streams", Int{3}}};
  for (auto& value : values) {
    std::erase_if(all, [&](const auto& one) { return one.first == value.first; });
    all.push_back(std::move(value));
  }
  return tests::chapter::run("streams", all);
}

const TimelineExhibit& timeline(const lab::Report& report) {
  return exhibit<TimelineExhibit>(report, "timeline");
}
double total(const lab::Report& report) { return lab::whole_of(timeline(report)); }

bool in_order(const lab::Report& report) {
  const auto& items = exhibit<lab::CheckExhibit>(report, "check").items;
  return std::ranges::find(items, "ordered", &lab::CheckExhibit::Item::id)->state ==
         lab::CheckExhibit::State::passed;
}

}  // namespace

TEST_CASE("Streams comes before Convolution") {
  const auto all = lessons::catalogue();
  const auto found = std::ranges::find(all, "streams", &lab::Lesson::slug);
  REQUIRE(found != all.end());
  CHECK(std::ranges::find(found, all.end(), "convolution", &lab::Lesson::slug) != all.end());
}

TEST_CASE("Streams' film takes 4 ms in one chunk, and as long in eight of one stream") {
  const lab::Report serial = run({{"chunks", Int{1}}, {"streams", Int{1}}});
  CHECK(serial.errors.empty());
  CHECK(total(serial) == Approx(4.0e-3).epsilon(0.03));
  CHECK(total(run({{"streams", Int{1}}})) == Approx(total(serial)).epsilon(0.05));
}

TEST_CASE("Streams says that a run without overlap takes as long as one after the other") {
  const auto pace = [](const lab::Report& report) {
    const auto& estimate = exhibit<lab::TextExhibit>(report, "estimate");
    return device::argument_of(estimate.text.arguments, "pace")->key;
  };
  CHECK(pace(run({{"chunks", Int{1}}, {"streams", Int{1}}})) == "streams.estimate.alike");
  CHECK(pace(run({})) == "streams.estimate.faster");
}

TEST_CASE("Streams' kernels are busiest, or the copies where the kernel has little to do") {
  CHECK(answer(run({}), "busiest") == "kernels");
  CHECK(answer(run({{"radius", Int{0}}}), "busiest") == "copies");
}

TEST_CASE("Streams' pipeline takes the first copy, the busiest stage and the last copy") {
  const lab::Report report = run({});
  const auto& spans = timeline(report).spans;
  double kernels = 0, copy = 0;
  for (const auto& span : spans) {
    if (span.activity == Activity::kernel) kernels += lab::seconds_of(span);
    if (span.activity == Activity::copy_in) copy = lab::seconds_of(span);
  }
  CHECK(total(report) == Approx(copy + kernels + copy).epsilon(0.02));
  CHECK(answer(report, "outcome") == "right-together");
  CHECK(answer(report, "enough") == "3");
  CHECK(in_order(report));
}

TEST_CASE("Streams' stages have what the streams have, on three rows") {
  const lab::Report report = run({{"launches", kWork}});
  const auto& stages = exhibit<TimelineExhibit>(report, "stages");
  CHECK(lab::valid(stages));
  CHECK(lab::valid(timeline(report)));
  CHECK(stages.rows.size() == 3);
  std::vector<std::string> names;
  for (const auto& row : timeline(report).rows)
    if (!row.host) names.push_back(row.name.text);
  CHECK(names == std::vector<std::string>{"s[0]", "work", "s[1]", "s[2]"});
  CHECK(stages.spans.size() == 24);
  // Events are arrows in the picture of the streams: each kernel waits for its copy, each copy back for its kernel.
  CHECK(std::ranges::count_if(timeline(report).spans, [](const auto& span) {
          return span.activity != Activity::waiting && !span.after.empty();
        }) == 16);
}

TEST_CASE("Streams overlaps nothing from pageable memory, and keeps the film right") {
  const lab::Report report = run({{"memory", kPageable}});
  CHECK(answer(report, "overlap") == "no");
  CHECK(answer(report, "outcome") == "right-apart");
}

TEST_CASE("Streams' kernels in the default stream are right and alone, or fast and wrong") {
  const lab::Report blocking = run({{"launches", kDefault}});
  CHECK(answer(blocking, "outcome") == "right-apart");
  CHECK(in_order(blocking));
  const lab::Report free = run({{"launches", kDefault}, {"flags", kNonBlocking}});
  CHECK(answer(free, "outcome") == "wrong-together");
  CHECK_FALSE(in_order(free));
}

TEST_CASE("Streams without an event is right by luck while frames are small") {
  const auto without_event = [](Int frame) {
    return run({{"launches", kWork}, {"arrival", false}, {"frame", frame}});
  };
  CHECK(answer(run({{"launches", kWork}}), "luck") == "right");
  const lab::Report small = without_event(1000), large = without_event(1'000'000);
  CHECK(answer(small, "luck") == "luck");
  CHECK(answer(large, "luck") == "wrong");
  CHECK_FALSE(in_order(small));
}

TEST_CASE("Streams' breadth-first order makes three streams nearly serial") {
  const lab::Report depth = run({}), breadth = run({{"order", kBreadth}});
  CHECK(answer(breadth, "faster") == "depth");
  CHECK(total(breadth) > 1.8 * total(depth));
  const lab::Report enough = run({{"order", kBreadth}, {"streams", Int{8}}});
  CHECK(total(enough) == Approx(total(depth)).epsilon(0.05));
}

TEST_CASE("Streams' tiny chunks wait for the host, until a graph asks for them all at once") {
  const Values tiny{{"chunks", Int{64}}, {"streams", Int{8}}, {"frame", Int{1000}}};
  const lab::Report calls = run(tiny);
  CHECK(answer(calls, "busiest") == "host");
  CHECK(tests::chapter::figure(calls, "calls") == "193");
  Values as_graph = tiny;
  as_graph.emplace_back("graph", true);
  const lab::Report graph = run(as_graph);
  CHECK(tests::chapter::figure(graph, "calls") == "2");
  CHECK(total(graph) < 0.6 * total(calls));
}

TEST_CASE("Streams is right with uneven chunks, and draws each of them") {
  const auto chunks = GENERATE(as<Int>{}, 3, 7, 64);
  CAPTURE(chunks);
  const lab::Report report = run({{"chunks", chunks}});
  CHECK(answer(report, "outcome") == "right-together");
  CHECK(exhibit<TimelineExhibit>(report, "stages").spans.size() ==
        static_cast<std::size_t>(3 * chunks));
}

}  // namespace warpbook::streams_test
