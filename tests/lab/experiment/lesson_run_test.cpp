// A lesson's run with the compiler and the simulated GPU: what its report holds when all is well, and when a reader's
// kernel is not.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/operation/operation.hpp"
#include "tests/keyed.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::lesson_run_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

std::shared_ptr<device::Compiler> compiler() {
  static const auto shared_compiler = std::make_shared<device::Compiler>();
  return shared_compiler;
}

constexpr const char* kKernel =
    "__global__ void twice(const int* x, int* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = 2 * x[i];\n"
    "}\n";

/// y = 2 x over n elements in blocks of 32.
struct Book {
  Book() {
    folder.write(
        "kernels/twice/01_plain.cu",
        std::string(
            "//@ idea: one thread an element\n//@ block: 32\n//@ grid: ceil_div(n, block)\n\n") +
            kKernel);
    folder.write("kernels/twice/operation.toml",
                 "tolerance = \"bitwise\"\n[[parameter]]\nname = \"x\"\nkind = \"input\"\ntype = "
                 "\"i32\"\nshape = [\"n\"]\n"
                 "[[parameter]]\nname = \"y\"\nkind = \"output\"\ntype = \"i32\"\nshape = [\"n\"]\n"
                 "[[parameter]]\nname = \"n\"\nkind = \"scalar\"\ntype = \"i32\"\n");
    Parameter n;
    n.name = "n";
    n.initial = std::int64_t{40};
    n.minimum = 1;
    n.maximum = 1000;
    lesson.slug = "twice";
    lesson.parameters = {n};
    lesson.slots = {{"twice", "kernels/twice/01_plain.cu"}};
    lesson.experiment = [](Lab& lab) {
      const auto n_elements = static_cast<std::size_t>(lab.integer("n"));
      std::vector<int> x(n_elements);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i);
      const auto module = lab.compile("twice");
      const device::Buffer d_x = lab.upload<int>("x", x);
      const device::Buffer d_y = lab.allocate("y", device::ElementType::i32, n_elements);
      device::Launch launch;
      launch.module = module;
      launch.grid = {static_cast<std::uint32_t>((n_elements + 31) / 32), 1, 1};
      launch.block = {32, 1, 1};
      launch.arguments = {device::Argument::pointer(d_x.address()),
                          device::Argument::pointer(d_y.address()),
                          device::Argument::of(static_cast<std::int32_t>(n_elements))};
      const auto record = lab.launch(std::move(launch));
      lab.show({"y", Message::plain("y"), std::nullopt, lab.tensor(d_y)});
      lab.show({"geometry", Message::plain("g"), std::nullopt, geometry_of(*record)});
    };
  }
  [[nodiscard]] Report run(const Inputs& inputs = {}, std::stop_token stop = {}) const {
    return lab::run(lesson, inputs, compiler(), root.string(), std::move(stop));
  }
  [[nodiscard]] Report run_source(std::string source) const {
    Inputs inputs;
    inputs.sources["twice"] = std::move(source);
    return run(inputs);
  }
  tests::TemporaryFolder folder;
  std::filesystem::path root = folder.path();
  Lesson lesson;
};

const SourceExhibit& source_of(const Report& report) {
  const auto* source = report.find_as<SourceExhibit>("twice");
  REQUIRE(source != nullptr);
  return *source;
}

std::string english(const Message& message) {
  static const auto words = *Strings::load("en", WARPBOOK_SOURCE_DIR);
  return (*words)(message);
}

}  // namespace

TEST_CASE("a run reports what the kernel computed, with counters at its lines") {
  const Book book;
  const Report report = book.run();
  for (const auto& error : report.errors) UNSCOPED_INFO(error.english());
  REQUIRE(report.errors.empty());
  CHECK(report.subject == "twice");
  CHECK(report.device.english() == "H200, simulated");
  const auto* y = report.find_as<TensorExhibit>("y");
  REQUIRE(y != nullptr);
  CHECK(element(*y, 39) == 78);
  const SourceExhibit& source = source_of(report);
  CHECK(source.text == kKernel);  // the //@ block is for machines
  CHECK(source.marks.empty());
  CHECK_FALSE(source.ptx.empty());
  const auto line = std::find_if(source.lines.begin(), source.lines.end(),
                                 [](const auto& l) { return l.line == 3; });
  REQUIRE(line != source.lines.end());
  CHECK(line->threads == 64);
  CHECK(line->counters.global_bytes_asked == 2 * 4 * 40);
}

