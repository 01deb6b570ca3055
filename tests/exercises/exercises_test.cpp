// Every exercise both ways: the solution and unlike right solutions pass; the starter and every mutant fail, each mutant
// at the gate that it names.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <sstream>

#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/exercise/exercise_tools.hpp"
#include "lab/exercise/mutation.hpp"

namespace warpbook::exercises_test {
namespace {

const std::string kRoot = WARPBOOK_SOURCE_DIR;

lab::CheckReport check(const lab::Exercise& exercise, const lab::ExerciseText& text,
                       const std::string& file, const std::string& gpu = lab::Inputs{}.gpu,
                       std::uint64_t seed = 0) {
  static const auto compiler = std::make_shared<device::Compiler>();
  const auto source = device::read_file(kRoot + "/" + file);
  REQUIRE(source);
  return lab::check(exercise, text, std::filesystem::path(file).filename().string(), *source, kRoot,
                    compiler, {}, {}, {device::kLessonChecks, gpu, false, seed});
}

/// "solutions/saxpy.cu", "exercises/saxpy/starter.cu".
std::string solution_of(const lab::ExerciseText& text) {
  return "solutions/" + lab::submission_name(text.id, text.submission);
}
std::string starter_of(const lab::ExerciseText& text) {
  return "exercises/" + text.id + "/" + lab::submission_name("starter", text.submission);
}

/// Where a library, or nvcc for a whole program, is not installed, nobody is graded by it.
bool lacks_library(const lab::CheckReport& checked) {
  const auto missing = std::ranges::find(checked.report.errors, device::ErrorCode::library_missing,
                                         &device::Error::code);
  if (missing == checked.report.errors.end()) return false;
  WARN("not checked: " << missing->english());
  return true;
}

/// The ids of the items that failed, with their advice in English for the reader of a failing test.
std::vector<std::string> failed(const lab::CheckReport& checked) {
  std::vector<std::string> ids;
  const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
  if (!items) return ids;
  for (const auto& item : items->items) {
    if (item.state == lab::CheckExhibit::State::failed) ids.push_back(item.id);
  }
  return ids;
}

const lab::Strings& english() {
  static const auto strings = lab::Strings::load("en", kRoot);
  REQUIRE(strings);
  return **strings;
}

/// The second tier of the hints for an item that failed: what it says of the submission's run.
std::string second_hint(const lab::ExerciseText& text, const lab::CheckExhibit::Item& item,
                        const lab::Report& report) {
  const auto hint = std::ranges::find(text.hints, item.id, &lab::Hint::gate);
  REQUIRE(hint != text.hints.end());
  return lab::fill_hint(hint->tiers.at(1), item, report, english());
}

/// Of a figure that breaks a bound a reader sees the difference: not "1 times", where 1 is allowed, nor 19.4 % where 19.4 % is asked for.
bool reads_like_its_bound(const lab::CheckExhibit::Item& item) {
  const auto argument = [&](std::string_view name) -> std::optional<std::string> {
    const lab::Message* found = device::argument_of(item.got.arguments, name);
    return found ? std::optional(found->text) : std::nullopt;
  };
  const auto measured = argument("measured");
  const auto share = argument("share"), needed = argument("needed");
  return (measured && (measured == argument("ceiling") || measured == argument("floor"))) ||
         (share && share == needed);
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += word + " ";
  return all;
}

}  // namespace

namespace {

/// Programs take nvcc some seconds each, so they have tests of their own, which are not among the quick ones.
std::vector<const lab::Exercise*> exercises_that_take(bool programs) {
  std::vector<const lab::Exercise*> all;
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    const auto text = lab::load_exercise(kRoot, exercise.id, "en");
    REQUIRE(text);
    if ((text->submission == lab::Submission::program) == programs) all.push_back(&exercise);
  }
  return all;
}

/// All of an exercise's wrong and right programs take minutes together, so ci takes every so-manieth of them, beginning with the first; the
/// others are left to long. For programs it takes fewer, since each is built by nvcc.
constexpr std::size_t kEvery = 1, kOfKernels = 10, kOfPrograms = 16;

/// The solution, and every `step`-th alternative.
void expect_right_ones_to_pass(const lab::Exercise& exercise, std::size_t step) {
  CAPTURE(exercise.id);
  const auto text = lab::load_exercise(kRoot, exercise.id, "en");
  REQUIRE(text);
  std::vector<std::string> right{solution_of(*text)};
  REQUIRE(text->alternatives.size() >= 2);
  for (std::size_t i = 0; i < text->alternatives.size(); i += step)
    right.push_back("exercises/" + exercise.id + "/" + text->alternatives[i]);
  for (const std::string& file : right) {
    const lab::CheckReport checked = check(exercise, *text, file);
    CAPTURE(file, joined(failed(checked)));
    if (lacks_library(checked)) break;
    CHECK(checked.graded);
    CHECK(checked.passed);
    CHECK(checked.points == text->points);
    CHECK(checked.report.run_seconds > 0);
  }
  const lab::CheckReport starter = check(exercise, *text, starter_of(*text));
  CHECK_FALSE(starter.passed);
  if (!lacks_library(starter)) CHECK(starter.graded);
  CHECK(starter.points == 0);
}

}  // namespace

TEST_CASE("The first gate of every exercise is that the results are right, or can be read") {
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    CAPTURE(exercise.id);
    const auto text = lab::load_exercise(kRoot, exercise.id, "en");
    REQUIRE(text);
    const bool settings = text->submission == lab::Submission::settings;
    CHECK(text->gates.front().id == (settings ? "reads" : "right"));
  }
}

TEST_CASE(
    "Every exercise's solution passes with full points, as others do, and its starter fails") {
  for (const lab::Exercise* exercise : exercises_that_take(false))
    expect_right_ones_to_pass(*exercise, kOfKernels);
}

TEST_CASE(
    "Of every exercise on programs, too, right ones pass with full points, and the starter fails",
    "[ci]") {
  for (const lab::Exercise* exercise : exercises_that_take(true))
    expect_right_ones_to_pass(*exercise, kOfPrograms);
}

TEST_CASE("Every alternative of every exercise passes with full points", "[long]") {
  for (const lab::Exercise& exercise : exercises::catalogue())
    expect_right_ones_to_pass(exercise, kEvery);
}

TEST_CASE("Whatever the hidden cases are, right solutions pass and wrong ones fail", "[long]") {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    for (const lab::Exercise& exercise : exercises::catalogue()) {
      const auto text = lab::load_exercise(kRoot, exercise.id, "en");
      REQUIRE(text);
      std::vector<std::string> right{solution_of(*text)};
      for (const std::string& alternative : text->alternatives)
        right.push_back("exercises/" + exercise.id + "/" + alternative);
      for (const std::string& file : right) {
        const lab::CheckReport checked = check(exercise, *text, file, lab::Inputs{}.gpu, seed);
        CAPTURE(seed, file, joined(failed(checked)));
        if (lacks_library(checked)) break;
        CHECK(checked.passed);
      }
      for (const auto& mutant : text->mutants) {
        CAPTURE(seed, exercise.id, mutant.file);
        CHECK_FALSE(check(exercise, *text, "exercises/" + exercise.id + "/" + mutant.file,
                          lab::Inputs{}.gpu, seed)
                        .passed);
      }
    }
  }
}

TEST_CASE("No check lets a change of its solution pass that means something else", "[long]") {
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    const auto text = lab::load_exercise(kRoot, exercise.id, "en");
    REQUIRE(text);
    if (text->submission == lab::Submission::settings) continue;
    if (lacks_library(check(exercise, *text, solution_of(*text)))) continue;
    const bool program = text->submission == lab::Submission::program;
    const auto solution = lab::load_solution(kRoot, *text);
    REQUIRE(solution);
    std::set<std::string> met;
    for (const lab::Mutation& change : lab::mutations_of(
             *solution, program ? lab::Mutated::gpu_functions : lab::Mutated::all_functions)) {
      const bool passed =
          lab::check_in_child(exercise.id, "changed.cu", change.source, kRoot).passed;
      CAPTURE(exercise.id, change.line, change.text);
      const auto equal =
          std::ranges::find(text->equals, change.text, &lab::ExerciseText::Equal::line);
      CHECK(passed == (equal != text->equals.end()));
      if (passed) met.insert(change.text);
    }
    // What is known to mean the same is still a change of this solution.
    CHECK(met.size() == text->equals.size());
  }
}

TEST_CASE("Where the wrong elements lie is shown at the largest case that is no secret") {
  const lab::Exercise* exercise = exercises::find("saxpy");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  const auto spread_of = [&](const std::string& guard, const std::string& value) {
    const std::string source =
        "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n" +
        guard + ") y[i] = " + value + ";\n}\n";
    const lab::CheckReport checked = lab::check(*exercise, *text, "saxpy.cu", source, kRoot,
                                                std::make_shared<device::Compiler>());
    const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
    REQUIRE(items);
    const auto right = std::ranges::find(items->items, "right", &lab::CheckExhibit::Item::id);
    REQUIRE(right != items->items.end());
    return right->spread;
  };
  const auto looks = [](const lab::CheckExhibit::Spread& spread) {
    std::string letters;
    for (const auto& part : spread.parts)
      letters += "rpwu"[static_cast<std::size_t>(lab::look_of(part))];
    return letters;
  };
  const lab::CheckExhibit::Spread late = spread_of("&& i < 32223", "a * x[i] + y[i]");
  CHECK(late.array == "y");
  CHECK(late.name.find("66523") != std::string::npos);
  CHECK(late.count == 66523);
  CHECK(late.wrong == 66523 - 32223 - 2638);  // of each 13 one stays as it is
  CHECK(looks(late) == std::string(31, 'r') + std::string(33, 'u'));
  std::uint64_t elements = 0, wrong = 0;
  for (const auto& part : late.parts) {
    elements += part.count;
    wrong += part.wrong;
  }
  CHECK(elements == late.count);
  CHECK(wrong == late.wrong);
  CHECK(looks(spread_of("", "x[i]")) == std::string(64, 'w'));
  CHECK(looks(spread_of("", "i % 2 ? x[i] : a * x[i] + y[i]")) == std::string(64, 'p'));
  CHECK(spread_of("", "a * x[i] + y[i]").parts.empty());
}

