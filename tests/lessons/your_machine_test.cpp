// The chapter Your machine without a window: what it says of PTX and of versions, over all its parameters, and what it finds on
// machines that are made up. Nothing here depends on what this machine has, except the compiler.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <thread>
#include <variant>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/gpu_table.hpp"
#include "lab/exhibits/gpu/gpu_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/render/render.hpp"
#include "lessons/catalogue.hpp"
#include "lessons/common.hpp"
#include "lessons/your-machine/cuda_versions.hpp"
#include "tests/lessons/chapter.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::lessons {
lab::Lesson your_machine();
}

namespace warpbook::your_machine_test {
namespace {

using lessons::CudaVersion;
using lessons::Verdict;
using tests::chapter::answer;
using tests::chapter::compiler;
using tests::chapter::figure;
using State = lab::StackExhibit::State;

const std::string kRoot = WARPBOOK_SOURCE_DIR;
const std::string kStandIns = WARPBOOK_STAND_INS;

/// A variable for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

using Values = std::vector<std::pair<std::string, std::string>>;

lab::Report run_of(const lab::Lesson& lesson, const Values& values,
                   const std::stop_token& stop = {},
                   const std::function<void(double, const lab::Message&)>& progress = {}) {
  lab::Inputs inputs;
  inputs.values = lab::defaults(lesson.parameters);
  for (const auto& [name, value] : values) inputs.values.set(name, value);
  return lab::run(lesson, inputs, compiler(), kRoot, stop, progress);
}
lab::Report run(const Values& values) { return run_of(*lessons::find("your-machine"), values); }

const lab::StackExhibit& stack(const lab::Report& report) {
  return tests::chapter::exhibit<lab::StackExhibit>(report, "stack");
}
const lab::StackExhibit::Part& part(const lab::StackExhibit& stack, std::string_view id) {
  const auto found = std::ranges::find(stack.parts, id, &lab::StackExhibit::Part::id);
  REQUIRE(found != stack.parts.end());
  return *found;
}

/// The chosen GPU as it is drawn.
const lab::GpuExhibit& drawn(const lab::Report& report) {
  return tests::chapter::exhibit<lab::GpuExhibit>(report, "figures");
}

}  // namespace

TEST_CASE("Your machine is the second chapter, and has no exercise and nothing to edit") {
  const lab::Lesson& second = lessons::catalogue()[1];
  CHECK(second.slug == "your-machine");
  CHECK(second.exercises.empty());
  CHECK(second.slots.empty());
}

TEST_CASE("Your machine: PTX runs on every GPU that is not older than it, and on no other") {
  // What each GPU is, told here once more, from NVIDIA's list of compute capabilities.
  const std::map<std::string, int> capabilities{{"T4", 75},
                                                {"RTX 2080 Ti", 75},
                                                {"RTX 2060 Laptop", 75},
                                                {"A100 40GB", 80},
                                                {"A100 80GB", 80},
                                                {"RTX 3090", 86},
                                                {"RTX 3080", 86},
                                                {"RTX 3070 Ti", 86},
                                                {"RTX 3060", 86},
                                                {"RTX 3050 Laptop", 86},
                                                {"RTX A6000", 86},
                                                {"RTX 4090", 89},
                                                {"RTX 4060 Laptop", 89},
                                                {"L4", 89},
                                                {"H100 SXM", 90},
                                                {"H200", 90},
                                                {"B200", 100},
                                                {"RTX 5090", 120},
                                                {"RTX PRO 6000 Blackwell", 120},
                                                {"RTX 5070 Laptop", 120}};
  const auto gpus = device::gpu_table();
  for (const char* arch : {"75", "80", "86", "89", "90", "100", "120"}) {
    const int asked = std::stoi(arch);
    const std::string& gpu = gpus[static_cast<std::size_t>(asked) % gpus.size()].name;
    CAPTURE(arch, gpu);
    const lab::Report report = run({{"arch", arch}, {"gpu", gpu}});
    CHECK(report.errors.empty());
    REQUIRE(capabilities.contains(gpu));
    CHECK(figure(report, "outcome") == (capabilities.at(gpu) >= asked ? "0 1 4 9" : "refused"));
    CHECK(figure(report, "target") == "sm_" + std::string(arch));
    const auto* loads = report.find_as<lab::CheckExhibit>("loads");
    REQUIRE(loads);
    REQUIRE(loads->items.size() == gpus.size());
    std::size_t ran = 0;
    for (const device::Properties& one : gpus) {
      const auto item = std::ranges::find(loads->items, one.name, &lab::CheckExhibit::Item::id);
      CAPTURE(one.name);
      REQUIRE(item != loads->items.end());
      REQUIRE(capabilities.contains(one.name));
      const bool runs = capabilities.at(one.name) >= asked;
      CHECK((item->state == lab::CheckExhibit::State::passed) == runs);
      CHECK(item->got.text == (runs ? "0 1 4 9" : ""));
      ran += runs ? 1 : 0;
    }
    CHECK(figure(report, "ran") == std::to_string(ran));
    CHECK(figure(report, "gpus") == std::to_string(gpus.size()));
  }
}

TEST_CASE("Your machine: of three generations, PTX runs on its own and on later ones") {
  CHECK(answer(run({{"arch", "75"}}), "of-three") == "T4 A100 H200");
  CHECK(answer(run({{"arch", "80"}}), "of-three") == "A100 H200");
  CHECK(answer(run({{"arch", "86"}}), "of-three") == "H200");
  CHECK(answer(run({{"arch", "120"}}), "of-three") == "none");
}

TEST_CASE("Your machine: every GPU has its figures, with their source") {
  for (const device::Properties& gpu : device::gpu_table()) {
    CAPTURE(gpu.name);
    const lab::Report report = run({{"gpu", gpu.name}});
    CHECK(report.errors.empty());
    CHECK(drawn(report).name == gpu.name);
    CHECK(drawn(report).l2 == gpu.l2_bytes);
    CHECK(figure(report, "multiprocessors") == std::to_string(gpu.multiprocessors));
    CHECK(figure(report, "resident") ==
          lab::grouped(std::uint64_t{gpu.multiprocessors} * gpu.max_threads_per_multiprocessor));
    CHECK_FALSE(drawn(report).source.empty());
  }
  // As the data sheets say them, an H200's bandwidth as its driver does.
  const auto rate = [](const char* gpu) {
    return lab::memory_rate_text(drawn(run({{"gpu", std::string(gpu)}})));
  };
  CHECK(rate("H200") == "4,917");
  CHECK(rate("A100 40GB") == "1,555");
  CHECK(rate("T4") == "320");
  CHECK(figure(run({{"gpu", "H200"}}), "resident") == "270,336");
  CHECK(device::source_of_gpu("a GPU of nobody's").empty());
}

TEST_CASE("Your machine: a driver and a toolkit are judged as NVIDIA's tables judge them") {
  struct Driver {
    double branch;  // as nvidia-smi says it
    CudaVersion cuda;
  };
  // CUDA Toolkit Release Notes, "CUDA Toolkit and Corresponding Driver Versions", Linux, each toolkit's own driver.
  const std::vector<Driver> drivers{{418.39, {10, 1}}, {440.33, {10, 2}}, {450.51, {11, 0}},
                                    {470.42, {11, 4}}, {520.61, {11, 8}}, {525.60, {12, 0}},
                                    {535.54, {12, 2}}, {550.54, {12, 4}}, {570.26, {12, 8}},
                                    {580.65, {13, 0}}, {590.44, {13, 1}}};
  // CUDA Compatibility, "Minor Version Compatibility", table 1: the oldest driver of a major release.
  const auto oldest = [](int major) { return major == 11 ? 450 : major == 12 ? 525 : 580; };
  for (const Driver& driver : drivers) {
    for (const Driver& toolkit : drivers) {
      CAPTURE(driver.branch, toolkit.cuda.major, toolkit.cuda.minor);
      Verdict wanted = Verdict::refused;
      if (driver.branch >= toolkit.branch) {
        wanted = Verdict::runs;
      } else if (toolkit.cuda.major >= 11 && driver.branch >= oldest(toolkit.cuda.major)) {
        wanted = Verdict::limited;
      }
      CHECK(lessons::verdict_of(driver.cuda, toolkit.cuda) == wanted);
    }
  }
  for (const int major : {11, 12, 13}) CHECK(lessons::minimum_driver(major) == oldest(major));
  CHECK_FALSE(lessons::minimum_driver(10));
}

TEST_CASE("Your machine: a version is two whole numbers and nothing else") {
  CHECK(lessons::cuda_version("12.8") == CudaVersion{12, 8});
  CHECK(lessons::cuda_version("13.0") == CudaVersion{13, 0});
  for (const char* text :
       {"", ".", "12", "12.", ".8", "12.8.1", "a.b", "-12.8", "12.-8", " 12.8"}) {
    CAPTURE(text);
    CHECK_FALSE(lessons::cuda_version(text));
  }
}

TEST_CASE(
    "Your machine: for all versions that can be chosen, the toolkit compiles and the rule judges") {
  const lab::Lesson& lesson = *lessons::find("your-machine");
  const auto choices = [&](std::string_view name) {
    return std::ranges::find(lesson.parameters, name, &lab::Parameter::name)->choices;
  };
  for (const std::string& driver : choices("smi")) {
    for (const std::string& toolkit : choices("nvcc")) {
      CAPTURE(driver, toolkit);
      const lab::Report report = run({{"smi", driver}, {"nvcc", toolkit}});
      CHECK(answer(report, "compiler") == toolkit);
      const int d = std::stoi(driver), t = std::stoi(toolkit);
      const int dm = std::stoi(driver.substr(driver.find('.') + 1)),
                tm = std::stoi(toolkit.substr(toolkit.find('.') + 1));
      CHECK(answer(report, "verdict") == (d > t || (d == t && dm >= tm) ? "runs"
                                          : d == t                      ? "limited"
                                                                        : "refused"));
    }
  }
}

TEST_CASE("Your machine: machine code is for GPUs of its own major number, PTX for newer ones") {
  using lessons::chosen_form;
  using lessons::Form;
  for (const int gpu : {75, 80, 86, 89, 90, 100, 103, 120, 121}) {
    for (const int target : {75, 80, 86, 90, 100, 120}) {
      CAPTURE(gpu, target);
      const std::string sm = "sm_" + std::to_string(target),
                        compute = "compute_" + std::to_string(target);
      const bool code = gpu / 10 == target / 10 && gpu % 10 >= target % 10;
      CHECK((chosen_form(gpu, sm, true).form == Form::machine_code) == code);
      CHECK((chosen_form(gpu, sm, true).form == Form::none) == !code);
      CHECK((chosen_form(gpu, compute, true).form == Form::ptx) == (gpu >= target));
      CHECK((chosen_form(gpu, compute, false).form == Form::unknown_ptx) == (gpu >= target));
      CHECK(chosen_form(gpu, sm + " " + compute, true).target == (code            ? sm
                                                                  : gpu >= target ? compute
                                                                                  : ""));
    }
  }
  CHECK(chosen_form(89, "sm_80 sm_86 sm_90", true).target == "sm_86");
  CHECK(chosen_form(89, "compute_75 compute_80 compute_90", true).target == "compute_80");
  for (const char* text : {"", " ", "sm_", "sm", "x_80", "compute_a", "sm_999"}) {
    CAPTURE(text);
    CHECK(chosen_form(90, text, true) == lessons::Chosen{});
  }
}

TEST_CASE("Your machine: what a program carries and what the driver knows decide who runs it") {
  const std::string three = "sm_80 sm_90 compute_90", one = "sm_80 compute_80";
  CHECK(answer(run({{"targets", three}}), "forms-of-two") == "machine-code ptx");
  CHECK(answer(run({{"targets", one}}), "run-of-two") == "A100 H200");
  CHECK(answer(run({{"targets", "sm_80"}}), "run-of-two") == "A100");
  CHECK(answer(run({{"targets", one}, {"smi", "12.2"}, {"nvcc", "12.8"}}), "run-of-two") == "A100");
  CHECK(answer(run({{"targets", three}, {"smi", "12.2"}, {"nvcc", "12.8"}}), "run-of-two") ==
        "A100 H200");
  CHECK(answer(run({{"targets", three}, {"smi", "12.8"}, {"nvcc", "13.0"}}), "run-of-two") ==
        "none");
}

TEST_CASE("Your machine: every preset runs without an error, and no text is without its words") {
  const lab::Lesson& lesson = *lessons::find("your-machine");
  for (const std::string language : {"en", "zh"}) {
    const auto strings = lab::Strings::load(language, kRoot);
    REQUIRE(strings);
    for (const lab::Preset& preset : lesson.presets) {
      CAPTURE(preset.name);
      lab::Inputs inputs;
      inputs.values = preset.values;
      const lab::Report report = lab::run(lesson, inputs, compiler(), kRoot);
      CHECK(report.errors.empty());
      const std::string text = lab::to_text(report, **strings);
      CHECK(text.find("<your-machine") == std::string::npos);
      CHECK(text.find('{') == std::string::npos);
    }
  }
}

TEST_CASE(
    "Your machine: an old driver is found, is not usable, and the page still compiles and runs") {
  const Variable path("LD_LIBRARY_PATH", kStandIns + "/old_driver");
  const lab::Report report = run_of(lessons::your_machine(), {});
  CHECK(report.errors.empty());
  CHECK(part(stack(report), "driver").state == State::unusable);
  CHECK(figure(report, "driver").ends_with("CUDA 12.4"));
  CHECK_FALSE(stack(report).gpu_usable);
  CHECK(figure(report, "outcome") == "0 1 4 9");
}

TEST_CASE(
    "Your machine: libraries that are nowhere are missing, each with the command that brings it") {
  const tests::TemporaryFolder empty;
  const Variable nowhere("WARPBOOK_LIBRARIES", empty.path().string());
  const Variable path("LD_LIBRARY_PATH", kStandIns + "/no_gpu");
  const lab::Report report = run_of(lessons::your_machine(), {});
  CHECK(part(stack(report), "cudnn").state == State::missing);
  CHECK(part(stack(report), "cudnn").remedy == "./warpbook fetch libraries");
  CHECK(part(stack(report), "onednn").remedy == "sudo apt-get install libdnnl-dev");
  CHECK(part(stack(report), "driver").state == State::unusable);
  CHECK(part(stack(report), "gpu").state == State::missing);
  CHECK(figure(report, "outcome") == "0 1 4 9");
}

TEST_CASE("Your machine: a driver that dies takes nothing with it") {
  const Variable path("LD_LIBRARY_PATH", kStandIns + "/dying_driver");
  const lab::Report report = run_of(lessons::your_machine(), {});
  CHECK(report.errors.empty());
  CHECK(part(stack(report), "driver").state == State::missing);
  CHECK(part(stack(report), "driver").error);
}

TEST_CASE(
    "Your machine: a change of a parameter looks at the machine no second time, the same run again "
    "does") {
  const lab::Lesson lesson = lessons::your_machine();
  State first;
  {
    const Variable path("LD_LIBRARY_PATH", kStandIns + "/old_driver");
    first = part(stack(run_of(lesson, {})), "driver").state;
  }
  CHECK(first == State::unusable);
  // The driver is gone, and nobody has looked.
  const Variable path("LD_LIBRARY_PATH", kStandIns + "/dying_driver");
  const lab::Report other = run_of(lesson, {{"arch", "90"}});
  CHECK(part(stack(other), "driver").state == State::unusable);
  const lab::Report again = run_of(lesson, {{"arch", "90"}});
  CHECK(part(stack(again), "driver").state == State::missing);
}

TEST_CASE(
    "Your machine: a run tells its progress up to the end, and ends when it is no longer wanted") {
  const lab::Lesson lesson = lessons::your_machine();
  double last = 0;
  bool grows = true;
  const lab::Report whole = run_of(lesson, {}, {}, [&](double fraction, const lab::Message& what) {
    grows = grows && fraction >= last && !what.empty();
    last = fraction;
  });
  CHECK(whole.errors.empty());
  CHECK(grows);
  CHECK(last > 0.8);

  const lab::Lesson fresh = lessons::your_machine();
  std::stop_source stop;
  const auto begun = std::chrono::steady_clock::now();
  const lab::Report cut = run_of(fresh, {}, stop.get_token(),
                                 [&](double, const lab::Message&) { stop.request_stop(); });
  REQUIRE(cut.errors.size() == 1);
  CHECK(cut.errors.front().code == device::ErrorCode::cancelled);
  CHECK(cut.find("stack") == nullptr);
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(10));
  // What was cut short is not taken for a look.
  CHECK(run_of(fresh, {}).find("stack") != nullptr);
}

TEST_CASE("Your machine: two runs at once share one look") {
  const lab::Lesson lesson = lessons::your_machine();
  lab::Report left, right;
  std::thread beside([&] { left = run_of(lesson, {{"arch", "75"}}); });
  right = run_of(lesson, {{"arch", "90"}});
  beside.join();
  CHECK(stack(left).when == stack(right).when);
  CHECK(left.errors.empty());
  CHECK(right.errors.empty());
}

}  // namespace warpbook::your_machine_test
