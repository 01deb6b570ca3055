// Parts of an experiment that run side by side: their report is that of parts which run one after the other.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::tests::side_by_side_test {

using namespace warpbook;
using namespace warpbook::lab;
using namespace std::chrono_literals;

namespace {

std::shared_ptr<device::Compiler> compiler() {
  static const auto made = std::make_shared<device::Compiler>();
  return made;
}

/// A lesson that is one experiment, with a number that it may ask for.
struct Trial {
  explicit Trial(std::function<void(Lab&)> experiment) {
    Parameter n;
    n.name = "n";
    n.initial = std::int64_t{40};
    n.minimum = 1;
    n.maximum = 100'000;
    lesson.slug = "trial";
    lesson.parameters = {n};
    lesson.experiment = std::move(experiment);
  }
  [[nodiscard]] Report run(std::int64_t n = 40, std::stop_token stop = {},
                           std::function<void(double, const Message&)> progress = {}) const {
    Inputs inputs;
    inputs.values.set("n", n);
    return lab::run(lesson, inputs, compiler(), WARPBOOK_SOURCE_DIR, std::move(stop),
                    std::move(progress));
  }
  Lesson lesson;
};

void show(Lab& lab, const std::string& id) {
  lab.show({id, Message::plain(id), std::nullopt, TextExhibit{Message::plain(id)}});
}

[[noreturn]] void fail() { throw ExperimentFailed{{device::ErrorCode::out_of_memory, {}, {}}, {}}; }

std::vector<std::string> ids_of(const Report& report) {
  std::vector<std::string> ids;
  for (const Exhibit& exhibit : report.exhibits) ids.push_back(exhibit.id);
  return ids;
}

using Ids = std::vector<std::string>;

/// Waits a while for another part, which on one processor has not begun yet.
void wait_for(const std::atomic<bool>& flag) {
  for (int i = 0; i < 200 && !flag; ++i) std::this_thread::sleep_for(1ms);
}

/// Launches a kernel with one thread and gives its record.
std::shared_ptr<const device::LaunchRecord> launch_source(Lab& lab, const std::string& name,
                                                          const std::string& source) {
  device::Launch launch;
  launch.module = lab.compile_source(name, source);
  launch.grid = launch.block = {1, 1, 1};
  return lab.launch(std::move(launch));
}

}  // namespace

TEST_CASE("what parts show, and what fails in them, stands in their order, whichever ends first") {
  std::atomic<bool> second_ended = false;
  const Trial trial([&](Lab& lab) {
    show(lab, "before");
    lab.side_by_side({[&](Lab& part) {
                        wait_for(second_ended);
                        show(part, "first");
                        part.report_error({device::ErrorCode::leaked, {}, {}});
                      },
                      [&](Lab& part) {
                        show(part, "second");
                        part.report_error({device::ErrorCode::cancelled, {}, {}});
                        second_ended = true;
                      }});
    show(lab, "after");
  });
  const Report report = trial.run();
  CHECK(ids_of(report) == Ids{"before", "first", "second", "after"});
  REQUIRE(report.errors.size() == 2);
  CHECK(report.errors[0].code == device::ErrorCode::leaked);
  CHECK(report.errors[1].code == device::ErrorCode::cancelled);
}

TEST_CASE("what a part shows under an id that is there already takes its place") {
  const Trial trial([](Lab& lab) {
    show(lab, "same");
    show(lab, "other");
    lab.side_by_side({[](Lab& part) {
      part.show({"same", Message::plain("new"), std::nullopt, TextExhibit{Message::plain("new")}});
    }});
  });
  const Report report = trial.run();
  REQUIRE(ids_of(report) == Ids{"same", "other"});
  CHECK(report.exhibits[0].title.text == "new");
}

