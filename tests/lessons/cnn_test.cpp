// The chapter on CNNs: its example by hand, its three convolutions, and what its long trainings came to.
#include <algorithm>
#include <cmath>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "device/platform.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/layers/layers_summary.hpp"
#include "lab/operation/kernel_check.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"
#include "tests/temporary_folder.hpp"
#include "training/trainer.hpp"

namespace warpbook::cnn_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using Int = std::int64_t;
using Layers = lab::LayersExhibit;
using Work = Layers::Work;

const std::string kTrained = "shapes-trained", kNumbers = "label-numbers",
                  kRandom = "random-labels";

lab::Report run(const Values& values = {}) { return tests::chapter::run("cnn", values); }

/// The default run, once for all tests that read it.
const lab::Report& usual() {
  static const lab::Report report = run();
  return report;
}

const Layers::Layer& layer(const lab::Report& report, const std::string& name) {
  const auto& layers = exhibit<Layers>(report, "layers").layers;
  const auto found = std::ranges::find(layers, name, &Layers::Layer::name);
  REQUIRE(found != layers.end());
  return *found;
}

bool all_right(const lab::Report& report) {
  return exhibit<lab::CheckExhibit>(report, "check").passed();
}

double accuracy(const lab::Report& report, const std::string& of) {
  return std::stod(figure(report, of + "-accuracy"));
}

}  // namespace

TEST_CASE("CNN's example comes out as by hand, and its kernels are clean") {
  CHECK(usual().errors.empty());
  CHECK(all_right(usual()));
  CHECK(answer(usual(), "dw") == "8");
  CHECK(answer(usual(), "dx") == "6");
  CHECK(answer(usual(), "stamped") == "data");
}

TEST_CASE("CNN's scattered gradient is found to race") {
  tests::chapter::Circumstances scattered;
  scattered.slot = lessons::find("cnn")->slots.front().name;  // where the page puts it
  scattered.source = tests::chapter::variant("cnn", "scattered");
  const lab::Report report = tests::chapter::run("cnn", {}, scattered);
  CHECK_FALSE(all_right(report));
  CHECK_FALSE(report.errors.empty());
}

TEST_CASE("CNN begins with the loss of guessing, and a weight's gradient sums over all images") {
  CHECK(answer(usual(), "loss") == "2.3");
  CHECK(answer(usual(), "products") == "10,240");
}

TEST_CASE(
    "CNN's backward filter takes longest of its three convolutions, and has the fewest blocks") {
  CHECK(answer(usual(), "longest-of-three") == "weights");
  CHECK(figure(usual(), "forward-blocks") == "20");
  CHECK(figure(usual(), "data-blocks") == "20");
  CHECK(figure(usual(), "filter-blocks") == "6");
}

TEST_CASE(
    "CNN's layers have maps and gradients of the shown image, and conv1 none of the image's") {
  const auto& layers = exhibit<Layers>(usual(), "layers");
  CHECK(lab::valid(layers));
  CHECK(layers.images == 10);
  REQUIRE(layers.layers.size() == 8);
  CHECK(layers.layers.front().gradient.data.empty());
  CHECK(lab::time_of(layer(usual(), "conv1"), Work::data).seconds == 0);
  CHECK(lab::time_of(layer(usual(), "conv2"), Work::data).seconds > 0);
  CHECK(lab::time_of(layer(usual(), "fc"), Work::data).seconds > 0);
  CHECK(lab::time_of(layer(usual(), "fc"), Work::update).seconds > 0);
  CHECK(layer(usual(), "conv1").parameters == 224);
  CHECK(layer(usual(), "conv2").parameters == 1168);
  CHECK(layer(usual(), "fc").parameters == 10250);
  for (std::size_t i = 1; i < layers.layers.size(); ++i) {
    CAPTURE(layers.layers[i].name);
    CHECK(layers.layers[i].gradient.shape == layers.layers[i].map.shape);
    CHECK_FALSE(layers.layers[i].gradient.data.empty());
  }
}

