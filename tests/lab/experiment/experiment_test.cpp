#include "lab/experiment/experiment.hpp"

#include <atomic>
#include <thread>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::experiment_test {

using namespace warpbook;
using namespace warpbook::lab;
using namespace std::chrono_literals;

namespace {

void show_n(Lab& lab) {
  lab.show({"n", Message::plain("n"), std::nullopt,
            TextExhibit{Message::plain(std::to_string(lab.integer("n"))), false}});
}

/// Counts its runs; each takes as long as `hold` holds it, or until it is cancelled.
struct Slow {
  Slow() {
    Parameter n;
    n.name = "n";
    n.initial = std::int64_t{1};
    n.minimum = 0;
    n.maximum = 1000;
    lesson.slug = "slow";
    lesson.parameters = {n};
    lesson.experiment = [this](Lab& lab) {
      ++begun;
      while (hold && !lab.cancelled()) std::this_thread::sleep_for(1ms);
      lab.progress(0.5, Message::plain("half"));
      show_n(lab);
    };
  }
  std::atomic<int> begun{0};
  std::atomic<bool> hold{false};
  Lesson lesson;
};

Inputs with_n(std::int64_t n) {
  Inputs inputs;
  inputs.values.set("n", n);
  return inputs;
}

std::string shown(const Experiment& experiment) {
  const auto report = experiment.latest();
  const auto* text = report ? report->find_as<TextExhibit>("n") : nullptr;
  return text ? text->text.text : "";
}

template <class Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

}  // namespace

TEST_CASE("a request runs, and its report is the latest") {
  Slow slow;
  Experiment experiment(slow.lesson, nullptr, "/");
  CHECK(experiment.latest() == nullptr);
  std::atomic<int> news{0};
  experiment.on_news([&] { ++news; });
  experiment.request(with_n(3));
  experiment.settle();
  CHECK(shown(experiment) == "3");
  CHECK(experiment.generation() == 1);
  CHECK(experiment.latest()->inputs_hash == experiment.wanted());
  CHECK(soon([&] { return news == 1; }));
  CHECK_FALSE(experiment.progress().running);
}

TEST_CASE("of several requests the last one wins, and waits out its delay") {
  Slow slow;
  Experiment experiment(slow.lesson, nullptr, "/");
  for (int n = 1; n <= 20; ++n) experiment.request(with_n(n), 30ms);
  CHECK(slow.begun == 0);
  experiment.settle();
  CHECK(slow.begun == 1);
  CHECK(shown(experiment) == "20");
}

TEST_CASE("a newer request cancels the run in progress, whose report is never seen") {
  Slow slow;
  Experiment experiment(slow.lesson, nullptr, "/");
  experiment.request(with_n(1));
  experiment.settle();
  slow.hold = true;
  experiment.request(with_n(2));
  REQUIRE(soon([&] { return slow.begun == 2; }));
  CHECK(experiment.progress().running);
  CHECK(experiment.latest()->inputs_hash != experiment.wanted());  // stale, and shown so
  experiment.request(with_n(3), 10ms);
  slow.hold = false;
  experiment.settle();
  CHECK(shown(experiment) == "3");
  CHECK(experiment.generation() == 2);
}

TEST_CASE(
    "a request that follows lets a draft in progress end, and of those that wait the newest is "
    "next") {
  Slow slow;
  Experiment experiment(slow.lesson, nullptr, "/");
  slow.hold = true;
  experiment.request(with_n(1), 0ms, Experiment::Pace::follow);
  REQUIRE(soon([&] { return slow.begun == 1; }));
  for (int n = 2; n <= 9; ++n) experiment.request(with_n(n), 0ms, Experiment::Pace::follow);
  slow.hold = false;
  REQUIRE(soon([&] { return experiment.generation() >= 1; }));
  experiment.settle();
  CHECK(slow.begun == 2);
  CHECK(experiment.generation() == 2);  // both were seen
  CHECK(shown(experiment) == "9");
}

TEST_CASE(
    "a draft that leaves something out is seen until the whole run, which follows by itself") {
  Slow slow;
  slow.lesson.experiment = [&](Lab& lab) {
    ++slow.begun;
    show_n(lab);
    if (lab.leaves_out()) return;
    while (slow.hold && !lab.cancelled()) std::this_thread::sleep_for(1ms);
    lab.show({"long", Message::plain("long"), std::nullopt, TextExhibit{Message::plain("long")}});
  };
  Experiment experiment(slow.lesson, nullptr, "/");
  experiment.request(with_n(1));
  experiment.settle();
  CHECK(experiment.draft() == nullptr);
  slow.hold = true;
  experiment.request(with_n(2), 0ms, Experiment::Pace::follow);
  REQUIRE(soon([&] { return slow.begun == 3; }));  // the draft has ended, and nothing newer came
  REQUIRE(experiment.draft());
  CHECK(experiment.draft()->inputs_hash == experiment.wanted());
  CHECK(experiment.draft()->find("n"));
  CHECK_FALSE(experiment.draft()->find("long"));
  CHECK(shown(experiment) == "1");
  SECTION("it ends") {
    slow.hold = false;
    experiment.settle();
    CHECK(experiment.draft() == nullptr);
    CHECK(shown(experiment) == "2");
    CHECK(experiment.latest()->find("long"));
    CHECK(experiment.generation() == 3);
  }
  SECTION("it gives way to the next draft, and then there is a whole run of that") {
    experiment.request(with_n(3), 0ms, Experiment::Pace::follow);
    REQUIRE(soon([&] { return slow.begun == 5; }));
    CHECK(experiment.draft()->inputs_hash == experiment.wanted());
    CHECK(shown(experiment) == "1");
    slow.hold = false;
    experiment.settle();
    CHECK(shown(experiment) == "3");
  }
}