TEST_CASE("A file that an editor of Windows saved is graded like any other") {
  const lab::Exercise* exercise = exercises::find("saxpy");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  const std::string source =
      "\xef\xbb\xbf// A byte order mark, carriage returns and tabs.\r\n"
      "__global__ void saxpy(int n, float a, const float* x, float* y) {\r\n"
      "\tint i = blockIdx.x * blockDim.x + threadIdx.x;\r\n"
      "\tif (i < n) y[i] = a * x[i] + y[i];\r\n"
      "}\r\n";
  CHECK(
      lab::check(*exercise, *text, "saxpy.cu", source, kRoot, std::make_shared<device::Compiler>())
          .passed);
}

TEST_CASE("Who follows the advice on a missing barrier passes") {
  const lab::Exercise* exercise = exercises::find("smooth-tile");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  const auto wrong = device::read_file(kRoot + "/exercises/smooth-tile/mutants/no_barrier.cu");
  REQUIRE(wrong);
  const auto checked = [&](const std::string& source) {
    return lab::check(*exercise, *text, "smooth-tile.cu", source, kRoot,
                      std::make_shared<device::Compiler>());
  };
  const lab::CheckReport report = checked(*wrong);
  const auto* items = report.report.find_as<lab::CheckExhibit>("check");
  REQUIRE(items);
  for (const char* id : {"right", "safe"}) {
    const auto item = std::ranges::find(items->items, id, &lab::CheckExhibit::Item::id);
    REQUIRE(item != items->items.end());
    REQUIRE(item->advice.key == "exercise.cause.no-barrier");
    const lab::Message* fills = device::argument_of(item->advice.arguments, "fills");
    REQUIRE(fills);
    std::size_t end_of_line = 0;
    for (int line = 0; line < std::stoi(fills->text); ++line)
      end_of_line = wrong->find('\n', end_of_line) + 1;
    CHECK(
        checked(wrong->substr(0, end_of_line) + "  __syncthreads();\n" + wrong->substr(end_of_line))
            .passed);
  }
}

namespace {

/// A check of a source of the exercise, and its items.
lab::CheckReport checked_source(const std::string& id, const std::string& source) {
  const lab::Exercise* exercise = exercises::find(id);
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, id, "en");
  REQUIRE(text);
  return lab::check(*exercise, *text, id + ".cu", source, kRoot,
                    std::make_shared<device::Compiler>());
}
std::vector<lab::CheckExhibit::Item> items_of(const std::string& id, const std::string& source) {
  const lab::CheckReport checked = checked_source(id, source);
  const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
  REQUIRE(items);
  return items->items;
}

const lab::CheckExhibit::Item& item_named(const std::vector<lab::CheckExhibit::Item>& items,
                                          std::string_view id) {
  const auto item = std::ranges::find(items, id, &lab::CheckExhibit::Item::id);
  REQUIRE(item != items.end());
  return *item;
}

std::string saxpy_with(const std::string& body) {
  return "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         body + "\n}\n";
}

/// Smooth-tile with a tile that `fill` fills and `use` takes the samples from.
std::string smoothed(const std::string& fill, const std::string& use) {
  return "__global__ void smooth_tile(const float* x, float* out, int length) {\n"
         "  __shared__ float tile[256];\n"
         "  int t = threadIdx.x, i = blockIdx.x * length + t;\n" +
         fill + use + "}\n";
}
const std::string kFromTile =
    "  if (t < length) {\n    float left = tile[t > 0 ? t - 1 : 0];\n"
    "    float right = tile[t + 1 < length ? t + 1 : t];\n"
    "    out[i] = (left + 2 * tile[t] + right) / 4;\n  }\n";

std::string mutant_of(const std::string& id, const std::string& file) {
  const auto source = device::read_file(kRoot + "/exercises/" + id + "/mutants/" + file);
  REQUIRE(source);
  return *source;
}

/// Smooth-tile whose first thread takes a sample before the first, and whose tile has no size.
const std::string kLeftOfAll = smoothed(
    "",
    "  if (t < length)\n    out[i] = (x[i - 1] + 2 * x[i] + x[t + 1 < length ? i + 1 : i]) / 4;\n");
const std::string kWithoutSize =
    "__global__ void smooth_tile(const float* x, float* out, int length) {\n"
    "  extern __shared__ float tile[];\n"
    "  int t = threadIdx.x, i = blockIdx.x * length + t;\n"
    "  if (t < length) tile[t] = x[i];\n  __syncthreads();\n" +
    kFromTile + "}\n";

/// A line of a text, from 1.
std::string line_of(const std::string& text, std::uint32_t line) {
  std::istringstream lines(text);
  std::string found;
  for (std::uint32_t at = 0; at < line; ++at) std::getline(lines, found);
  return found;
}

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

}  // namespace

TEST_CASE("What went into the first wrong case is shown, and nothing of a hidden one") {
  const auto right_with = [](const std::string& body) {
    return item_named(items_of("saxpy", saxpy_with(body)), "right");
  };
  const lab::CheckExhibit::Item all = right_with("  if (i < n) y[i] = x[i] + y[i];");
  REQUIRE(all.mismatches.size() == 1);
  CHECK(all.inputs.name == "n = 1, block 32");
  CHECK(all.inputs.calls == std::vector<std::string>{"saxpy<<<1, 32>>>(1, 2.5, x, y)"});
  REQUIRE(all.inputs.arrays.size() == 2);
  for (const char* name : {"x", "y"}) {
    CAPTURE(name);
    const auto array =
        std::ranges::find(all.inputs.arrays, name, &lab::CheckExhibit::Values::array);
    REQUIRE(array != all.inputs.arrays.end());
    CHECK(array->count == 1);
    CHECK(array->first == 0);
    REQUIRE(array->elements.size() == 1);
  }
  // They are what leads to the elements below: a * x + y, and x + y for this kernel.
  const double x = std::stod(all.inputs.arrays[0].elements[0]),
               y = std::stod(all.inputs.arrays[1].elements[0]);
  CHECK(std::stod(all.mismatches[0].expected) == 2.5 * x + y);
  CHECK(std::stod(all.mismatches[0].got) == x + y);

  // Of a longer array those elements are shown that lead to the first wrong one.
  const lab::CheckExhibit::Item late =
      right_with("  if (i < n) y[i] = i < 100 ? a * x[i] + y[i] : x[i];");
  CHECK(late.inputs.name == "n = 127, block 32");
  REQUIRE(late.inputs.arrays.size() == 2);
  CHECK(late.inputs.arrays[0].first == late.mismatches.front().index);
  CHECK(late.inputs.arrays[0].elements.size() == 8);
  CHECK(std::stod(late.inputs.arrays[0].elements[0]) == std::stod(late.mismatches.front().got));

  // The hidden cases alone have blocks of 64 threads.
  const lab::CheckExhibit::Item hidden =
      right_with("  if (i < n) y[i] = blockDim.x == 64 ? 0 : a * x[i] + y[i];");
  CHECK(hidden.state == lab::CheckState::failed);
  CHECK(hidden.inputs == lab::CheckExhibit::Inputs{});
}

TEST_CASE("What the host copied into variables of the module is among a case's inputs") {
  const auto solution = device::read_file(kRoot + "/solutions/constant-filter.cu");
  REQUIRE(solution);
  constexpr std::string_view kStore = "out[i] = sum;";
  std::string source = *solution;
  REQUIRE(source.find(kStore) != std::string::npos);
  source.replace(source.find(kStore), kStore.size(), "out[i] = sum + 1;");
  const auto items = items_of("constant-filter", source);
  const lab::CheckExhibit::Inputs& inputs = item_named(items, "right").inputs;
  const auto array =
      std::ranges::find(inputs.arrays, "coefficients", &lab::CheckExhibit::Values::array);
  REQUIRE(array != inputs.arrays.end());
  CHECK(array->count == 5);
  CHECK(array->elements.size() == 5);
}

TEST_CASE("A result that needs one order of the threads is not right") {
  const auto solution = device::read_file(kRoot + "/solutions/stable-softmax.cu");
  REQUIRE(solution);
  // The lanes that happen to be together are all of them, as long as no lane is held up.
  const std::string lucky = replaced(*solution, "fmaxf(mine, __shfl_xor_sync(~0u,",
                                     "fmaxf(mine, __shfl_xor_sync(__activemask(),");
  const auto items = items_of("stable-softmax", lucky);
  const auto& right = item_named(items, "right");
  CHECK(right.state == lab::CheckExhibit::State::failed);
  CHECK(right.advice.key == "exercise.right.schedule-mask");
}

TEST_CASE("Of a race, no barrier is recommended that is not enough in another case") {
  // The tile crosses warps, and in the smallest cases a warp is the whole block.
  const lab::CheckReport checked =
      checked_source("smooth-tile", smoothed("  if (t < length) tile[t] = x[i];\n", kFromTile));
  REQUIRE_FALSE(checked.report.errors.empty());
  CHECK(checked.report.errors.front().code == device::ErrorCode::race_in_block);
  CHECK(std::ranges::find(checked.report.errors, device::ErrorCode::race_in_warp,
                          &device::Error::code) == checked.report.errors.end());
}

namespace {

/// Block 0 tells block 1 that it has written its elements, in a variable that block 1 sets back.
std::string saxpy_with_flag(const std::string& fence, const std::string& set_back) {
  return "__device__ volatile int ready;\n" +
         saxpy_with(
             "  if (i < n) y[i] = a * x[i] + y[i];\n"
             "  if (gridDim.x == 1 || threadIdx.x != 0) return;\n"
             "  if (blockIdx.x == 0) {\n" +
             fence + "    ready = 1;\n  }\n" +
             "  if (blockIdx.x == 1) {\n    while (ready == 0) {}\n" +
             "    if (y[0] == 12345.25f) y[i] = 0;\n" + set_back + "  }");
}

}  // namespace

