// A lecture that was prepared: its file, and the runs that are kept of it.
#include "lab/book/demo.hpp"

#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "tests/keyed.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::demo_test {
using namespace warpbook;
using namespace warpbook::lab;

namespace {
Lesson lesson() {
  Lesson made;
  made.slug = "x";
  Parameter n;
  n.name = "n";
  n.initial = std::int64_t{4};
  n.minimum = 1;
  n.maximum = 100;
  made.parameters = {n};
  made.slots = {{"add", "kernels/add/01_guarded.cu"}};
  made.figures = {{"when", [](const Report& report) { return report.when; }}};
  return made;
}

Document chapter() {
  auto document = parse_document(
      "# T\n\n```step\nname = \"ask\"\n```\n\n```predict\nid = \"idle\"\nquestion = \"q\"\n"
      "answer = \"c\"\nset = { n = \"5\" }\nright = \"r\"\n[[choice]]\ntext = \"a\"\n"
      "value = \"1\"\n[[choice]]\ntext = \"b\"\nvalue = \"2\"\nmisconception = \"m\"\n"
      "why = \"w\"\n```\n",
      "en.md", "en");
  REQUIRE(document.has_value());
  return *document;
}

device::Expected<Demo> loaded(const TemporaryFolder& folder, const std::string& toml) {
  return load_demo(folder.write("demo.toml", toml));
}

/// The first problem of a demo, with the file's name without its folder.
std::string refusal(const std::string& toml) {
  const TemporaryFolder folder;
  const auto demo = loaded(folder, toml);
  std::optional<device::Error> error;
  if (!demo) {
    error = demo.error();
  } else if (const auto problems = validate(*demo, lesson(), chapter()); !problems.empty()) {
    error = problems.front();
  }
  if (!error) return {};
  error->place.file = std::filesystem::path(error->place.file).filename().string();
  return keyed(*error);
}

DemoRuns runs_at(const std::string& when) {
  auto report = std::make_shared<Report>();
  report->subject = "x";
  report->when = when;
  report->inputs_hash = 7;
  return {report, nullptr};
}
}  // namespace

TEST_CASE("a demo's own minutes make the plan of its lecture") {
  const TemporaryFolder folder;
  const std::string begin = "chapter = \"x\"\n";
  const std::string screen = "[[screen]]\nquestion = \"idle\"\n";
  const auto timed =
      loaded(folder, begin + screen + "minutes = 2.5\n" + screen + screen + "minutes = 2.5\n");
  REQUIRE(timed);
  const auto plan = plan_of(*timed);
  REQUIRE(plan);
  CHECK(plan->minutes == 5);
  REQUIRE(plan->items.size() == 3);
  CHECK(plan->items[0].minutes + plan->items[1].minutes + plan->items[2].minutes == 5);
  CHECK(plan->items[1].text == "2, idle");
  CHECK_FALSE(plan_of(*loaded(folder, begin + screen)));
}

TEST_CASE("a demo names its screens with parameters, sources, answers and minutes") {
  const TemporaryFolder folder;
  folder.write("mine.cu", "__global__ void add() {}\n");
  const auto demo = loaded(folder,
                           "chapter = \"x\"\n\n[[screen]]\nquestion = \"idle\"\nminutes = 2.5\n"
                           "note = \"Wait.\"\n\n[[screen]]\nexhibit = \"out\"\nset = { n = 8 }\n"
                           "gpu = \"T4\"\nsource = \"mine.cu\"\nreveal = [\"idle\"]\n");
  REQUIRE(demo.has_value());
  CHECK(demo->chapter == "x");
  REQUIRE(demo->screens.size() == 2);
  CHECK(demo->screens[0].question == "idle");
  CHECK(demo->screens[0].minutes == 2.5);
  CHECK(demo->screens[0].note == "Wait.");
  CHECK(demo->screens[1].reveal == std::vector<std::string>{"idle"});
  CHECK(validate(*demo, lesson(), chapter()).empty());
  const Inputs inputs = demo_inputs(demo->screens[1], lesson());
  CHECK(inputs.values.integer("n") == 8);
  CHECK(inputs.gpu == "T4");
  CHECK(inputs.sources.at("add") == "__global__ void add() {}\n");
  CHECK(demo_inputs(demo->screens[0], lesson()).gpu == Inputs{}.gpu);
  CHECK(demo_screen_name(*demo, 1) == "2, out");
}