TEST_CASE("a preview is a draft, and then the whole run; it gives up what is in progress") {
  Slow slow;
  slow.lesson.experiment = [&](Lab& lab) {
    ++slow.begun;
    while (slow.hold && !lab.cancelled()) std::this_thread::sleep_for(1ms);
    show_n(lab);
    if (lab.leaves_out()) return;
    lab.show({"long", Message::plain("long"), std::nullopt, TextExhibit{Message::plain("long")}});
  };
  Experiment experiment(slow.lesson, nullptr, "/");
  slow.hold = true;
  experiment.request(with_n(1), 0ms, Experiment::Pace::preview);
  REQUIRE(soon([&] { return slow.begun == 1; }));
  experiment.request(with_n(2), 0ms, Experiment::Pace::preview);
  slow.hold = false;
  experiment.settle();
  CHECK(slow.begun == 3);
  CHECK(experiment.generation() == 2);  // the first one's draft was given up
  CHECK(shown(experiment) == "2");
  CHECK(experiment.latest()->find("long"));
}

TEST_CASE("a draft that leaves nothing out is the whole run") {
  Slow slow;
  Experiment experiment(slow.lesson, nullptr, "/");
  experiment.request(with_n(4), 0ms, Experiment::Pace::follow);
  experiment.settle();
  CHECK(slow.begun == 1);
  CHECK(experiment.draft() == nullptr);
  CHECK(shown(experiment) == "4");
}

TEST_CASE("where the inputs have come to rest, a draft of older ones is given up") {
  Slow slow;
  slow.lesson.experiment = [&](Lab& lab) {
    ++slow.begun;
    while (lab.integer("n") == 1 && !lab.cancelled()) std::this_thread::sleep_for(1ms);
    show_n(lab);
  };
  Experiment experiment(slow.lesson, nullptr, "/");
  experiment.request(with_n(1), 0ms, Experiment::Pace::follow);
  REQUIRE(soon([&] { return slow.begun == 1; }));
  experiment.request(with_n(2), 0ms, Experiment::Pace::follow);
  experiment.rest();
  experiment.settle();
  CHECK(shown(experiment) == "2");
  CHECK(experiment.generation() == 1);
}

TEST_CASE("what a run publishes can be seen until it ends") {
  Slow slow;
  std::atomic<bool> publish{false};
  slow.lesson.experiment = [&](Lab& lab) {
    ++slow.begun;
    lab.show({"n", Message::plain("n"), std::nullopt, TextExhibit{Message::plain("half"), false}});
    if (publish) lab.publish();
    while (slow.hold && !lab.cancelled()) std::this_thread::sleep_for(1ms);
    lab.show({"n", Message::plain("n"), std::nullopt, TextExhibit{Message::plain("whole"), false}});
  };
  Experiment experiment(slow.lesson, nullptr, "/");
  std::atomic<int> news{0};
  experiment.on_news([&] { ++news; });
  slow.hold = true;
  experiment.request(with_n(1));
  REQUIRE(soon([&] { return slow.begun == 1; }));
  CHECK(experiment.unfinished() == nullptr);  // it has published nothing
  slow.hold = false;
  experiment.settle();
  publish = true;
  slow.hold = true;
  const int before = news;
  experiment.request(with_n(2));
  REQUIRE(soon([&] { return experiment.unfinished() != nullptr; }));
  CHECK(soon([&] { return news > before; }));
  const auto seen = experiment.unfinished();
  CHECK(seen->inputs_hash == experiment.wanted());
  CHECK(seen->find_as<TextExhibit>("n")->text.text == "half");
  CHECK(experiment.generation() == 1);
  CHECK(shown(experiment) == "whole");  // of the run before
  slow.hold = false;
  experiment.settle();
  CHECK(experiment.unfinished() == nullptr);
  CHECK(shown(experiment) == "whole");
  CHECK(experiment.generation() == 2);
}

TEST_CASE("cancel keeps the report before") {
  Slow slow;
  Experiment experiment(slow.lesson, nullptr, "/");
  experiment.request(with_n(1));
  experiment.settle();
  slow.hold = true;
  experiment.request(with_n(2));
  REQUIRE(soon([&] { return slow.begun == 2; }));
  experiment.cancel();
  experiment.settle();
  CHECK(shown(experiment) == "1");
  CHECK(experiment.generation() == 1);
}

TEST_CASE("an experiment may be closed in the middle of a run") {
  Slow slow;
  slow.hold = true;
  {
    Experiment experiment(slow.lesson, nullptr, "/");
    experiment.request(with_n(1));
    REQUIRE(soon([&] { return slow.begun == 1; }));
  }
  CHECK(slow.begun == 1);
}

TEST_CASE("inputs that are wrong come back as a report with the error") {
  Slow slow;
  Experiment experiment(slow.lesson, nullptr, "/");
  experiment.request(with_n(5000));
  experiment.settle();
  REQUIRE(experiment.latest());
  CHECK(experiment.latest()->errors.size() == 1);
  CHECK(experiment.latest()->inputs_hash == experiment.wanted());
  CHECK(slow.begun == 0);
}

}  // namespace warpbook::tests::experiment_test