TEST_CASE("What one block writes and another reads needs a flag with a fence, in every order") {
  const auto safe_of = [](const std::string& source) {
    return item_named(items_of("saxpy", source), "safe").state;
  };
  const std::string fence = "    __threadfence();\n", set_back = "    ready = 0;\n";
  CHECK(safe_of(saxpy_with_flag(fence, set_back)) == lab::CheckExhibit::State::passed);
  CHECK(safe_of(saxpy_with_flag("", set_back)) == lab::CheckExhibit::State::failed);
  // The flag is up from the case before, so block 1 does not wait. That shows only where it begins first.
  CHECK(safe_of(saxpy_with_flag(fence, "")) == lab::CheckExhibit::State::failed);
}

TEST_CASE("A barrier that some threads of a block pass by is not safe") {
  const auto solution = device::read_file(kRoot + "/solutions/smooth-tile.cu");
  REQUIRE(solution);
  const auto checked =
      items_of("smooth-tile", replaced(*solution, "  __syncthreads();",
                                       "  if (threadIdx.x >= length) return;\n  __syncthreads();"));
  const auto& safe = item_named(checked, "safe");
  CHECK(safe.state == lab::CheckExhibit::State::failed);
  CHECK(safe.got.key == "error.barrier_passed_by.short");
  CHECK(item_named(checked, "barriers").state == lab::CheckExhibit::State::waiting);
}

namespace {

/// Both kernels of reverse; what the first one leaves, and what the second one makes of it.
std::string reversed_by(const std::string& before, const std::string& aside,
                        const std::string& result) {
  return before +
         "__global__ void set_aside(const float* x, float* aside, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         aside +
         "}\n"
         "__global__ void put_back(const float* aside, float* x, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         result + "}\n";
}

}  // namespace

TEST_CASE("A wrong result is traced to where its value was lost on the way") {
  const auto right_of = [](const std::string& source) {
    return item_named(items_of("reverse", source), "right").advice;
  };
  const lab::Message kept_in_variable = right_of(reversed_by(
      "__device__ float kept[1 << 18];\n", "  if (i < n) { kept[i] = x[i]; aside[i] = 0; }\n",
      "  if (i < n) x[i] = kept[n - 1 - i] + 0 * aside[i];\n"));
  CHECK(kept_in_variable.key == "exercise.right.variables");
  CHECK(device::argument_of(kept_in_variable.arguments, "variable")->text == "kept");
  const lab::Message unwritten = right_of(reversed_by(
      "", "  if (i > 0 && i < n) aside[i] = x[i];\n", "  if (i < n) x[i] = aside[n - 1 - i];\n"));
  CHECK(unwritten.key == "exercise.right.unwritten-before");
  CHECK(device::argument_of(unwritten.arguments, "missing")->text == "aside");
  CHECK(device::argument_of(unwritten.arguments, "missing_index")->text == "0");
}

TEST_CASE(
    "Blocks that wait for each other in a loop are told the line, and to use another launch") {
  const auto items = items_of(
      "reverse", reversed_by("__device__ unsigned arrived;\n",
                             "  if (i < n) aside[i] = x[i];\n"
                             "  if (threadIdx.x == 0) {\n    atomicAdd(&arrived, 1u);\n"
                             "    while (atomicAdd(&arrived, 0u) % gridDim.x != 0) {}\n  }\n",
                             "  if (i < n) x[i] = aside[n - 1 - i];\n"));
  const auto& right = item_named(items, "right");
  CHECK(right.advice.key == "exercise.right.standstill");
  CHECK(device::argument_of(right.advice.arguments, "line")->text == "7");
  CHECK(device::argument_of(right.advice.arguments, "place")->text.starts_with("arrived[0]"));
  // A kernel that came to a standstill once is not waited for again.
  CHECK(std::ranges::count(right.cases, false, &lab::CheckExhibit::Case::passed) == 1);
}

TEST_CASE("Of what was found the case is told that says most") {
  const auto safe_of = [](const std::string& source) {
    return item_named(items_of("aos-to-soa", source), "safe");
  };
  const std::string head =
      "__global__ void split(const float* particles, float* x, float* y, float* z, float* mass,\n"
      "                      int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;\n";
  // The last float4 reaches beyond the array, and in all other cases there are many that begin at a wrong address.
  CHECK(safe_of(head + "  if (i >= n) return;\n"
                       "  float4 p = *(const float4*)(particles + 4 * i + 1);\n"
                       "  x[i] = particles[4 * i]; y[i] = p.x; z[i] = p.y; mass[i] = p.z;\n}\n")
            .got.key.starts_with("error.misaligned_access.short"));
  // In the smallest blocks only lanes of one warp meet.
  CHECK(safe_of(head +
                "  __shared__ float tile[4096];\n"
                "  int first = blockIdx.x * blockDim.x, here = min((int)blockDim.x, n - first);\n"
                "  for (int k = t; k < 4 * here; k += blockDim.x)\n"
                "    tile[k] = particles[4 * first + k];\n"
                "  if (t >= here) return;\n"
                "  x[i] = tile[4 * t]; y[i] = tile[4 * t + 1];\n"
                "  z[i] = tile[4 * t + 2]; mass[i] = tile[4 * t + 3];\n}\n")
            .got.key == "error.race_in_block.short");
}

TEST_CASE("Results that differ by rounding alone are told so") {
  const auto order = device::read_file(kRoot + "/exercises/deterministic-sum/mutants/in_line.cu");
  REQUIRE(order);
  CHECK(item_named(items_of("deterministic-sum", *order), "right").advice.key ==
        "exercise.right.nearly");
}

TEST_CASE("A result that is NaN since the kernel reads its output first is told as that") {
  const std::string added = mutant_of("interleave", "added_to_out.cu");
  CHECK(item_named(items_of("interleave", added), "right").advice.key == "exercise.right.nan");
  CHECK(
      item_named(items_of("interleave", replaced(added, "out[i] +=", "out[i] =")), "right").state ==
      lab::CheckExhibit::State::passed);
}

TEST_CASE("Bytes, sectors and loads that are too many say what to do and on which line") {
  const auto items = items_of("interleave", mutant_of("interleave", "own_chunk.cu"));
  for (const auto& [id, key] :
       {std::pair("used", "exercise.used.below"), std::pair("sectors", "exercise.sectors.above")}) {
    const auto& item = item_named(items, id);
    CHECK(item.advice.key == key);
    CHECK(device::argument_of(item.advice.arguments, "line")->text == "8");
  }
  const auto loaded = items_of("smooth-tile", mutant_of("smooth-tile", "tile_beside.cu"));
  const auto& loads = item_named(loaded, "read-once");
  CHECK(loads.advice.key == "exercise.loads.above");
  CHECK(device::argument_of(loads.advice.arguments, "array")->text == "x");
}

TEST_CASE(
    "Neither a zero of the wrong sign nor a bound in place of infinity is told to be rounding") {
  for (const auto& [id, file] :
       {std::pair("reverse", "kept_where_equal.cu"), std::pair("grid-stride", "bounded.cu")}) {
    CAPTURE(id);
    const auto items = items_of(id, mutant_of(id, file));
    CHECK(item_named(items, "right").advice.key == "exercise.right.advice");
  }
}

TEST_CASE("A counter that breaks its bound says what to do and where", "[ci]") {
  const auto advised = [](const std::string& id, const std::string& file, const char* gate) {
    const auto source = device::read_file(kRoot + "/exercises/" + id + "/mutants/" + file);
    REQUIRE(source);
    const auto item = item_named(items_of(id, *source), gate);
    CHECK(item.state == lab::CheckExhibit::State::failed);
    CHECK(device::argument_of(item.advice.arguments, "got"));
    return std::pair(item.advice.key, line_of(*source, item.line));
  };
  const auto [lanes, branch] = advised("warp-uniform", "as_it_was.cu", "together");
  CHECK(lanes == "warp-uniform.together-advice");
  CHECK(branch.find("if (") != std::string::npos);
  const auto [atomics, addition] = advised("shuffle-sum", "atomic_each_warp.cu", "atomics");
  CHECK(atomics == "shuffle-sum.atomics-advice");
  CHECK(addition.find("atomicAdd") != std::string::npos);
  const auto [memory, detour] = advised("warp-sum", "by_shared.cu", "by-registers");
  CHECK(memory == "warp-sum.by-registers-advice");
  CHECK(advised("double-buffer", "rows_in_global.cu", "shared").first ==
        "double-buffer.shared-advice");
  CHECK(advised("online-softmax", "kept_in_registers.cu", "loads").first ==
        "online-softmax.loads-advice");
  const auto [often, again] = advised("constant-filter", "in_two_rounds.cu", "constant");
  CHECK(often == "constant-filter.constant-above");
  CHECK(again.find("coefficients[k]") != std::string::npos);
  CHECK(advised("constant-filter", "by_shuffle.cu", "constant").first ==
        "constant-filter.constant-below");
}

TEST_CASE("An index that was a float is told as that, where arrays may have any size") {
  const auto items =
      items_of("saxpy", saxpy_with("  float place = i;\n"
                                   "  if (place < n) y[(int)place] = a * x[i] + y[i];"));
  const auto& right = item_named(items, "right");
  CHECK(right.state == lab::CheckExhibit::State::failed);
  CHECK(right.advice.key == "exercise.right.in-float");
  CHECK(right.got.key == "exercise.right.got-in-float");
  for (const auto& one : right.cases) CHECK(one.passed);
}

TEST_CASE("Of two cases that break a gate, the one is told that its bounds are meant for") {
  // Not only large photos, but also those of 31 rows and more use a part of the bytes.
  const auto source =
      device::read_file(kRoot + "/exercises/transpose-tile/mutants/no_tile_rows_read.cu");
  REQUIRE(source);
  const auto items = items_of("transpose-tile", *source);
  const auto& used = item_named(items, "used");
  REQUIRE(used.cases.size() == 1);
  CHECK(used.cases.front().name == "320 rows of 224");
}