TEST_CASE("whatever is wrong in a demo is said with its line") {
  const std::string head = "chapter = \"x\"\n\n[[screen]]\n";
  CHECK(refusal("chapter = \"x\"\n") ==
        "demo.toml:1: missing_key(key=[[screen]], known=phrase.demo.screens, what=demo.toml)");
  CHECK(refusal(head + "note = \"n\"\n") ==
        "demo.toml:3: missing_key(key=question, known=phrase.demo.what-to-show, what=screen)");
  CHECK(refusal(head + "step = \"ask\"\nquestion = \"idle\"\n")
            .starts_with("demo.toml:5: bad_value(expected=phrase.demo.step-or-question"));
  CHECK(refusal(head + "step = \"ask\"\nminutes = 0\n")
            .starts_with("demo.toml:5: bad_value(expected=phrase.demo.minutes"));
  CHECK(refusal(head + "exhibit = \"../out\"\n")
            .starts_with("demo.toml:4: bad_value(expected=phrase.demo.exhibit"));
  CHECK(refusal(head + "step = \"ask\"\nsources = \"a.cu\"\n")
            .starts_with("demo.toml:5: unknown_key(key=sources"));
  CHECK(refusal(head + "step = \"ask\"\nsource = \"none.cu\"\n")
            .starts_with("demo.toml:5: file_unreadable("));
  CHECK(refusal(head + "step = \"aks\"\n") ==
        "demo.toml:4: unknown_name(kind=phrase.kind.step, known=ask, name=aks)");
  CHECK(refusal(head + "question = \"busy\"\n") ==
        "demo.toml:4: unknown_name(kind=phrase.kind.question, known=idle, name=busy)");
  CHECK(refusal(head + "step = \"ask\"\nreveal = [\"busy\"]\n")
            .starts_with("demo.toml:5: unknown_name(kind=phrase.kind.question"));
  CHECK(refusal(head + "step = \"ask\"\nset = { m = 1 }\n")
            .starts_with("demo.toml:5: unknown_name(kind=phrase.kind.parameter"));
  CHECK(refusal(head + "step = \"ask\"\nset = { n = 1000 }\n")
            .starts_with("demo.toml:5: parameter_out_of_range("));
  CHECK(refusal(head + "step = \"ask\"\ngpu = \"T5\"\n").starts_with("demo.toml:5: no_such_gpu("));
}

TEST_CASE("what a screen showed is kept beside the file, by what it shows and not by its place") {
  const TemporaryFolder folder;
  Demo demo{(folder.path() / "monday.toml").string(), "x", 1, {}};
  demo.screens.resize(3);
  demo.screens[0].question = "idle";
  demo.screens[1].step = "ask";
  demo.screens[2].step = "ask";
  for (std::size_t i = 0; i < 3; ++i)
    REQUIRE(keep_demo_runs(demo, i, runs_at("run " + std::to_string(i))).has_value());
  CHECK(std::filesystem::exists(folder.path() / "monday.recorded" / "idle.report"));
  CHECK(kept_demo_runs(demo, 2).shown->when == "run 2");
  demo.screens.erase(demo.screens.begin());
  CHECK(kept_demo_runs(demo, 0).shown->when == "run 1");
  CHECK(kept_demo_runs(demo, 1).shown->when == "run 2");
  CHECK(kept_demo_runs(demo, 1).deciding == nullptr);
}

TEST_CASE("a damaged file counts as nothing kept") {
  const TemporaryFolder folder;
  Demo demo{(folder.path() / "demo.toml").string(), "x", 1, {DemoScreen{}}};
  demo.screens[0].step = "ask";
  folder.write("demo.recorded/ask.report", "not a report");
  CHECK(kept_demo_runs(demo, 0).shown == nullptr);
}

TEST_CASE("figures that changed are named with both values") {
  CHECK(changed_figures(lesson(), runs_at("4"), runs_at("4")).empty());
  const auto changed = changed_figures(lesson(), runs_at("4"), runs_at("8"));
  REQUIRE(changed.size() == 1);
  CHECK(changed[0] == ChangedFigure{"when", "4", "8"});
  CHECK(changed_figures(lesson(), {}, runs_at("8")).empty());
}

TEST_CASE("an error counts unless the run that was kept had one, too") {
  Demo demo{"demo.toml", "x", 1, {DemoScreen{}}};
  auto failed = std::make_shared<Report>();
  failed->errors = {device::failure(device::ErrorCode::cancelled, {}).value()};
  const DemoRuns now{failed, nullptr};
  CHECK(demo_trouble(demo, 0, runs_at("4"), {}) == std::nullopt);
  CHECK(demo_trouble(demo, 0, now, {})->code == device::ErrorCode::cancelled);
  CHECK(demo_trouble(demo, 0, now, runs_at("4"))->code == device::ErrorCode::cancelled);
  CHECK(demo_trouble(demo, 0, now, now) == std::nullopt);
  demo.screens[0].exhibit = "wires";
  CHECK(demo_trouble(demo, 0, runs_at("4"), {})->code == device::ErrorCode::unknown_name);
}

}  // namespace warpbook::tests::demo_test