TEST_CASE("the counters of a line are those of its PTX, and a wrong kernel has others") {
  const Book book;
  const auto sectors_stored = [&](const Report& report) {
    const SourceExhibit& source = source_of(report);
    REQUIRE_FALSE(source.instructions.empty());
    std::uint64_t stored = 0;
    for (const SourceExhibit::Line& line : source.lines) {
      device::Counters sum;
      std::uint64_t most = 0;
      for (const std::uint32_t ptx : ptx_lines_of(source, line.line)) {
        const auto one =
            std::ranges::find(source.instructions, ptx, &SourceExhibit::Instruction::ptx_line);
        REQUIRE(one != source.instructions.end());
        CHECK(one->line == line.line);
        sum += one->counters;
        most = std::max(most, one->counters.thread_instructions);
      }
      CHECK(sum == line.counters);
      CHECK(most == line.threads);
      stored += sum.global_store_sectors;
    }
    return stored;
  };
  CHECK(sectors_stored(book.run()) == 5);  // 40 elements of 4 bytes
  CHECK(sectors_stored(book.run_source("__global__ void twice(const int* x, int* y, int n) {\n"
                                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                       "  if (8 * i < n) y[8 * i] = 2 * x[8 * i];\n"
                                       "}\n")) == 5);
  CHECK(sectors_stored(book.run_source("__global__ void twice(const int* x, int* y, int n) {\n"
                                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                       "  if (i < n) y[i * 7 % 40] = 2 * x[i * 7 % 40];\n"
                                       "}\n")) > 5);
}

TEST_CASE("the inputs' hash speaks of everything that a run depends on, the files too") {
  Book book;
  const Report report = book.run();
  CHECK(report.inputs.sources.at("twice") == kKernel);
  CHECK(report.inputs_hash == hash_of(*completed(book.lesson, {}, book.root.string())));
  Inputs other;
  other.values.set("n", std::int64_t{41});
  CHECK(hash_of(*completed(book.lesson, other, book.root.string())) != report.inputs_hash);
  std::ofstream(book.root / "kernels/twice/01_plain.cu", std::ios::app) << "// edited outside\n";
  CHECK(hash_of(*completed(book.lesson, {}, book.root.string())) != report.inputs_hash);
}

TEST_CASE("a kernel that does not compile is marked at its line, and shows no results") {
  const Book book;
  const Report report =
      book.run_source("__global__ void twice(const int* x, int* y, int n) {\n  y[0] = x[0]\n}\n");
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].code == device::ErrorCode::compile_error);
  CHECK(report.find("y") == nullptr);
  const SourceExhibit& source = source_of(report);
  REQUIRE_FALSE(source.marks.empty());
  CHECK(source.marks[0].line >= 2);
  CHECK(english(source.marks[0].text).find("expected a \";\"") != std::string::npos);
}

TEST_CASE("stray writes are one mark at their line, with their number and the first of them") {
  const Book book;
  const Report report = book.run_source(
      "__global__ void twice(const int* x, int* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  y[i] = 2 * i;\n"
      "}\n");
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].code == device::ErrorCode::out_of_bounds_write);
  const auto* y = report.find_as<TensorExhibit>("y");
  REQUIRE(y != nullptr);
  CHECK(element(*y, 39) == 78);
  const SourceExhibit& source = source_of(report);
  REQUIRE(source.marks.size() == 1);
  CHECK(source.marks[0].line == 3);
  CHECK_THAT(english(source.marks[0].text),
             Says("error.out_of_bounds_write.short", {{"count", 24},
                                                      {"name", "y"},
                                                      {"elements", "[0..39]"},
                                                      {"thread", 8},
                                                      {"block", 1},
                                                      {"index", 40}}));
}