TEST_CASE("Wrong work in small cases alone is found, too") {
  const std::string many = "  if (i < n) y[i] = a * x[i] + y[i];";
  CHECK(item_named(
            items_of("saxpy", saxpy_with("  if (n < 2000) {\n    volatile int waste = 0;\n"
                                         "    for (int k = 0; k < 100; ++k) waste = waste + k;\n"
                                         "  }\n" +
                                         many)),
            "work")
            .state == lab::CheckExhibit::State::failed);
  CHECK(item_named(
            items_of("saxpy",
                     saxpy_with(
                         "  if (n < 2000) for (int k = i == 0 ? 20 : 0; k > 0; --k) y[0] += 0;\n" +
                         many)),
            "own-element")
            .state == lab::CheckExhibit::State::failed);
}

TEST_CASE("The cause of what was found is named, where the findings leave no doubt") {
  const auto safe_of = [](const std::string& id, const std::string& source) {
    return item_named(items_of(id, source), "safe").advice.key;
  };
  SECTION("an array without elements") {
    CHECK(safe_of("grid-stride",
                  "__global__ void scale(int n, float a, float* x) {\n"
                  "  int threads = gridDim.x * blockDim.x;\n"
                  "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += threads)\n"
                  "    x[i] = a * x[i];\n}\n") == "exercise.cause.nothing-there");
  }
  SECTION("one element for several blocks, for which no atomic operation is recommended") {
    const auto items = items_of("saxpy", saxpy_with("  if (i < n) y[threadIdx.x] = a * x[i];"));
    const auto& safe = item_named(items, "safe");
    CHECK(safe.advice.key == "exercise.cause.same-element-of-blocks");
    CHECK(safe.got.key == "exercise.safe.same-element");
  }
  SECTION("one element for several turns of a loop") {
    CHECK(safe_of("grid-stride",
                  "__global__ void scale(int n, float a, float* x) {\n"
                  "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; ++i)\n"
                  "    x[i] = a * x[i];\n}\n") == "exercise.cause.same-element-in-turns");
  }
  SECTION("one variable for all threads") {
    const auto items =
        items_of("saxpy", "__device__ float product;\n" +
                              saxpy_with("  if (i < n) { product = a * x[i]; y[i] += product; }"));
    const auto& safe = item_named(items, "safe");
    CHECK(safe.advice.key == "exercise.cause.shared-variable");
    CHECK(device::argument_of(safe.advice.arguments, "place")->text == "product[0]");
  }
  SECTION("one element that two lines write") {
    const auto items = items_of(
        "saxpy", saxpy_with("  float product = i < n ? a * x[i] + y[i] : 0;\n  __syncthreads();\n"
                            "  if (i > 0 && i < n) y[i - 1] = 0;\n  __syncthreads();\n"
                            "  if (i < n) y[i] = product;"));
    const auto& safe = item_named(items, "safe");
    CHECK(safe.advice.key == "exercise.cause.two-writers");
    CHECK(safe.got.key == "exercise.safe.same-element");
  }
  SECTION("two lanes for one place of shared memory") {
    const auto items =
        items_of("smooth-tile", smoothed("  if (t < length) tile[t / 2] = x[i];\n", kFromTile));
    CHECK(item_named(items, "safe").advice.key == "exercise.cause.same-element");
  }
  SECTION("one counter for several threads, for which an atomic operation is recommended") {
    const auto items =
        items_of("histogram-counts",
                 "__global__ void count(const int* value, int* counts, int n, int bins) {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "  if (i < n) counts[value[i]]++;\n}\n");
    CHECK(item_named(items, "safe").advice.key == "exercise.cause.lost-update");
  }
  SECTION("a barrier before the write, where the next round reads") {
    CHECK(safe_of("double-buffer",
                  "__global__ void grow(const int* cells, int* out, int rounds) {\n"
                  "  __shared__ int row[2][256];\n"
                  "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
                  "  row[0][t] = cells[i];\n"
                  "  __syncthreads();\n"
                  "  for (int r = 0; r < rounds; ++r) {\n"
                  "    int left = t > 0 ? row[r % 2][t - 1] : 0;\n"
                  "    int right = t + 1 < blockDim.x ? row[r % 2][t + 1] : 0;\n"
                  "    __syncthreads();\n"
                  "    row[1 - r % 2][t] = left ^ right;\n"
                  "  }\n"
                  "  out[i] = row[rounds % 2][t];\n}\n") == "exercise.cause.barrier-next-round");
  }
  SECTION("an element that is overwritten where something was to be added") {
    CHECK(safe_of("histogram-counts",
                  "__global__ void count(const int* value, int* counts, int n, int bins) {\n"
                  "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "  int k = i < n ? value[i] : 0;\n"
                  "  if (i < n) counts[k] = i;\n}\n") == "exercise.cause.overwritten");
  }
  SECTION("reading, and changing by an atomic operation, which are two steps still") {
    const auto items =
        items_of("histogram-counts", mutant_of("histogram-counts", "exchange_once.cu"));
    const auto& safe = item_named(items, "safe");
    CHECK(safe.advice.key == "exercise.cause.read-before-change");
    CHECK(device::argument_of(safe.advice.arguments, "reads")->text == "7");
    CHECK(device::argument_of(safe.advice.arguments, "writes")->text == "8");
    CHECK(safe.got.key == "exercise.safe.read-and-changed");
  }
  SECTION("a thread that uses what its neighbour changes, perhaps in another block") {
    const auto items =
        items_of("saxpy", saxpy_with("  if (i < n) y[i] = a * x[i] + y[i + 1 < n ? i + 1 : i];"));
    const auto& safe = item_named(items, "safe");
    CHECK(safe.advice.key == "exercise.cause.other-block");
    CHECK(safe.got.key == "exercise.safe.other-block");
    CHECK(item_named(items, "right").advice.key == "exercise.cause.other-block");
  }
  SECTION("a thread that uses what its neighbour changes, in its own block alone") {
    const auto items =
        items_of("smooth-tile", smoothed("  if (t < length) tile[t] = x[i];\n  __syncthreads();\n"
                                         "  if (t + 1 < length) tile[t] = tile[t + 1];\n"
                                         "  __syncthreads();\n",
                                         kFromTile));
    const auto& safe = item_named(items, "safe");
    CHECK(safe.advice.key == "exercise.cause.own-place");
    CHECK(safe.got.key == "exercise.safe.in-one-line");
  }
  SECTION("a barrier of a warp, where threads of other warps have to be waited for") {
    CHECK(safe_of("smooth-tile", smoothed("  if (t < length) tile[t] = x[i];\n  __syncwarp();\n",
                                          kFromTile)) == "exercise.cause.warp-barrier");
  }
  SECTION("a shuffle that lanes with a name in its mask do not reach") {
    const auto items = items_of("warp-sum",
                                "__global__ void warp_sum(const float* x, float* sums, int n) {\n"
                                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "  if (i >= n) return;\n"
                                "  float sum = x[i];\n"
                                "  for (int step = 16; step > 0; step /= 2)\n"
                                "    sum += __shfl_down_sync(0xffffffff, sum, step);\n"
                                "  if (i % 32 == 0) sums[i / 32] = sum;\n}\n");
    const auto& safe = item_named(items, "safe");
    CHECK(safe.advice.key == "exercise.cause.missing-lane");
    CHECK(device::argument_of(safe.advice.arguments, "line")->text == "6");
  }
  SECTION("a write outside, from which an unwritten place of the tile follows") {
    CHECK(safe_of("smooth-tile", smoothed("  if (t < length) tile[t] = x[i];\n  __syncthreads();\n",
                                          "  out[i] = (tile[t] + 2 * tile[t] + tile[t]) / 4;\n")) ==
          "exercise.cause.beyond-array");
  }
  SECTION("a guard that lets one thread too many through") {
    const auto items = items_of("saxpy", saxpy_with("  if (i <= n) y[i] = a * x[i] + y[i];"));
    const lab::Message& advice = item_named(items, "safe").advice;
    CHECK(advice.key == "exercise.cause.beyond-array");
    CHECK(device::argument_of(advice.arguments, "count")->text == "1");
    CHECK(device::argument_of(advice.arguments, "index")->text == "1");
    CHECK(device::argument_of(advice.arguments, "line")->text == "3");
  }
  SECTION("an access that strays, rather than a race that it has, too") {
    const auto items = items_of("stencil-tile", mutant_of("stencil-tile", "short_index.cu"));
    const auto& safe = item_named(items, "safe");
    CHECK(safe.state == lab::CheckExhibit::State::failed);
    CHECK_FALSE(safe.got.key.starts_with("error.race"));
  }
  SECTION("a neighbour before the first element") {
    const auto items = items_of("smooth-tile", kLeftOfAll);
    const lab::Message& advice = item_named(items, "safe").advice;
    CHECK(advice.key == "exercise.cause.before-array");
    CHECK(device::argument_of(advice.arguments, "index")->text == "-1");
  }
  SECTION("an array in shared memory that has no size") {
    CHECK(safe_of("smooth-tile", kWithoutSize) == "exercise.cause.no-shared");
  }
  SECTION(
      "a place of shared memory that no thread has filled, since there is nothing to fill it "
      "with") {
    CHECK(safe_of("bias-backward", mutant_of("bias-backward", "part_of_some.cu")) ==
          "exercise.cause.unfilled");
  }
  SECTION("a fence, for which nobody waits") {
    const std::string fill = "  if (t < length) tile[t] = x[i];\n";
    CHECK(safe_of("smooth-tile", smoothed(fill + "  __threadfence_block();\n", kFromTile)) ==
          "exercise.cause.fence");
    CHECK(safe_of("double-buffer", mutant_of("double-buffer", "fence_for_barrier.cu")) ==
          "exercise.cause.fence");
  }
  SECTION("rounds that not every thread has ended when another one begins the next") {
    for (const char* file : {"no_barrier_in_the_loop.cu", "barrier_every_other_round.cu"}) {
      CAPTURE(file);
      const auto items = items_of("double-buffer", mutant_of("double-buffer", file));
      const auto& safe = item_named(items, "safe");
      CHECK(safe.advice.key == "exercise.cause.barrier-each-round");
      CHECK(device::argument_of(safe.advice.arguments, "barrier")->text == "__syncthreads()");
      // The sentence of the race itself would have the barrier between the two lines, where it does not help.
      CHECK(safe.got.key == "exercise.safe.in-no-order");
    }
    // Here every round ends with a barrier, and another one is missing.
    CHECK(safe_of("double-buffer", mutant_of("double-buffer", "one_row_one_barrier.cu")) ==
          "exercise.cause.barrier-elsewhere");
    CHECK(safe_of("double-buffer", mutant_of("double-buffer", "warp_barrier.cu")) ==
          "exercise.cause.warp-barrier");
  }
  SECTION("a barrier in the wrong place, and then in the right one") {
    const std::string fill = "  if (t < length) tile[t] = x[i];\n",
                      barrier = "  __syncthreads();\n";
    CHECK(safe_of("smooth-tile", smoothed(barrier + fill, kFromTile)) ==
          "exercise.cause.barrier-before");
    CHECK(safe_of("smooth-tile", smoothed("  if (t + 1 < length) tile[t] = x[i];\n" + barrier +
                                              "  if (t + 1 == length) tile[t] = x[i];\n",
                                          kFromTile)) == "exercise.cause.barrier-elsewhere");
    CHECK(item_named(items_of("smooth-tile", smoothed(fill + barrier, kFromTile)), "safe").state ==
          lab::CheckExhibit::State::passed);
  }
}