TEST_CASE("CNN's results of layers take most of a step's memory") {
  CHECK(answer(usual(), "most-memory") == "results");
}

TEST_CASE("CNN's network is built as the reader asks") {
  const lab::Report report = run({{"filters", Int{4}},
                                  {"K", std::string("5")},
                                  {"pooling", std::string("average")},
                                  {"images", Int{2}}});
  CHECK(report.errors.empty());
  CHECK(layer(report, "conv1").parameters == 4 * (3 * 25 + 1));
  CHECK(layer(report, "conv2").shape == std::vector<std::uint64_t>{8, 16, 16});
  const auto& pooling = layer(report, "pool1").costs.front().kernel;
  CHECK(pooling.find("pooling_average") != std::string::npos);
}

TEST_CASE(
    "CNN's trained weights answer held-out images as their training did, and other networks refuse "
    "them") {
  const lab::Report report = run({{"task", kTrained}});
  CHECK(report.errors.empty());
  const auto& matrix = exhibit<lab::TensorExhibit>(report, "confusion");
  double all = 0, right = 0;
  for (std::uint64_t i = 0; i < lab::count(matrix); ++i) {
    all += lab::element(matrix, i);
    if (i / 10 == i % 10) right += lab::element(matrix, i);
  }
  CHECK(all == 100);
  CHECK(right >= 80);
  const lab::Report other = run({{"task", kTrained}, {"filters", Int{4}}});
  REQUIRE_FALSE(other.errors.empty());
  CHECK(other.errors.front().code == device::ErrorCode::file_unreadable);
}

TEST_CASE("CNN's recorded trainings: shapes carry over, random labels are learned by heart") {
  CHECK(accuracy(usual(), "training") == 100);
  CHECK(accuracy(usual(), "held-out") >= 80);
  const lab::Report random = run({{"task", kRandom}});
  CHECK(answer(random, "training-accuracy") == "100");
  CHECK(answer(random, "held-out-accuracy") == "10");
}

TEST_CASE("CNN's recorded trainings say what they ran on as a run of today does") {
  const lab::Exhibit* recorded = usual().find("recorded");
  REQUIRE(recorded);
  CHECK(recorded->evidence->on == lab::Message{"phrase.device.simulated", {{"gpu", "H200"}}, {}});
}

TEST_CASE("CNN's recorded curves go from guessing to what the end says, in both shares") {
  const auto& curve = exhibit<lab::CurveExhibit>(usual(), "recorded");
  REQUIRE(curve.series.size() == 2);
  for (const auto& [series, share] : {std::pair{0, "training"}, std::pair{1, "held-out"}}) {
    CAPTURE(share);
    const lab::TensorExhibit& shares = curve.series[static_cast<std::size_t>(series)].values;
    REQUIRE(lab::count(shares) == 101);
    CHECK(lab::element(shares, 0) <= 20);
    CHECK(std::abs(lab::element(shares, 100) - accuracy(usual(), share)) < 0.06);
  }
}

TEST_CASE("CNN's trained network says what the reader drew, whatever else it learns") {
  const std::string ring = std::string(WARPBOOK_SOURCE_DIR) + "/lessons/cnn/drawings/ring.png";
  const std::string task = GENERATE(as<std::string>(), "shapes", "random-labels");
  const lab::Report report = run({{"drawing", ring}, {"task", task}, {"filters", Int{4}}});
  CHECK(report.errors.empty());
  const auto& bars = exhibit<lab::BarsExhibit>(report, "drawing");
  REQUIRE(bars.groups.size() == 1);
  CHECK(bars.groups[0].bars.size() == 10);
  for (std::size_t shape = 0; shape < 10; ++shape)
    CHECK(bars.groups[0].bars[shape].label.key == "cnn.shape." + std::to_string(shape));
  CHECK(bars.groups[0].bars[1].value > 50);
  REQUIRE(!bars.says.arguments.empty());
  CHECK(bars.says.arguments[0].value.key == "cnn.shape.1");
  double all = 0;
  for (const auto& bar : bars.groups[0].bars) all += bar.value;
  CHECK(std::abs(all - 100) < 1e-3);
  CHECK(exhibit<lab::TensorExhibit>(report, "drawn").shape == std::vector<std::uint64_t>{32, 32});
}