TEST_CASE("an endless loop is stopped by its budget, with the error at its line") {
  const Book book;
  const Report report = book.run_source(
      "__global__ void twice(const int* x, int* y, int n) {\n"
      "  volatile int* out = y;\n"
      "  while (true) {\n"
      "    out[0] = x[0];\n"
      "  }\n"
      "}\n");
  REQUIRE(report.errors.size() == 1);
  CAPTURE(report.errors[0].english());
  const bool stopped = report.errors[0].code == device::ErrorCode::budget_instructions ||
                       report.errors[0].code == device::ErrorCode::budget_time;
  CHECK(stopped);

  CHECK(report.errors[0].place.line >= 3);
  CHECK(report.errors[0].place.line <= 5);
  CHECK_FALSE(source_of(report).marks.empty());
}

TEST_CASE("what printf wrote is in the report") {
  const Book book;
  const Report report = book.run_source(
      "#include <cstdio>\n__global__ void twice(const int* x, int* y, int n) { if (threadIdx.x == "
      "0) printf(\"%d;\", blockIdx.x); }\n");
  const auto* output = report.find_as<TextExhibit>("output");
  REQUIRE(output != nullptr);
  CHECK(english(output->text) == "0;1;");
}

TEST_CASE("a launch that CUDA refuses leaves the source and says why") {
  Book book;
  book.lesson.experiment = [](Lab& lab) {
    device::Launch launch;
    launch.module = lab.compile("twice");
    launch.grid = {1, 1, 1};
    launch.block = {1025, 1, 1};
    launch.arguments = {device::Argument::pointer(0), device::Argument::pointer(0),
                        device::Argument::of(1)};
    lab.launch(std::move(launch));
  };
  const Report report = book.run();
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].english().find("cudaErrorInvalidConfiguration") != std::string::npos);
  CHECK(report.find("twice") != nullptr);
}

TEST_CASE("a launch is checked for everything, or where it says so for bad accesses alone") {
  // All threads write y[0], and the last one beyond y's end.
  static constexpr const char* kBoth =
      "__global__ void both(int* y, int n) {\n"
      "  int i = threadIdx.x;\n"
      "  y[0] = i;\n"
      "  if (i == n - 1) y[n] = i;\n"
      "}\n";
  Lesson lesson;
  lesson.slug = "trial";
  std::vector<device::ErrorCode> found;
  Checking checking = Checking::whole;
  lesson.experiment = [&](Lab& lab) {
    constexpr std::int32_t kThreads = 32;
    const device::Buffer d_y = lab.allocate("y", device::ElementType::i32, kThreads);
    device::Launch launch;
    launch.module = lab.compile_source("both.cu", kBoth);
    launch.grid = {1, 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.arguments = {device::Argument::pointer(d_y.address()), device::Argument::of(kThreads)};
    const auto record = lab.launch(std::move(launch), Printing::shown, checking);
    found.clear();
    for (const device::Finding& finding : record->findings) found.push_back(finding.error.code);
  };
  const auto run = [&] { (void)lab::run(lesson, {}, compiler(), WARPBOOK_SOURCE_DIR); };
  using device::ErrorCode;
  run();
  CHECK(found.size() > 1);
  CHECK(std::ranges::count(found, ErrorCode::out_of_bounds_write) == 1);
  checking = Checking::accesses;
  run();
  CHECK(found == std::vector{ErrorCode::out_of_bounds_write});
}

TEST_CASE("inputs that the lesson does not take are refused before anything runs") {
  const Book book;
  const auto says = [&](const Inputs& inputs) {
    const Report report = book.run(inputs);
    REQUIRE(report.errors.size() == 1);
    CHECK(report.exhibits.empty());
    return keyed(report.errors[0]);
  };
  Inputs inputs;
  inputs.values.set("n", std::int64_t{1001});
  CHECK(says(inputs) == "parameter_out_of_range(maximum=1000, minimum=1, name=n, value=1001)");
  inputs = {};
  inputs.values.set("m", std::int64_t{1});
  CHECK(says(inputs) == "unknown_name(kind=phrase.kind.parameter, known=n, name=m)");
  inputs = {};
  inputs.sources["other"] = "";
  CHECK(says(inputs) == "unknown_name(kind=phrase.kind.source, known=twice, name=other)");
  inputs = {};
  inputs.gpu = "voodoo";
  CHECK(says(inputs).find("voodoo") != std::string::npos);
}

TEST_CASE("a run that was cancelled says so and nothing else") {
  const Book book;
  std::stop_source stop;
  stop.request_stop();
  const Report report = book.run({}, stop.get_token());
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].code == device::ErrorCode::cancelled);
}