namespace {

/// The text with a line of its own behind the line with that number, from 1.
std::string with_line_behind(const std::string& text, const std::string& line,
                             const std::string& added) {
  std::size_t end = 0;
  for (int at = 0; at < std::stoi(line); ++at) end = text.find('\n', end) + 1;
  return text.substr(0, end) + added + "\n" + text.substr(end);
}

/// Follows the advice that `cause` gives for a wrong source, by what it says of the lines, and expects that nothing is wrong any more.
void expect_advice_to_help(
    const std::string& id, const std::string& wrong, const std::string& cause,
    const std::function<std::string(const std::function<std::string(const char*)>&)>& followed) {
  CAPTURE(id, cause);
  const auto items = items_of(id, wrong);
  const lab::Message& advice = item_named(items, "safe").advice;
  REQUIRE(advice.key == "exercise.cause." + cause);
  const auto said = [&](const char* name) {
    const lab::Message* found = device::argument_of(advice.arguments, name);
    REQUIRE(found);
    return found->text;
  };
  const auto mended = items_of(id, followed(said));
  for (const char* item : {"right", "safe"})
    CHECK(item_named(mended, item).state == lab::CheckExhibit::State::passed);
}

}  // namespace

TEST_CASE("Who follows the advice on a barrier passes, wherever it has to be", "[long]") {
  using Said = const std::function<std::string(const char*)>&;
  const auto barrier_behind = [](const std::string& wrong, const char* line) {
    return [=](Said said) { return with_line_behind(wrong, said(line), said("barrier") + ";"); };
  };
  const std::string fill = "  if (t < length) tile[t] = x[i];\n";
  const std::string of_warp = smoothed(fill + "  __syncwarp();\n", kFromTile);
  expect_advice_to_help("smooth-tile", of_warp, "warp-barrier", [&](Said said) {
    CHECK(line_of(of_warp, std::stoul(said("line"))) == "  __syncwarp();");
    return replaced(of_warp, "__syncwarp", "__syncthreads");
  });
  const std::string before = smoothed("  __syncthreads();\n" + fill, kFromTile);
  expect_advice_to_help("smooth-tile", before, "barrier-before", [&](Said said) {
    CHECK(line_of(before, std::stoul(said("line"))) == "  __syncthreads();");
    return with_line_behind(before, said("fills"), "  __syncthreads();");
  });
  const std::string elsewhere = smoothed(
      "  if (t + 1 < length) tile[t] = x[i];\n  __syncthreads();\n"
      "  if (t + 1 == length) tile[t] = x[i];\n",
      kFromTile);
  expect_advice_to_help("smooth-tile", elsewhere, "barrier-elsewhere",
                        barrier_behind(elsewhere, "fills"));
  const std::string one_way = mutant_of("double-buffer", "barrier_before_the_write.cu");
  expect_advice_to_help("double-buffer", one_way, "barrier-next-round",
                        barrier_behind(one_way, "fills"));
  for (const char* file : {"no_barrier_in_the_loop.cu", "barrier_every_other_round.cu"}) {
    const std::string rounds = mutant_of("double-buffer", file);
    expect_advice_to_help("double-buffer", rounds, "barrier-each-round",
                          barrier_behind(rounds, "fills"));
  }
  const std::string waits_for_warp = mutant_of("double-buffer", "warp_barrier.cu");
  expect_advice_to_help("double-buffer", waits_for_warp, "warp-barrier", [&](Said) {
    return replaced(waits_for_warp, "__syncwarp", "__syncthreads");
  });
  const std::string fence = mutant_of("double-buffer", "fence_for_barrier.cu");
  expect_advice_to_help("double-buffer", fence, "fence", [&](Said said) {
    const std::string at = line_of(fence, std::stoul(said("line")));
    return replaced(fence, at, "    " + said("barrier") + ";");
  });
  const std::string too_soon = mutant_of("tiled-matmul", "no_second_barrier.cu");
  expect_advice_to_help("tiled-matmul", too_soon, "barrier-after-read",
                        barrier_behind(too_soon, "reads"));
}

TEST_CASE("Who follows the advice on an index, a guard, an update or a mask passes", "[long]") {
  using Said = const std::function<std::string(const char*)>&;
  const auto by = [](const std::string& wrong, const char* old, const char* mended) {
    return [=](Said) { return replaced(wrong, old, mended); };
  };
  const std::string unguarded =
      "__global__ void scale(int n, float a, float* x) {\n"
      "  int threads = gridDim.x * blockDim.x;\n"
      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += threads)\n"
      "    x[i] = a * x[i];\n}\n";
  expect_advice_to_help("grid-stride", unguarded, "nothing-there", by(unguarded, "<= n", "< n"));
  const std::string one_too_many = saxpy_with("  if (i <= n) y[i] = a * x[i] + y[i];");
  expect_advice_to_help("saxpy", one_too_many, "beyond-array", by(one_too_many, "<= n", "< n"));
  expect_advice_to_help("smooth-tile", kLeftOfAll, "before-array",
                        by(kLeftOfAll, "x[i - 1]", "x[t > 0 ? i - 1 : i]"));
  expect_advice_to_help(
      "smooth-tile", kWithoutSize, "no-shared",
      by(kWithoutSize, "extern __shared__ float tile[]", "__shared__ float tile[256]"));
  const std::string same =
      saxpy_with("  int k = threadIdx.x;\n  if (i < n) y[k] = a * x[k] + y[k];");
  expect_advice_to_help("saxpy", same, "same-element-of-blocks",
                        by(same, "k = threadIdx.x", "k = i"));
  const std::string step =
      "__global__ void scale(int n, float a, float* x) {\n"
      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; ++i)\n"
      "    x[i] = a * x[i];\n}\n";
  expect_advice_to_help("grid-stride", step, "same-element-in-turns",
                        by(step, "++i", "i += gridDim.x * blockDim.x"));
  const std::string shared = "__device__ float product;\n" +
                             saxpy_with("  if (i < n) { product = a * x[i]; y[i] += product; }");
  expect_advice_to_help("saxpy", shared, "shared-variable", [&](Said) {
    return replaced(replaced(shared, "__device__ float product;\n", ""), "{ product",
                    "{ float product");
  });
  const std::string neighbour =
      reversed_by("", "  if (i < n) aside[i] = x[i];\n", "  if (i < n) x[i] = x[n - 1 - i];\n");
  expect_advice_to_help("reverse", neighbour, "other-block",
                        by(neighbour, "= x[n - 1 - i]", "= aside[n - 1 - i]"));
  const std::string set =
      "__global__ void count(const int* value, int* counts, int n, int bins) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int k = i < n ? value[i] : 0;\n"
      "  if (i < n) counts[k] = i;\n}\n";
  expect_advice_to_help("histogram-counts", set, "overwritten",
                        by(set, "counts[k] = i", "atomicAdd(&counts[k], 1)"));
  const std::string lost =
      "__global__ void count(const int* value, int* counts, int n, int bins) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) counts[value[i]]++;\n}\n";
  expect_advice_to_help("histogram-counts", lost, "lost-update",
                        by(lost, "counts[value[i]]++", "atomicAdd(&counts[value[i]], 1)"));
  const std::string two_steps = mutant_of("histogram-counts", "exchange_once.cu");
  expect_advice_to_help("histogram-counts", two_steps, "read-before-change", [&](Said) {
    return replaced(replaced(two_steps, "    int old = counts[value[i]];\n", ""),
                    "atomicCAS(&counts[value[i]], old, old + 1)",
                    "atomicAdd(&counts[value[i]], 1)");
  });
  const std::string missing =
      "__global__ void warp_sum(const float* x, float* sums, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) return;\n"
      "  float sum = x[i];\n"
      "  for (int step = 16; step > 0; step /= 2)\n"
      "    sum += __shfl_down_sync(0xffffffff, sum, step);\n"
      "  if (i % 32 == 0) sums[i / 32] = sum;\n}\n";
  expect_advice_to_help("warp-sum", missing, "missing-lane", [&](Said) {
    return replaced(replaced(missing, "  if (i >= n) return;\n  float sum = x[i];",
                             "  float sum = i < n ? x[i] : 0;"),
                    "if (i % 32 == 0)", "if (i < n && i % 32 == 0)");
  });
}

TEST_CASE("Cause and finding recommend one barrier, which helps whoever races") {
  const std::string fill = "  if (t < length) tile[t] = x[i];\n";
  const auto recommended = [](const std::string& source) {
    const auto items = items_of("smooth-tile", source);
    const auto& safe = item_named(items, "safe");
    const lab::Message* barrier = device::argument_of(safe.advice.arguments, "barrier");
    REQUIRE(barrier);
    return std::pair(safe.got.key, barrier->text);
  };
  // The first case has blocks of one warp, whose lanes __syncwarp() would order.
  CHECK(recommended(smoothed(fill, kFromTile)) ==
        std::pair(std::string("error.race_in_block.short"), std::string("__syncthreads()")));
  // Neighbours in other warps are asked of global memory.
  CHECK(recommended(smoothed(
            fill,
            "  if (t < length) {\n"
            "    float left = t == 0 ? x[i] : t % 32 == 0 ? x[i - 1] : tile[t - 1];\n"
            "    float right = t + 1 == length ? x[i] : t % 32 == 31 ? x[i + 1] : tile[t + 1];\n"
            "    out[i] = (left + 2 * x[i] + right) / 4;\n  }\n")) ==
        std::pair(std::string("error.race_in_warp.short"), std::string("__syncwarp()")));
}

