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
  explicit Trial(const std::string& name) {
    write("first");
    lesson_.slug = "trial";
    lesson_.parameters = {whole_number("n"), whole_number("other")};
    lesson_.experiment = [this, name](Lab& lab) {
      given_ = {};
      lab.side_by_side({remembered({.name = name,
                                    .unread = {"other"},
                                    .fixed = fixed,
                                    .run = [this](Lab& part) { run_part(part); },
                                    .gives = gives ? &given_ : nullptr,
                                    .draft = in_draft})});
    };
  }
  void write(const std::string& note) { (void)root_.write("note.txt", note); }
  /// The same as a draft, and whether that left something out.
  std::pair<Report, bool> draft(std::int64_t n) {
    Inputs inputs;
    inputs.values.set("n", n);
    Draft draft;
    Report report = lab::run(lesson_, inputs, compiler_, root_.path().string(), {}, {},
                             device::kLessonChecks, false, {}, &draft);
    return {std::move(report), draft.left_out.load()};
  }
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
  bool fixed = false, gives = false;
  Lab::Part in_draft;
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
  trial.gives = true;
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

TEST_CASE("a part that depends on no parameter runs once for all of them") {
  Trial trial("remembered.fixed");
  trial.fixed = true;
  CHECK(note_in(trial.run(1)) == "first1");
  CHECK(note_in(trial.run(2, 3)) == "first1");
  CHECK(trial.runs == 1);
}

TEST_CASE("a draft shows what a part showed before, and leaves out what would have to run") {
  Trial trial("remembered.draft");
  const auto [nothing, some_left_out] = trial.draft(1);
  CHECK(nothing.exhibits.empty());
  CHECK(some_left_out);
  CHECK(trial.runs == 0);
  (void)trial.run(1);
  const auto [whole, left_out] = trial.draft(1);
  CHECK(note_in(whole) == "first1");
  CHECK_FALSE(left_out);
  CHECK(trial.runs == 1);
}

TEST_CASE("a draft runs a part that gives other parts what they need, and does not keep it") {
  Trial trial("remembered.given-in-draft");
  trial.gives = true;
  const auto [draft, left_out] = trial.draft(3);
  CHECK(trial.given() == 3);
  CHECK(left_out);
  (void)trial.run(3);
  CHECK(trial.runs == 2);
}

TEST_CASE("what a draft shows instead of a part is not kept for the part") {
  Trial trial("remembered.coarser");
  trial.in_draft = [](Lab& part) {
    part.show({"note", Message::plain("note"), std::nullopt, TextExhibit{Message::plain("some")}});
  };
  const auto [draft, left_out] = trial.draft(1);
  CHECK(note_in(draft) == "some");
  CHECK(left_out);
  CHECK(note_in(trial.run(1)) == "first1");
  CHECK(note_in(trial.draft(1).first) == "first1");
}

TEST_CASE("a part runs anew once a file has changed that it read") {
  Trial trial("remembered.file");
  (void)trial.run(1);
  trial.write("second");
  CHECK(note_in(trial.run(1)) == "second1");
  CHECK(note_in(trial.run(1)) == "second1");
  CHECK(trial.runs == 2);
}

TEST_CASE("of what parts showed, that which was asked for longest ago makes room") {
  Trial trial("remembered.room");
  trial.also = [](Lab& part) {
    TensorExhibit large;
    large.name = "large";
    large.data.resize(kMostPartBytes / 3);
    large.shape = {large.data.size()};
    part.show({"large", Message::plain("large"), std::nullopt, std::move(large)});
  };
  (void)trial.run(1);
  (void)trial.run(2);
  (void)trial.run(1);
  CHECK(trial.runs == 2);
  (void)trial.run(3);
  CHECK(trial.runs == 3);
  CHECK(part_bytes_of_before() <= kMostPartBytes);
  (void)trial.run(1);
  CHECK(trial.runs == 3);
  (void)trial.run(2);
  CHECK(trial.runs == 4);
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