TEST_CASE(
    "CNN names the shapes where nothing is drawn, and says what is wrong with a drawing that is "
    "gone") {
  const auto& none = exhibit<lab::BarsExhibit>(usual(), "drawing");
  CHECK(none.says.key == "cnn.drawing.none");
  REQUIRE(none.groups.size() == 1);
  REQUIRE(none.groups[0].bars.size() == 10);
  for (std::size_t shape = 0; shape < 10; ++shape)
    CHECK(none.groups[0].bars[shape].label.key == "cnn.shape." + std::to_string(shape));
  const lab::Report gone = run({{"drawing", std::string("/no/such/drawing.png")}});
  REQUIRE(gone.errors.size() == 1);
  CHECK(gone.errors[0].code == device::ErrorCode::file_unreadable);
  CHECK(exhibit<lab::BarsExhibit>(gone, "drawing").says.key == "cnn.drawing.none");
}

TEST_CASE("CNN's label numbers learn less with the same steps") {
  const lab::Report numbers = run({{"task", kNumbers}});
  CHECK(numbers.errors.empty());
  CHECK(exhibit<lab::CurveExhibit>(numbers, "recorded").series.size() == 2);
  CHECK(accuracy(numbers, "held-out") < accuracy(usual(), "held-out") - 20);
  CHECK(accuracy(numbers, "training") < accuracy(usual(), "training") - 20);
}

TEST_CASE("CNN's recorded trainings come out again, point by point", "[long]") {
  const auto [task, preset] =
      GENERATE(table<std::string, std::string>({{"shapes", "cnn"},
                                                {"random-labels", "cnn-random-labels"},
                                                {"label-numbers", "cnn-label-numbers"}}));
  CAPTURE(task);
  const std::string folder = std::string(WARPBOOK_SOURCE_DIR) + "/lessons/cnn/recorded/";
  const auto text = device::read_file(folder + task + ".json");
  REQUIRE(text);
  const auto recorded = nlohmann::json::parse(*text);
  const auto lab = lab::checking_lab(tests::chapter::compiler(), WARPBOOK_SOURCE_DIR, "h200");
  REQUIRE(lab);
  training::Engine engine(**lab);
  engine.set_checks({.memcheck = true, .initcheck = false});
  training::Trainer trainer(engine, **training::find_preset(preset), recorded["seed"]);
  training::Controls controls;
  controls.ask_all = true;
  trainer.run(recorded["steps"], controls);
  const training::TrainingReport report = trainer.report();
  REQUIRE(report.curve.size() == recorded["curve"].size());
  for (std::size_t i = 0; i < report.curve.size(); ++i) {
    CAPTURE(i);
    CHECK(report.curve[i].loss == recorded["curve"][i]["loss"]);
    CHECK(report.curve[i].accuracy == recorded["curve"][i]["accuracy"].get<double>());
    CHECK(report.curve[i].held_out == recorded["curve"][i]["held_out"].get<double>());
  }
  CHECK(report.training == recorded["training"].get<double>());
  CHECK(report.held_out == recorded["held_out"].get<double>());
  if (task != "shapes") return;
  // The weights with which the chapter shows the trained network, and what Adam remembers of them.
  const tests::TemporaryFolder temporary;
  REQUIRE(trainer.save(temporary.path() / "shapes.state"));
  const auto saved = device::read_file(temporary.path() / "shapes.state"),
             kept = device::read_file(folder + "shapes.state");
  REQUIRE(saved);
  REQUIRE(kept);
  const bool same_bytes = *saved == *kept;
  CHECK(same_bytes);
}

}  // namespace warpbook::cnn_test