namespace {

/// Runs a rung inside a lesson's experiment; the report's errors are what it threw.
template <class Body>
Report with_lab(Book& book, Body body) {
  book.lesson.experiment = body;
  return book.run();
}

std::vector<std::byte> bytes_of(const std::vector<int>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("a rung runs by name, at size 0 too, and its mistakes are errors") {
  Book book;
  const auto operation = load_operation(book.root.string(), "twice");
  REQUIRE(operation.has_value());
  const auto run_with = [&](RungArguments arguments, RungResult& result,
                            const char* rung = "plain") {
    return with_lab(book, [&](Lab& lab) { result = run_rung(lab, *operation, rung, arguments); });
  };
  RungResult result;
  Report report = run_with({{{"n", 3}}, {}, {{"x", bytes_of({5, -6, 7})}}}, result);
  for (const auto& error : report.errors) UNSCOPED_INFO(error.english());
  REQUIRE(report.errors.empty());
  REQUIRE(result.records.size() == 1);
  CHECK(result.records[0]->grid == device::Dim3{1, 1, 1});
  CHECK(element(result.outputs.at("y"), 1) == -12);

  report = run_with({{{"n", 0}}, {}, {{"x", {}}}}, result);
  CHECK(report.errors.empty());
  CHECK(result.records.empty());
  CHECK(count(result.outputs.at("y")) == 0);

  CHECK(run_with({{{"n", 3}}, {}, {{"x", bytes_of({1})}}}, result)
            .errors.at(0)
            .english()
            .find("12 bytes") != std::string::npos);
  CHECK(run_with({{{"n", 3}}, {}, {}}, result).errors.at(0).english().find("absent") !=
        std::string::npos);
  CHECK(run_with({{{"n", 3}}, {}, {{"x", bytes_of({1, 2, 3})}}}, result, "fast")
            .errors.at(0)
            .english()
            .find("there is plain") != std::string::npos);

  // A kernel that writes only some elements leaves NaN bytes in the others, and one that changes its input is found out.
  std::ofstream(book.root / "kernels/twice/01_plain.cu")
      << "//@ idea: wrong\n//@ block: 32\n//@ grid: 1\n__global__ void twice(int* x, int* y, int "
         "n) { if (threadIdx.x == 0) { y[0] = 1; x[2] = 9; } }\n";
  report = run_with({{{"n", 3}}, {}, {{"x", bytes_of({1, 2, 3})}}}, result);
  REQUIRE(report.errors.size() == 1);
  CHECK(warpbook::tests::keyed(report.errors[0]) ==
        "input_changed(count=1, index=2, kernel=twice, name=x)");
}

TEST_CASE("a rung of several launches passes buffers, places in them, scalars and expressions") {
  Book book;
  std::ofstream(book.root / "kernels/twice/02_halves.cu")
      << "//@ idea: each half by itself, through a workspace\n//@ block: 32\n//@ defines: STEP=1\n"
         "//@ let: half = n / 2\n//@ workspace: kept i32[n + 1]\n//@ zero: kept\n"
         "//@ launch: keep(x, kept, half)\n//@ grid: ceil_div(half, block)\n"
         "//@ launch: keep(x + half, kept + half, n - half)\n//@ grid: ceil_div(n - half, block)\n"
         "//@ launch: twice(kept, y, n, 2)\n//@ grid: ceil_div(n, 4 * block)\n//@ block: 128\n\n"
         "__global__ void keep(const int* x, int* kept, long long n) {\n"
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < n) kept[i] += STEP * x[i];\n}\n"
         "__global__ void twice(const int* x, int* y, int n, float by) {\n"
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < n) y[i] = by * x[i];\n}\n";
  const auto operation = load_operation(book.root.string(), "twice");
  INFO((operation ? "" : operation.error().english()));
  REQUIRE(operation.has_value());
  RungResult result;
  const auto run_with = [&](std::map<std::string, std::int64_t> scalars, std::vector<int> x) {
    return with_lab(book, [&](Lab& lab) {
      result = run_rung(lab, *operation, "halves", {std::move(scalars), {}, {{"x", bytes_of(x)}}});
    });
  };
  Report report = run_with({{"n", 5}}, {1, 2, 3, 4, 5});
  for (const auto& error : report.errors) UNSCOPED_INFO(error.english());
  REQUIRE(report.errors.empty());
  REQUIRE(result.records.size() == 3);
  CHECK(result.records[2]->block == device::Dim3{128, 1, 1});
  for (std::uint64_t i = 0; i < 5; ++i)
    CHECK(element(result.outputs.at("y"), i) == 2 * (static_cast<double>(i) + 1));

  // A define is overridden by name; a launch without a block is skipped.
  report = run_with({{"n", 1}, {"STEP", 3}}, {7});
  REQUIRE(report.errors.empty());
  CHECK(result.records.size() == 2);
  CHECK(element(result.outputs.at("y"), 0) == 42);

  std::ofstream(book.root / "kernels/twice/02_halves.cu")
      << "//@ idea: too few arguments\n//@ block: 32\n//@ grid: 1\n//@ launch: twice(x, y)\n"
         "__global__ void twice(const int* x, int* y, int n) {}\n";
  const auto wrong = load_operation(book.root.string(), "twice");
  REQUIRE(wrong.has_value());
  report = with_lab(book, [&](Lab& lab) {
    result = run_rung(lab, *wrong, "halves", {{{"n", 1}}, {}, {{"x", bytes_of({7})}}});
  });
  REQUIRE(report.errors.size() == 1);
  CHECK(warpbook::tests::keyed(report.errors[0]) ==
        "kernels/twice/02_halves.cu:4: bad_rung(why=phrase.rung.arguments("
        "given=2, kernel=twice, takes=3))");
}