TEST_CASE(
    "A gate that fails names its case and the line that spends it, and of a hidden case none") {
  const auto counted = [](const std::string& id, const std::string& file, const char* gate) {
    const auto source = device::read_file(kRoot + "/exercises/" + id + "/mutants/" + file);
    REQUIRE(source);
    const auto item = item_named(items_of(id, *source), gate);
    CHECK(item.state == lab::CheckExhibit::State::failed);
    REQUIRE(item.cases.size() == 1);
    CHECK_FALSE(item.cases.front().passed);
    return std::pair(item, line_of(*source, item.line));
  };
  const auto [local, access] = counted("local-array", "as_it_was.cu", "no-local");
  CHECK(access.find("++count[digit") != std::string::npos);
  CHECK_FALSE(local.cases.front().name.empty());
  // The array is filled by instructions of the PTX that belong to no line of the source.
  const auto [digits, none_of_source] = counted("local-array", "digits_in_local.cu", "no-local");
  CHECK((digits.line == 0 || none_of_source.find("d[s]") != std::string::npos));
  const auto [stores, spender] = counted("crop", "every_other_column.cu", "shared-out");
  CHECK(stores.got.key == "exercise.shared-out.storing");
  const auto [kept, copy] = counted("constant-filter", "one_in_local.cu", "elsewhere");
  CHECK(copy.find("c4[0] = coefficients[4]") != std::string::npos);
  const auto [atomics, change] = counted("pool-backward", "atomics_in_shared.cu", "no-atomics");
  CHECK(change.find("atomic") != std::string::npos);
  const auto [clamped, none] = counted("texture-borders", "clamped_by_hand.cu", "no-clamping");
  CHECK(clamped.cases.front().name.empty());
}

TEST_CASE("Memory that a kernel allocates has to be free after the last launch of a case") {
  const auto leaky = [](const std::string& id, const std::string& source) {
    const auto items = items_of(id, source);
    const auto& safe = item_named(items, "safe");
    return safe.state == lab::CheckExhibit::State::failed && safe.got.key == "error.leaked.short" &&
           safe.line != 0;
  };
  const std::string own =
      "  if (i >= n) return;\n"
      "  float product = a * x[i];\n"
      "  float* held = i < 300 ? static_cast<float*>(malloc(sizeof(float))) : nullptr;\n"
      "  if (held) *held = product;\n  y[i] += held ? *held : product;\n";
  CHECK(leaky("saxpy", saxpy_with(own)));
  CHECK(item_named(items_of("saxpy", saxpy_with(own + "  free(held);")), "safe").state ==
        lab::CheckExhibit::State::passed);
  // What the first launch allocates the second one frees.
  const auto handed_on = [](const std::string& free) {
    return "__global__ void set_aside(const float* x, float* aside, int n) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i >= n) return;\n"
           "  if (n == 1 || i > 1) aside[i] = x[i];\n"
           "  if (n == 1 || i != 0) return;\n"
           "  float* two = static_cast<float*>(malloc(2 * sizeof(float)));\n"
           "  two[0] = x[0];\n  two[1] = x[1];\n"
           "  memcpy(aside, &two, sizeof two);\n}\n"
           "__global__ void put_back(const float* aside, float* x, int n) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i >= n) return;\n"
           "  int from = n - 1 - i;\n"
           "  if (n == 1 || from > 1) x[i] = aside[from];\n"
           "  if (n == 1 || from != 0) return;\n"
           "  float* two;\n  memcpy(&two, aside, sizeof two);\n"
           "  x[i] = two[0];\n  x[i - 1] = two[1];\n" +
           free + "}\n";
  };
  CHECK(leaky("reverse", handed_on("")));
  const auto freed = items_of("reverse", handed_on("  free(two);\n"));
  CHECK(item_named(freed, "right").state == lab::CheckExhibit::State::passed);
  CHECK(item_named(freed, "safe").state == lab::CheckExhibit::State::passed);
}

TEST_CASE("A kernel that was stopped is told how much more it did than the solution") {
  const auto items =
      items_of("saxpy", saxpy_with("  for (int k = 0; k < n; ++k) {\n    volatile int turn = k;\n"
                                   "    if (turn == i) y[k] = a * x[k] + y[k];\n  }"));
  CHECK(item_named(items, "right").advice.key == "exercise.right.budget");
}

TEST_CASE(
    "Whoever is right and does too much is told so, and not stopped for using atomic operations") {
  const auto source = device::read_file(
      kRoot + "/exercises/mend-bottlenecks/mutants/atomics_with_needless_work.cu");
  REQUIRE(source);
  const auto items = items_of("mend-bottlenecks", *source);
  CHECK(item_named(items, "right").state == lab::CheckExhibit::State::passed);
  CHECK(item_named(items, "work").state == lab::CheckExhibit::State::failed);
}

TEST_CASE("Cases that were not run, since one before them did not end, are no wrong ones") {
  const auto items =
      items_of("saxpy", saxpy_with("  while (n == 129) {\n    volatile int turn = i;\n  }\n"
                                   "  if (i < n) y[i] = a * x[i] + y[i];"));
  const auto& right = item_named(items, "right");
  CHECK(right.state == lab::CheckExhibit::State::failed);
  CHECK(std::ranges::count(right.cases, false, &lab::CheckExhibit::Case::passed) == 1);
  CHECK(device::argument_of(right.got.arguments, "total")->text ==
        std::to_string(right.cases.size()));
}

TEST_CASE("Of a hidden case that breaks a gate the size of its blocks is told, and no more") {
  const auto source =
      device::read_file(kRoot + "/exercises/texture-borders/mutants/clamped_by_hand.cu");
  REQUIRE(source);
  const auto items = items_of("texture-borders", *source);
  const auto& clamped = item_named(items, "no-clamping");
  CHECK(clamped.advice.key == "exercise.hidden-advice");
  const lab::Message* hidden = device::argument_of(clamped.advice.arguments, "hidden");
  REQUIRE(hidden);
  CHECK(hidden->key == "exercise.hidden-blocks");
  REQUIRE(hidden->arguments.size() == 1);
  CHECK(hidden->arguments.front().name == "block");
}

TEST_CASE("A sum that no shuffle had a part in does not pass for one by shuffles") {
  const auto source =
      device::read_file(kRoot + "/exercises/shuffle-sum/mutants/shuffles_for_show.cu");
  REQUIRE(source);
  CHECK(item_named(items_of("shuffle-sum", *source), "shuffles").advice.key ==
        "exercise.shuffles.unused");
}

TEST_CASE(
    "A place of shared memory that nobody filled is told where it was read, not where it was "
    "shuffled") {
  const auto source =
      device::read_file(kRoot + "/exercises/shuffle-sum/mutants/parts_unguarded.cu");
  REQUIRE(source);
  const auto items = items_of("shuffle-sum", *source);
  const auto& safe = item_named(items, "safe");
  CHECK(safe.advice.key == "exercise.cause.unfilled");
  CHECK(line_of(*source, safe.line).find("part[lane]") != std::string::npos);
}

TEST_CASE("Whoever misspells a key of the settings is told each key once") {
  const auto source = device::read_file(kRoot + "/exercises/diagnose/mutants/word_misspelt.toml");
  REQUIRE(source);
  const auto items = items_of("diagnose", *source);
  const std::string& got = item_named(items, "reads").got.text;
  CAPTURE(got);
  CHECK(got.find("bottleneck and microseconds") != std::string::npos);
}

TEST_CASE("A time in another unit is called so, and else its part says how it is worked out") {
  const auto advice = [](const std::string& time) {
    const auto solution = device::read_file(kRoot + "/solutions/diagnose.toml");
    REQUIRE(solution);
    std::string changed = *solution;
    changed.replace(changed.find("463"), 3, time);
    return item_named(items_of("diagnose", changed), "b").advice;
  };
  CHECK(advice("917500").key == "diagnose.clocks");
  CHECK(advice("463e-6").key == "diagnose.seconds");
  CHECK(advice("0.463").key == "diagnose.milliseconds");
  const lab::Message spread = advice("3.5");
  CHECK(spread.key == "diagnose.short");
  CHECK(device::argument_of(spread.arguments, "how")->key == "diagnose.how.atomics");
  CHECK(advice("700").key == "diagnose.long");
}

TEST_CASE(
    "A sum that several threads change by += is told to lose changes, and nothing else of it") {
  const auto source =
      device::read_file(kRoot + "/exercises/mend-bottlenecks/mutants/atomics_not_atomic.cu");
  REQUIRE(source);
  const lab::CheckReport checked = checked_source("mend-bottlenecks", *source);
  const auto* check = checked.report.find_as<lab::CheckExhibit>("check");
  REQUIRE(check);
  const auto& safe = item_named(check->items, "safe");
  CHECK(safe.advice.key == "exercise.cause.lost-update");
  CHECK(safe.got.key == "exercise.safe.lost-update");
  const auto* shown = checked.report.find_as<lab::SourceExhibit>("submission");
  REQUIRE(shown);
  CHECK(std::ranges::none_of(shown->marks, [&](const auto& mark) {
    return mark.line == safe.line && mark.severity == device::Severity::note;
  }));
}

TEST_CASE("Threads that wait for a lock in a loop are the student's fault, and are told the line") {
  const auto source = device::read_file(kRoot + "/exercises/histogram-counts/mutants/one_lock.cu");
  REQUIRE(source);
  const lab::CheckReport checked = checked_source("histogram-counts", *source);
  CHECK(checked.graded);
  CHECK_FALSE(checked.passed);
  const auto& right =
      item_named(checked.report.find_as<lab::CheckExhibit>("check")->items, "right");
  CHECK(right.advice.key == "exercise.right.spins");
  const lab::Message* line = device::argument_of(right.advice.arguments, "line");
  REQUIRE(line);
  CHECK(line_of(*source, static_cast<std::uint32_t>(std::stoi(line->text)))
            .find("atomicExch(&taken, 1)") != std::string::npos);
}