TEST_CASE("after a part that fails there are no others, and those before it end") {
  std::atomic<bool> failed = false, first_was_stopped = false;
  const Trial trial([&](Lab& lab) {
    lab.side_by_side({[&](Lab& part) {
                        wait_for(failed);
                        std::this_thread::sleep_for(5ms);
                        first_was_stopped = part.cancelled();
                        show(part, "first");
                      },
                      [&](Lab& part) {
                        show(part, "second");
                        failed = true;
                        fail();
                      },
                      [&](Lab& part) { show(part, "third"); }});
    show(lab, "after");
  });
  const Report report = trial.run();
  CHECK_FALSE(first_was_stopped);
  CHECK(ids_of(report) == Ids{"first", "second"});
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors.front().code == device::ErrorCode::out_of_memory);
}

TEST_CASE("a run that is stopped stops its parts") {
  std::stop_source stop;
  const Trial trial([&](Lab& lab) {
    lab.side_by_side({[&](Lab& part) {
                        stop.request_stop();
                        show(part, "first");
                        part.progress(1, {});
                        show(part, "never");
                      },
                      [](Lab&) {}});
  });
  const Report report = trial.run(40, stop.get_token());
  CHECK(ids_of(report) == Ids{"first"});
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors.front().code == device::ErrorCode::cancelled);
}

TEST_CASE("parts within a part come in its place") {
  const Trial trial([](Lab& lab) {
    lab.side_by_side({[](Lab& part) {
                        part.side_by_side({[](Lab& inner) { show(inner, "a"); },
                                           [](Lab& inner) { show(inner, "b"); }});
                        show(part, "c");
                      },
                      [](Lab& part) { show(part, "d"); }});
  });
  CHECK(ids_of(trial.run()) == Ids{"a", "b", "c", "d"});
}

TEST_CASE("progress of parts only grows, from where it was to the end") {
  std::mutex mutex;
  std::vector<double> told;
  const Trial trial([](Lab& lab) {
    lab.progress(0.5, {});
    const Lab::Part half = [](Lab& part) { part.progress(0.5, {}); };
    lab.side_by_side({half, half, half});
  });
  const Report report = trial.run(40, {}, [&](double fraction, const Message&) {
    const std::lock_guard lock(mutex);
    told.push_back(fraction);
  });
  REQUIRE(told.size() == 7);
  CHECK(std::ranges::is_sorted(told));
  CHECK(told.front() == 0.5);
  CHECK(told.back() == 1);
}

TEST_CASE("what the launches of parts print is one text, in their order") {
  const Trial trial([](Lab& lab) {
    const auto prints = [](const std::string& word) -> Lab::Part {
      return [word](Lab& part) {
        launch_source(part, word + ".cu",
                      "#include <cstdio>\n__global__ void say() { printf(\"" + word + " \"); }\n");
      };
    };
    lab.side_by_side({prints("one"), prints("two")});
  });
  const Report report = trial.run();
  const auto* output = report.find_as<TextExhibit>("output");
  REQUIRE(output != nullptr);
  CHECK(output->text.text == "one two ");
  CHECK(report.exhibits.size() == 1);
}

TEST_CASE("a part's launch is recalled, whatever the other parts allocate") {
  std::vector<double> seconds;
  const Trial trial([&](Lab& lab) {
    lab.side_by_side({[](Lab& part) {
                        const std::vector<int> values(static_cast<std::size_t>(part.integer("n")));
                        const device::Buffer buffer = part.upload<int>("x", values);
                        launch_source(part, "nothing.cu", "__global__ void nothing() {}\n");
                      },
                      [&](Lab& part) {
                        const device::Buffer y = part.allocate("y", device::ElementType::i32, 1);
                        device::Launch launch;
                        launch.module = part.compile_source(
                            "set.cu", "__global__ void set(int* y) { *y = 7; }");
                        launch.grid = launch.block = {1, 1, 1};
                        launch.arguments = {device::Argument::pointer(y.address())};
                        seconds.push_back(part.launch(std::move(launch))->seconds);
                        CHECK(part.download<int>(y) == std::vector{7});
                      }});
  });
  CHECK(trial.run(40).errors.empty());
  CHECK(trial.run(80'000).errors.empty());
  REQUIRE(seconds.size() == 2);
  // A launch that is simulated anew takes another time, to the nanosecond.
  CHECK(seconds[0] == seconds[1]);
}

}  // namespace warpbook::tests::side_by_side_test