TEST_CASE("a rung's constants are copied into its constant variables before it runs") {
  Book book;
  const auto write = [&](const char* constant) {
    std::ofstream(book.root / "kernels/twice/02_constant.cu")
        << "//@ idea: reads x from constant memory\n//@ block: 32\n//@ grid: ceil_div(n, block)\n"
           "//@ constant: "
        << constant
        << "\n__constant__ int kept[4];\n"
           "__global__ void twice(const int* x, int* y, int n) {\n"
           "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i < n) y[i] = 2 * kept[i];\n}\n";
  };
  RungResult result;
  const auto run_with = [&](std::vector<int> x) {
    const auto operation = load_operation(book.root.string(), "twice");
    REQUIRE(operation.has_value());
    return with_lab(book, [&](Lab& lab) {
      const auto n = static_cast<std::int64_t>(x.size());
      result = run_rung(lab, *operation, "constant", {{{"n", n}}, {}, {{"x", bytes_of(x)}}});
    });
  };
  write("kept = x");
  Report report = run_with({1, 2, 3});
  for (const auto& error : report.errors) UNSCOPED_INFO(error.english());
  REQUIRE(report.errors.empty());
  CHECK(element(result.outputs.at("y"), 2) == 6);

  report = run_with({1, 2, 3, 4, 5});
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].english().find("kept has 16 bytes, and x is 20") != std::string::npos);
  write("kept = y");
  report = run_with({1, 2, 3});
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].english().find("y, which is no input") != std::string::npos);
  write("lost = x");
  CHECK(run_with({1, 2, 3}).errors.size() == 1);
}

}  // namespace warpbook::tests::lesson_run_test