TEST_CASE("While some threads pass a barrier by, nobody's barriers are called too many") {
  const auto source =
      device::read_file(kRoot + "/exercises/find-the-race/mutants/barrier_for_some_in_rest.cu");
  REQUIRE(source);
  const auto items = items_of("find-the-race", *source);
  CHECK(item_named(items, "safe").state == lab::CheckExhibit::State::failed);
  CHECK(item_named(items, "barriers").state == lab::CheckExhibit::State::waiting);
}

TEST_CASE("Too many barriers are told as the number of one warp, and how many are enough") {
  const auto source = device::read_file(kRoot + "/exercises/double-buffer/mutants/two_barriers.cu");
  REQUIRE(source);
  const auto items = items_of("double-buffer", *source);
  const auto& barriers = item_named(items, "barriers");
  CHECK(barriers.advice.key == "exercise.barriers-needed.advice");
  // The first case with more than one round has two.
  CHECK(barriers.advice.arguments.front() == device::MessageArgument("got", "5"));
  CHECK(device::argument_of(barriers.advice.arguments, "needed")->text == "3");
}

TEST_CASE(
    "A message that was left in while testing fails nothing, whoever prints it, and its author is "
    "told") {
  for (const std::string printing :
       {"if (blockIdx.x == 0 && threadIdx.x == 0) printf(\"%d %f\\n\", n, 0.5);",
        "printf(\"%d %f, of thread %d\\n\", n, 0.5, threadIdx.x);"}) {
    const auto solution = device::read_file(kRoot + "/solutions/local-array.cu");
    REQUIRE(solution);
    const std::size_t end = solution->rfind('}');
    const auto items =
        items_of("local-array", solution->substr(0, end) + "  " + printing + "\n}\n");
    for (const auto& item : items) {
      CAPTURE(printing, item.id);
      const bool told = item.id == lab::kPrintsItem;
      CHECK(item.state ==
            (told ? lab::CheckExhibit::State::warning : lab::CheckExhibit::State::passed));
    }
    CHECK(item_named(items, lab::kPrintsItem).line != 0);
  }
}

TEST_CASE("A variable without a value is told where the result is wrong for it") {
  const auto items = items_of("saxpy", saxpy_with("  float sum;\n  if (i < n) {\n"
                                                  "    sum += a * x[i];\n    y[i] += sum;\n  }"));
  const auto& right = item_named(items, "right");
  CHECK(right.advice.key == "compile.unset");
  CHECK(device::argument_of(right.advice.arguments, "name")->text == "sum");
  CHECK(right.line == 5);
  CHECK_FALSE(right.mismatches.empty());
}

TEST_CASE("Slips that do not compile get advice that names the cause") {
  const lab::Exercise* exercise = exercises::find("saxpy");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  const auto advice_on = [&](const std::string& body) {
    const lab::CheckReport checked = lab::check(
        *exercise, *text, "saxpy.cu",
        "__global__ void saxpy(int n, float a, const float* x, float* y) {\n" + body + "\n}\n",
        kRoot, std::make_shared<device::Compiler>());
    const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
    REQUIRE(items);
    return items->items.front().advice;
  };
  const lab::Message misspelt = advice_on("y[threadIDx.x] = a;");
  CHECK(misspelt.key == "compile.misspelt");
  const lab::Message* meant = device::argument_of(misspelt.arguments, "meant");
  REQUIRE(meant);
  CHECK(meant->text == "threadIdx");
  CHECK(advice_on("__synchthreads();").key == "compile.misspelt");
  CHECK(advice_on("y[0] = factor;").key == "compile.undefined");
  CHECK(advice_on("__shared__ int counts[8]; atomicAdd(counts[0], 1);").key == "compile.atomic");
  CHECK(advice_on("__shared__ float tile[n]; y[0] = tile[0];").key == "compile.runtime-size");
}

namespace {

/// A source of saxpy, what is advised in which item, and the source when the advice has been followed.
struct Slip {
  std::string wrong;
  const char *item, *advice;
  std::function<std::string(const std::string& wrong, const lab::Message& advice)> followed;
};

}  // namespace

TEST_CASE("Who follows the advice on a slip passes", "[long]") {
  const auto by = [](const char* old, const char* mended) {
    return
        [=](const std::string& wrong, const lab::Message&) { return replaced(wrong, old, mended); };
  };
  const auto by_meant = [](const std::string& wrong, const lab::Message& advice) {
    const auto said = [&](const char* name) {
      return device::argument_of(advice.arguments, name)->text;
    };
    return replaced(wrong, said("name"), said("meant"));
  };
  const std::string store = "  if (i < n) y[i] = a * x[i] + y[i];";
  for (const Slip& slip : std::vector<Slip>{
           {replaced(saxpy_with(store), "threadIdx", "treadIdx"), "compiles", "compile.misspelt",
            by_meant},
           {saxpy_with("  __shared__ float tile[n];\n  tile[threadIdx.x] = 0;\n" + store),
            "compiles", "compile.runtime-size", by("tile[n]", "tile[1024]")},
           {saxpy_with("  if (i < n) atomicAdd(y[i], a * x[i]);"), "compiles", "compile.atomic",
            by("atomicAdd(y[i]", "atomicAdd(&y[i]")},
           {saxpy_with("  if (i < n) y[i] = fmaf(a, x[i]) + y[i];"), "compiles",
            "compile.wrong-arguments", by("fmaf(a, x[i]) + y[i]", "fmaf(a, x[i], y[i])")},
           {replaced(saxpy_with(store), "int n, float a,", "int n, double a,"), "right",
            "exercise.right.signature", by("int n, double a,", "int n, float a,")},
           {saxpy_with("  float sum;\n  if (i < n) {\n    sum += a * x[i];\n"
                       "    y[i] = sum + y[i];\n  }"),
            "right", "compile.unset",
            [](const std::string&wrong, const lab::Message&advice) {
              const std::string name = device::argument_of(advice.arguments, "name")->text;
              return replaced(wrong, name + ";", name + " = 0;");
            }},
           {"__global__ void twice(float* y) { y[threadIdx.x] *= 2; }\n" +
                replaced(saxpy_with(store), "void saxpy", "void sum"),
            "right", "error.no_such_kernel.long", by("void sum", "void saxpy")}}) {
    CAPTURE(slip.wrong);
    const auto items = items_of("saxpy", slip.wrong);
    const lab::Message advice = item_named(items, slip.item).advice;
    REQUIRE(advice.key == slip.advice);
    const auto mended = items_of("saxpy", slip.followed(slip.wrong, advice));
    for (const char* id : {"compiles", "right", "safe"})
      CHECK(item_named(mended, id).state == lab::CheckExhibit::State::passed);
  }
}

TEST_CASE("Parameters that are not the starter's are told as that") {
  const lab::Exercise* exercise = exercises::find("saxpy");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  const lab::CheckReport checked = lab::check(
      *exercise, *text, "saxpy.cu",
      "__global__ void saxpy(int n, double a, const float* x, float* y) { y[0] = a * n; }\n", kRoot,
      std::make_shared<device::Compiler>());
  const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
  REQUIRE(items);
  const auto right = std::ranges::find(items->items, "right", &lab::CheckExhibit::Item::id);
  REQUIRE(right != items->items.end());
  CHECK(right->advice.key == "exercise.right.signature");
}

