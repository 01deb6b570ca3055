// Parts of an experiment that are shown again instead of run again, where nothing that they depend on has changed.
#include <any>
#include <atomic>
#include <stop_token>

#include <catch2/catch_test_macros.hpp>

#include "lab/experiment/remembered_part.hpp"
#include "lab/text/source_text.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::remembered_part_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

Parameter whole_number(const std::string& name) {
  Parameter made;
  made.name = name;
  made.initial = std::int64_t{0};
  made.maximum = 100;
  return made;
}

/// A lesson of one part that reads a note from a file and shows it with `n`; how often it ran, and what else it does.
class Trial {
 public:
  explicit Trial(std::string name) {
    write("first");
    lesson_.slug = "trial";
    lesson_.parameters = {whole_number("n"), whole_number("other")};
    lesson_.experiment = [this, name](Lab& lab) {
      given_ = {};
      lab.side_by_side({remembered({.name = name,
                                    .unread = {"other"},
                                    .run = [this](Lab& part) { run_part(part); },
                                    .gives = &given_})});
    };
  }
  void write(const std::string& note) { (void)root_.write("note.txt", note); }
  Report run(std::int64_t n, std::int64_t other = 0, const std::string& gpu = "h200",
             std::stop_token stop = {}) {
    Inputs inputs;
    inputs.values.set("n", n);
    inputs.values.set("other", other);
    inputs.gpu = gpu;
    return lab::run(lesson_, inputs, compiler_, root_.path().string(), std::move(stop));
  }
  /// What the part gave in the last run.
  [[nodiscard]] std::int64_t given() const { return std::any_cast<std::int64_t>(given_); }
  int runs = 0;
  std::function<void(Lab&)> also;

 private:
  void run_part(Lab& part) {
    ++runs;
    const std::string note = require(read_source_file(part.context().root, "note.txt"));
    part.show({"note", Message::plain("note"), std::nullopt,
               TextExhibit{Message::plain(note + std::to_string(part.integer("n")))}});
    given_ = part.integer("n");
    if (also) also(part);
  }
  std::any given_;
  TemporaryFolder root_;
  std::shared_ptr<device::Compiler> compiler_ = std::make_shared<device::Compiler>();
  Lesson lesson_;
};

std::string note_in(const Report& report) {
  const auto* text = report.find_as<TextExhibit>("note");
  return text ? text->text.text : "";
}

}  // namespace

TEST_CASE("a part whose inputs are those of a run before shows what it showed then") {
  Trial trial("remembered.inputs");
  CHECK(note_in(trial.run(1)) == "first1");
  CHECK(note_in(trial.run(2)) == "first2");
  CHECK(note_in(trial.run(1)) == "first1");
  CHECK(trial.runs == 2);
}

TEST_CASE("a part that is shown again gives what it gave then") {
  Trial trial("remembered.gives");
  for (const std::int64_t n : {1, 2, 1}) {
    (void)trial.run(n);
    CHECK(trial.given() == n);
  }
  CHECK(trial.runs == 2);
}

TEST_CASE("a part runs anew for another GPU, not for a parameter that it does not read") {
  Trial trial("remembered.gpu");
  (void)trial.run(1, 0);
  (void)trial.run(1, 5);
  CHECK(trial.runs == 1);
  (void)trial.run(1, 0, "t4");
  CHECK(trial.runs == 2);
}

TEST_CASE("a part runs anew once a file has changed that it read") {
  Trial trial("remembered.file");
  (void)trial.run(1);
  trial.write("second");
  CHECK(note_in(trial.run(1)) == "second1");
  CHECK(note_in(trial.run(1)) == "second1");
  CHECK(trial.runs == 2);
}

TEST_CASE("a part that failed, was stopped or printed runs anew") {
  Trial trial("remembered.failed");
  std::stop_source stop;
  SECTION("it reports an error") {
    trial.also = [](Lab& part) { part.report_error({device::ErrorCode::leaked, {}, {}}); };
    CHECK(trial.run(1).errors.size() == 1);
  }
  SECTION("it throws") {
    trial.also = [](Lab&) {
      throw ExperimentFailed{{device::ErrorCode::out_of_memory, {}, {}}, {}};
    };
    CHECK(trial.run(1).errors.size() == 1);
  }
  SECTION("it is stopped, and shows what it has") {
    trial.also = [&](Lab&) { stop.request_stop(); };
    (void)trial.run(1, 0, "h200", stop.get_token());
  }
  SECTION("its kernel prints") {
    trial.also = [](Lab& part) {
      device::Launch launch;
      launch.module = part.compile_source(
          "says.cu", "#include <cstdio>\n__global__ void says() { printf(\"hello\\n\"); }\n");
      launch.grid = launch.block = {1, 1, 1};
      (void)part.launch(std::move(launch));
    };
    const Report report = trial.run(1);
    const auto* output = report.find_as<TextExhibit>("output");
    REQUIRE(output != nullptr);
    CHECK(output->text.text == "hello\n");
  }
  (void)trial.run(1);
  CHECK(trial.runs == 2);
}

}  // namespace warpbook::tests::remembered_part_test
