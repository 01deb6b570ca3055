// The first two minutes of a reader with the real chapter, as the design tells them: a question, an
// answer, wires; five elements; the guard deleted and put back; an exercise passed. In both
// languages, and by keyboard alone.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::first_minutes_test {
namespace {
std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Index of a choice of a question, from 1, as the keyboard takes it.
int key_of(const lab::Document& document, const std::string& id, const std::string& value) {
  for (const lab::DocumentNode& block : document.nodes) {
    const auto* predict = std::get_if<lab::PredictDirective>(&block);
    if (!predict || predict->id != id) continue;
    for (std::size_t i = 0; i < predict->choices.size(); ++i) {
      if (predict->choices[i].value == value) return static_cast<int>(i) + 1;
    }
  }
  return 0;
}

void press_number(Stage& stage, int number) {
  stage.act(
      [number](ImGuiTestContext& t) { t.KeyPress(static_cast<ImGuiKey>(ImGuiKey_0 + number)); });
  stage.settle();
}

std::string out_of(const Book& book) {
  const auto* out = book.report() ? book.report()->find_as<lab::TensorExhibit>("out") : nullptr;
  std::string text;
  for (std::uint64_t i = 0; out && i < lab::count(*out); ++i)
    text += (i ? " " : "") + lab::element_text(*out, i);
  return text;
}
}  // namespace

TEST_CASE("the first two minutes with First kernel, by keyboard alone", "[ci]") {
  for (const std::string language : {"en", "zh"}) {
    CAPTURE(language);
    Stage stage(1440, 900, language);
    stage.open("first-kernel");
    Book& book = stage.book();

    // The page is a question, two arrays, four choices, a veiled picture.
    const auto& first = std::get<lab::PredictDirective>(*std::ranges::find_if(
        book.document().nodes,
        [](const auto& b) { return std::holds_alternative<lab::PredictDirective>(b); }));
    CHECK(first.choices.size() == 4);
    CHECK(book.veil("wires") == &first);

    // An answer; the veil lifts; 6 8 10 12.
    press_number(stage, key_of(book.document(), first.id, "6 8 10 12"));
    REQUIRE(book.answered(first.id));
    CHECK(book.veil("wires") == nullptr);
    CHECK(out_of(book) == "6 8 10 12");
    CHECK(book.right_value(first) == "6 8 10 12");

    // n is 5: predict the idle lanes. Wrong first: the deciding run is shown beside it.
    stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Q); });
    stage.settle();
    press_number(stage, key_of(book.document(), "idle-of-five", "0"));
    REQUIRE(book.answered("idle-of-five"));
    CHECK(book.inputs().values.integer("n") == 5);
    CHECK(out_of(book) == "6 8 10 12 14");
    CHECK(book.report()->find_as<lab::GeometryExhibit>("geometry")->idle == 3);

    // The guard is deleted in the editor: the finding stands at its line, the data is intact, undo
    // puts it back.
    const std::string guarded = book.source("add");
    const std::size_t at = guarded.find("if (i < n)");
    REQUIRE(at != std::string::npos);
    CodeEditor& editor = stage.shell().lab().code().editor("add");
    const auto line = static_cast<std::size_t>(
        std::count(guarded.begin(), guarded.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    const std::size_t column = at - (guarded.rfind('\n', at) + 1);
    stage.act(
        [&](ImGuiTestContext& t) {  // one act: the Test Engine takes the focus away between two
          t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
          t.Yield(3);
          editor.widget().SelectRegion({line, column}, {line, column + 10});
          t.KeyPress(ImGuiKey_Delete);
        });
    stage.settle();
    CHECK(book.source("add").find("if (i < n)") == std::string::npos);
    const auto* found = book.report()->find_as<lab::SourceExhibit>("add");
    REQUIRE(found);
    REQUIRE_FALSE(found->marks.empty());
    CHECK(out_of(book) == "6 8 10 12 14");
    stage.act([](ImGuiTestContext& t) {
      t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
      t.Yield(3);
      t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    });
    stage.settle();
    CHECK(book.source("add") == guarded);
    CHECK(book.report()->find_as<lab::SourceExhibit>("add")->marks.empty());
  }
}

TEST_CASE("saxpy is passed from the keyboard, and its starter is not", "[ci]") {
  Stage stage;
  stage.open("first-kernel");
  Book& book = stage.book();
  stage.shell().document().go_to_step("make");
  stage.settle();
  REQUIRE(book.active_attempt());
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter); });
  stage.settle();
  REQUIRE(book.active_attempt()->result());
  CHECK_FALSE(book.active_attempt()->result()->passed);
  CHECK(book.active_attempt()->hint() != nullptr);
  book.write_exercise("saxpy",
                      read(std::filesystem::path(WARPBOOK_SOURCE_DIR) / "solutions/saxpy.cu"));
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter); });
  stage.settle();
  CHECK(book.active_attempt()->result()->passed);
  CHECK(book.active_attempt()->passed());
}

TEST_CASE("a run that a newer change ends at any moment does no harm", "[ci]") {
  Stage stage;
  stage.open("first-kernel");
  for (int i = 0; i < 150; ++i) {
    lab::Inputs inputs = stage.book().inputs();
    inputs.values.set("n", std::int64_t{1 + i % 40});
    stage.book().set_inputs(std::move(inputs));
    std::this_thread::sleep_for(std::chrono::microseconds(37 * i));
    if (i % 10 == 0) stage.frame();
  }
  stage.settle();
  CHECK_FALSE(stage.book().stale());
  CHECK(stage.book().report()->errors.empty());
}

TEST_CASE("what decides each question of First kernel is a run of its own, with its own source",
          "[ci]") {
  Stage stage;
  stage.open("first-kernel");
  for (const lab::DocumentNode& block : stage.book().document().nodes) {
    const auto* predict = std::get_if<lab::PredictDirective>(&block);
    if (!predict) continue;
    CAPTURE(predict->id);
    const auto right = stage.book().right_value(*predict);
    REQUIRE(right);
    CHECK(std::ranges::count(predict->choices, *right, &lab::PredictDirective::Choice::value) == 1);
    const auto report = stage.book().side_report(case_of(*predict));
    if (!predict->source_text.empty())
      CHECK(report->find_as<lab::SourceExhibit>("add")->text == predict->source_text);
    for (const device::Error& error : report->errors) UNSCOPED_INFO(error.english());
    if (predict->id == "strays-of-thousand") CHECK(*right == "24");
  }
}

}  // namespace warpbook::gui::first_minutes_test