TEST_CASE("A submission that no compiler or checker survives is graded, and fails") {
  const auto checked = [](const char* id, const std::string& source) {
    const lab::Exercise* exercise = exercises::find(id);
    REQUIRE(exercise);
    const auto text = lab::load_exercise(kRoot, id, "en");
    REQUIRE(text);
    return lab::check(*exercise, *text, "submission", source, kRoot,
                      std::make_shared<device::Compiler>());
  };
  const auto first_item = [](const lab::CheckReport& report) {
    const auto* items = report.report.find_as<lab::CheckExhibit>("check");
    REQUIRE(items);
    return items->items.front();
  };
  const std::string kernel = "__global__ void saxpy(int n, float a, const float* x, float* y) {\n";
  const lab::CheckReport brackets =
      checked("saxpy", kernel + "y[0] = " + std::string(200'000, '(') + "1;\n}\n");
  CHECK(brackets.graded);
  CHECK_FALSE(brackets.passed);
  CHECK(first_item(brackets).advice.key == "exercise.kills-compiler");
  const lab::CheckReport variable =
      checked("saxpy", "__device__ char all[1ull << 36];\n" + kernel + "y[0] = all[n];\n}\n");
  CHECK(variable.graded);
  CHECK_FALSE(variable.passed);
  CHECK(variable.points == 0);
  std::string key = "a";
  for (int i = 0; i < 200'000; ++i) key += ".a";
  for (const std::string& settings :
       {key + " = 1\n", "a = " + std::string(100'000, '[') + std::string(100'000, ']') + "\n"}) {
    const lab::CheckReport report = checked("read-the-engine-list", settings);
    CHECK(report.graded);
    CHECK_FALSE(report.passed);
    CHECK(first_item(report).line == 1);
  }
}

TEST_CASE("Two checks draw different hidden cases, and one seed draws the same") {
  const lab::Exercise* exercise = exercises::find("saxpy");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  // How many instructions all cases together took tells which sizes they had.
  const auto executed = [&](std::uint64_t seed) {
    const lab::CheckReport checked =
        check(*exercise, *text, "solutions/saxpy.cu", lab::Inputs{}.gpu, seed);
    const auto* source = checked.report.find_as<lab::SourceExhibit>("submission");
    REQUIRE(source);
    std::uint64_t all = 0;
    for (const auto& line : source->lines) all += line.threads;
    return all;
  };
  CHECK(executed(1) == executed(1));
  CHECK(executed(1) != executed(2));
}

TEST_CASE("A student's hidden cases are their own, and need the key to be known") {
  const std::uint64_t seed = lab::seed_of_student(7, "4711", "saxpy");
  CHECK(lab::seed_of_student(7, "4711", "saxpy") == seed);
  CHECK(lab::seed_of_student(8, "4711", "saxpy") != seed);
  CHECK(lab::seed_of_student(7, "4712", "saxpy") != seed);
  CHECK(lab::seed_of_student(7, "4711", "crop") != seed);
  CHECK(lab::seed_of_student(7, "py4711", "sax") != seed);
}

TEST_CASE("Of a hidden case neither its size nor what the kernel prints there is shown") {
  const lab::Exercise* exercise = exercises::find("saxpy");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  // Right at every size that is shown, wrong at the others, and it tells what it was given.
  const std::string source =
      "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  const int shown[] = {0, 1, 31, 32, 33, 127, 129, 192, 769, 1023, 1025, 2011, 700, 260 * "
      "256 - 37};\n"
      "  bool known = false;\n"
      "  for (int size : shown) known |= n == size;\n"
      "  if (i == 0) printf(\"n is %d\\n\", n);\n"
      "  if (i < n) y[i] = known ? a * x[i] + y[i] : 0;\n"
      "}\n";
  const lab::CheckReport checked =
      lab::check(*exercise, *text, "saxpy.cu", source, kRoot, std::make_shared<device::Compiler>(),
                 {}, {}, {device::kLessonChecks, lab::Inputs{}.gpu, false, 7});
  CHECK_FALSE(checked.passed);
  const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
  REQUIRE(items);
  const auto right = std::ranges::find(items->items, "right", &lab::CheckExhibit::Item::id);
  REQUIRE(right != items->items.end());
  CHECK(right->advice.key == "exercise.right.hidden-blocks");
  CHECK(right->mismatches.empty());
  for (const auto& one : right->cases) CHECK(one.name.empty() == !one.passed);
  const auto* printed = checked.report.find_as<lab::TextExhibit>("output");
  REQUIRE(printed);
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = printed->text.text.find("n is ", at)) != std::string::npos; ++at)
    ++lines;
  CHECK(lines ==
        right->cases.size() - 5);  // without the hidden cases, and n = 0, which is not launched
}

TEST_CASE("On the simulated GPU of every compute capability solutions pass and mutants fail",
          "[long]") {
  // 9.0 is the default, which the other tests are of.
  for (const char* gpu : {"T4", "A100 40GB", "RTX 3090", "RTX 4090"}) {
    for (const lab::Exercise& exercise : exercises::catalogue()) {
      const auto text = lab::load_exercise(kRoot, exercise.id, "en");
      REQUIRE(text);
      const lab::CheckReport right = check(exercise, *text, solution_of(*text), gpu);
      CAPTURE(gpu, exercise.id, joined(failed(right)));
      if (lacks_library(right)) continue;
      CHECK(right.passed);
      for (const auto& mutant : text->mutants) {
        CAPTURE(mutant.file);
        CHECK_FALSE(
            check(exercise, *text, "exercises/" + exercise.id + "/" + mutant.file, gpu).passed);
      }
    }
  }
}

namespace {

/// Of a case that is shown and has wrong elements: the first five, and of arrays that are long enough a picture of where all of them lie.
void expect_picture(const lab::CheckExhibit::Item& right) {
  using Case = lab::CheckExhibit::Case;
  constexpr std::uint64_t kShort = 8;
  const bool shown = std::ranges::any_of(
      right.cases, [](const Case& one) { return !one.name.empty() && !one.passed; });
  // Where the kernel was stopped, or an input was changed, no element need be wrong.
  const std::string& key = right.advice.key;
  const bool without_elements = key.starts_with("error.") || key == "exercise.right.budget" ||
                                key == "exercise.right.spins" ||
                                key == "exercise.right.standstill" ||
                                key == "exercise.right.input-changed";
  CAPTURE(key);
  if (shown && !without_elements) CHECK_FALSE(right.mismatches.empty());
  CHECK(right.mismatches.size() <= 5);
  for (const auto& mismatch : right.mismatches) {
    CHECK(mismatch.expected != mismatch.got);
    if (mismatch.index >= kShort) CHECK_FALSE(right.spread.parts.empty());
  }
  if (right.spread.parts.empty()) return;
  CHECK(right.spread.count >= kShort);
  CHECK(right.spread.wrong > 0);
}

void expect_mutants_to_fail(const lab::Exercise& exercise, std::size_t step) {
  const auto text = lab::load_exercise(kRoot, exercise.id, "en");
  REQUIRE(text);
  REQUIRE(text->mutants.size() >= 8);
  for (std::size_t i = 0; i < text->mutants.size(); i += step) {
    const auto& mutant = text->mutants[i];
    const lab::CheckReport checked =
        check(exercise, *text, "exercises/" + exercise.id + "/" + mutant.file);
    const std::vector<std::string> ids = failed(checked);
    CAPTURE(exercise.id, mutant.file, mutant.why, joined(ids));
    if (lacks_library(checked)) break;
    CHECK(checked.graded);
    CHECK_FALSE(checked.passed);
    CHECK(std::ranges::find(ids, mutant.fails) != ids.end());
    const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
    REQUIRE(items);
    for (const auto& item : items->items) {
      if (item.state != lab::CheckExhibit::State::failed) continue;
      CHECK_FALSE(item.advice.empty());
      const std::string advice = english()(item.advice);
      CAPTURE(advice);
      CHECK(advice.find('{') == std::string::npos);
      CHECK_FALSE(reads_like_its_bound(item));
      if (item.id == "right" && text->submission == lab::Submission::kernel) expect_picture(item);
      // Nothing is wrong where the kernel did not end: then there is no element to speak of.
      if (item.id == "right" && item.mismatches.empty()) continue;
      const std::string hint = second_hint(*text, item, checked.report);
      CAPTURE(hint);
      CHECK(hint.find('{') == std::string::npos);
    }
  }
}

}  // namespace

TEST_CASE("Mutants of every exercise fail at the gate that they name") {
  for (const lab::Exercise* exercise : exercises_that_take(false))
    expect_mutants_to_fail(*exercise, kOfKernels);
}

TEST_CASE("Mutants of exercises on programs fail at the gate that they name", "[ci]") {
  for (const lab::Exercise* exercise : exercises_that_take(true))
    expect_mutants_to_fail(*exercise, kOfPrograms);
}

TEST_CASE("Every mutant of every exercise fails at the gate that it names", "[long]") {
  for (const lab::Exercise& exercise : exercises::catalogue())
    expect_mutants_to_fail(exercise, kEvery);
}

TEST_CASE(
    "What the book's own kernel does after a submission's is not counted as the submission's") {
  const lab::Exercise* exercise = exercises::find("im2col-gemm");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  const lab::CheckReport checked = check(*exercise, *text, "solutions/im2col-gemm.cu");
  const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
  REQUIRE(items);
  const auto stores = std::ranges::find(items->items, "stores", &lab::CheckExhibit::Item::id);
  REQUIRE(stores != items->items.end());
  // The matrix alone, 27 x 1,680 floats, eight in a sector; the product stores 5 x 1,680 more.
  CHECK(stores->got.arguments.front() == device::MessageArgument("got", "5670"));
}

TEST_CASE("Requests to cuDNN are judged by the lists that it gives for them") {
  const lab::Exercise* exercise = exercises::find("read-the-engine-list");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  const lab::CheckReport checked = check(*exercise, *text, solution_of(*text));
  if (lacks_library(checked)) SKIP("cuDNN is not installed");
  const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
  REQUIRE(items);
  for (const char* id : {"tensor-cores", "little-memory", "matrix", "lost"}) {
    CAPTURE(id);
    const auto item = std::ranges::find(items->items, id, &lab::CheckExhibit::Item::id);
    REQUIRE(item != items->items.end());
    const auto figure = [&](const char* name) {
      const lab::Message* found = device::argument_of(item->got.arguments, name);
      return found ? std::stoi(found->text) : -1;
    };
    CHECK(figure("engines") > 0);
    const bool on_tensor_cores =
        std::string_view(id) == "tensor-cores" || std::string_view(id) == "little-memory";
    CHECK((figure("tensor_cores") > 0) == on_tensor_cores);
  }
}

TEST_CASE("Settings that cannot be read are refused at their line, and nobody is asked anything") {
  const lab::Exercise* exercise = exercises::find("read-the-engine-list");
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, exercise->id, "en");
  REQUIRE(text);
  const lab::CheckReport checked =
      check(*exercise, *text, "exercises/read-the-engine-list/mutants/no_such_layout.toml");
  CHECK(checked.graded);
  CHECK_FALSE(checked.passed);
  CHECK(checked.points == 0);
  const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
  REQUIRE(items);
  REQUIRE(items->items.size() == text->gates.size());
  CHECK(items->items[0].line == 12);
  CHECK(items->items[0].got.text.find("hwcn") != std::string::npos);
  for (std::size_t i = 1; i < items->items.size(); ++i)
    CHECK(items->items[i].state == lab::CheckExhibit::State::waiting);
}

TEST_CASE("A starter's fixed lines are in its solution") {
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    CAPTURE(exercise.id);
    const auto text = lab::load_exercise(kRoot, exercise.id, "en");
    REQUIRE(text);
    const auto solution = lab::load_solution(kRoot, *text);
    REQUIRE(solution);
    // A whole program may be changed in every line.
    if (text->submission == lab::Submission::program) continue;
    const bool settings = text->submission == lab::Submission::settings;
    const std::string& starter = text->starter;
    std::size_t begin = 0;
    // A comment in a kernel's body says what is to be done from there on; what stands below it may be replaced.
    bool is_fixed = true;
    while (begin < starter.size() && is_fixed) {
      const std::size_t end = std::min(starter.find('\n', begin), starter.size());
      std::string line = starter.substr(begin, end - begin);
      begin = end + 1;
      const auto first = line.find_first_not_of(' ');
      const bool is_comment = first != std::string::npos && line.compare(first, 2, "//") == 0;
      is_fixed = !(is_comment && first > 0);
      if (first == std::string::npos || is_comment) continue;
      // A setting's name stands, its value is what is asked for.
      if (settings) line = line.substr(0, line.find(" = "));
      CAPTURE(line);
      CHECK(solution->find(line) != std::string::npos);
    }
  }
}

}  // namespace warpbook::exercises_test
