// The chapter First kernel without a window: its figures against plain arithmetic, and wrong kernels that look wrong.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/platform.hpp"
#include "lab/document/document.hpp"
#include "lab/document/program.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::first_kernel_test {
namespace {

using lab::AccessesExhibit;
using tests::chapter::answer;
using tests::chapter::compiler;

const std::string kRoot = WARPBOOK_SOURCE_DIR;

lab::Report run(std::int64_t n, std::int64_t block, const std::string& source = {}) {
  const lab::Lesson& lesson = *lessons::find("first-kernel");
  lab::Inputs inputs;
  inputs.values = lab::defaults(lesson.parameters);
  inputs.values.set("n", n);
  inputs.values.set("block", block);
  if (!source.empty()) inputs.sources["add"] = source;
  return lab::run(lesson, inputs, compiler(), kRoot);
}

std::string kernel(const std::string& body) {
  return "__global__ void add(const int* x, const int* y, int* out, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         body + "}\n";
}

std::vector<std::int64_t> values(const lab::Report& report, const char* id) {
  const auto* tensor = report.find_as<lab::TensorExhibit>(id);
  REQUIRE(tensor);
  std::vector<std::int64_t> all;
  for (std::uint64_t i = 0; i < lab::count(*tensor); ++i)
    all.push_back(std::llround(lab::element(*tensor, i)));
  return all;
}

/// The elements of `out` that each thread stored to, by global thread index.
std::multimap<std::uint64_t, std::int64_t> stores(const lab::Report& report) {
  const auto* accesses = report.find_as<AccessesExhibit>("wires");
  REQUIRE(accesses);
  std::multimap<std::uint64_t, std::int64_t> found;
  for (const AccessesExhibit::Wire& wire : accesses->wires) {
    if (wire.kind == device::AccessKind::load) continue;
    CHECK(accesses->arrays[wire.array].tensor.name == "out");
    found.emplace(wire.block * accesses->block.count() + wire.thread, wire.element);
  }
  return found;
}

const lab::CheckExhibit::Item& item(const lab::Report& report, std::string_view id) {
  const auto* check = report.find_as<lab::CheckExhibit>("check");
  REQUIRE(check);
  const auto found = std::ranges::find(check->items, id, &lab::CheckExhibit::Item::id);
  REQUIRE(found != check->items.end());
  return *found;
}

/// The chapter's whole program, as its page has it.
lab::CodeBlock program() {
  const auto document = lab::load_document(kRoot, "first-kernel", "en");
  REQUIRE(document);
  for (const lab::DocumentNode& node : document->nodes) {
    const auto* code = std::get_if<lab::CodeBlock>(&node);
    if (code && !code->file.empty()) return *code;
  }
  FAIL("no program");
  return {};
}

}  // namespace

TEST_CASE("First kernel is the first chapter of the book") {
  CHECK(lessons::catalogue().front().slug == "first-kernel");
}

TEST_CASE("First kernel's whole program makes the calls that its run makes, in the same order") {
  const lab::Report report = run(4, 4);
  const auto& calls = tests::chapter::exhibit<lab::TextExhibit>(report, "calls");
  const lab::Message* made = device::argument_of(calls.text.arguments, "calls");
  REQUIRE(made);
  std::vector<std::string> by_run, by_program;
  for (const lab::MessageArgument& call : made->arguments)
    by_run.push_back(call.value.key.substr(call.value.key.rfind('.') + 1));
  for (const lab::ProgramCall& call : lab::program_calls(program().text)) {
    if (!call.host_call.empty()) by_program.push_back(call.host_call);
  }
  CHECK(by_program == by_run);
  CHECK(by_run == std::vector<std::string>{"load", "allocate", "allocate", "allocate", "copy_in",
                                           "copy_in", "launch", "synchronise", "copy_out",
                                           "release", "release", "release"});
  const auto lines = lab::program_lines(program(), &report);
  CHECK(std::ranges::count_if(lines, [](const auto& line) { return !line.call.empty(); }) ==
        static_cast<std::ptrdiff_t>(by_run.size()));
}

TEST_CASE("First kernel's whole program checks each call of CUDA, and asks after its launch") {
  std::vector<std::string> lines;
  for (const lab::ProgramLine& line : lab::program_lines(program(), nullptr))
    lines.push_back(line.code);
  const auto calls = lab::program_calls(program().text);
  for (const lab::ProgramCall& call : calls) {
    CAPTURE(call.line, call.name);
    if (call.name.starts_with("cuda"))
      CHECK(lines[call.line].find("CHECK(" + call.name) != std::string::npos);
  }
  const auto launch = std::ranges::find(calls, "<<<", &lab::ProgramCall::name);
  REQUIRE(calls.end() - launch > 2);
  CHECK(launch[1].name == "cudaGetLastError");
  CHECK(launch[2].name == "cudaDeviceSynchronize");
}

TEST_CASE("First kernel's whole program compiles here, and its kernel adds") {
  device::CompileRequest request;
  request.name = program().file;
  request.source = program().text;
  request.foreign = true;  // its host part is for nvcc
  request.architecture = 90;
  const auto compiled = compiler()->compile(request);
  REQUIRE(compiled);
  CHECK((*compiled)->diagnostics.empty());
  // The kernel is the one that the page edits.
  const std::string& text = program().text;
  const std::string add =
      text.substr(text.find("__global__"), text.find("\n}\n") + 3 - text.find("__global__"));
  const lab::Report report = run(5, 4, add);
  CHECK(report.errors.empty());
  CHECK(values(report, "out") == std::vector<std::int64_t>{6, 8, 10, 12, 14});
}

TEST_CASE("First kernel's whole program compiles with nvcc, without a warning", "[ci]") {
  const char* given = std::getenv("CUDA_HOME");
  const std::string nvcc = std::string(given ? given : "/usr/local/cuda") + "/bin/nvcc";
  if (!std::filesystem::exists(nvcc)) SKIP(nvcc << " is not here");
  const tests::TemporaryFolder folder;
  const std::string binary = (folder.path() / "vector_add").string();
  const std::string command =
      fmt::format("'{}' -Werror all-warnings -o '{}' '{}/{}'", nvcc, binary, kRoot, program().file);
  REQUIRE(std::system(command.c_str()) == 0);
  // With a GPU it adds; without one its CHECK ends it, and says at which line.
  const std::string said = (folder.path() / "said").string();
  const int ended = std::system(fmt::format("'{}' > '{}' 2>&1", binary, said).c_str());
  const auto words = device::read_file(said);
  REQUIRE(words);
  if (ended == 0) {
    CHECK(*words == "6 8 10 12 \n");
  } else {
    CHECK(words->starts_with("line "));
  }
}

TEST_CASE("First kernel counts the warp instructions that its text works out") {
  CHECK(answer(run(32, 32), "warp-instructions") == "22");
  CHECK(answer(run(32, 4), "warp-instructions") == std::to_string(8 * 22));
}

TEST_CASE("First kernel counts the warps that its text works out") {
  CHECK(tests::chapter::figure(run(1000, 128), "warps") == "32");
  CHECK(tests::chapter::figure(run(1000, 4), "warps") == "250");
}

TEST_CASE("First kernel's room for threads and blocks is that of the GPUs that its text names") {
  const device::Properties* h200 = device::find_gpu("h200");
  const device::Properties* rtx4090 = device::find_gpu("rtx 4090");
  REQUIRE(h200);
  REQUIRE(rtx4090);
  CHECK(h200->max_threads_per_multiprocessor == 2048);
  CHECK(h200->max_blocks_per_multiprocessor == 32);
  CHECK(rtx4090->max_threads_per_multiprocessor == 1536);
  CHECK(rtx4090->max_blocks_per_multiprocessor >= 1536 / 256);
}

TEST_CASE("First kernel promises no result where a thread needs what another one writes") {
  const auto from_before = tests::chapter::variant("first-kernel", "from_before");
  const lab::Report report = run(8, 4, from_before);
  CHECK(answer(report, "promised") == "none");
  CHECK(item(report, "right").state == lab::CheckExhibit::State::failed);
  // The text says why: threads 1 to 3 and 5 to 7 read zeros, and thread 4 the 2 of the block before.
  CHECK(values(report, "out") == std::vector<std::int64_t>{6, 2, 2, 2, 4, 2, 2, 2});
  // With one thread after the other it would be right, which one thread alone is.
  CHECK(answer(run(1, 4, from_before), "promised") == "6");
  CHECK(answer(run(4, 4), "promised") == "6 8 10 12");
}

TEST_CASE("First kernel's guard of the wrong number lets all threads of every block through") {
  const auto wrong_guard = tests::chapter::variant("first-kernel", "wrong_guard");
  CHECK(answer(run(33, 32, wrong_guard), "strays") == std::to_string(2 * 32 - 33));
  CHECK(answer(run(33, 32), "strays") == "0");
}

TEST_CASE("First kernel's 600 elements without a guard have the stray writes that its text names") {
  const auto no_guard = tests::chapter::variant("first-kernel", "no_guard");
  CHECK(answer(run(600, 256, no_guard), "strays") == std::to_string(3 * 256 - 600));
}

TEST_CASE("First kernel's default run gives exactly 6 8 10 12") {
  const lab::Report report = run(4, 4);
  CHECK(report.errors.empty());
  CHECK(values(report, "out") == std::vector<std::int64_t>{6, 8, 10, 12});
  CHECK(item(report, "right").state == lab::CheckExhibit::State::passed);
  CHECK(item(report, "safe").state == lab::CheckExhibit::State::passed);
}

TEST_CASE("First kernel is right and its counts are arithmetic at every size and block") {
  const auto [n, block] = GENERATE(table<std::int64_t, std::int64_t>({{1, 1},
                                                                      {1, 32},
                                                                      {4, 4},
                                                                      {5, 4},
                                                                      {10, 4},
                                                                      {31, 32},
                                                                      {32, 32},
                                                                      {33, 32},
                                                                      {97, 31},
                                                                      {1000, 256},
                                                                      {1024, 1024}}));
  CAPTURE(n, block);
  const lab::Report report = run(n, block);
  REQUIRE(report.errors.empty());
  const std::int64_t blocks = (n + block - 1) / block;

  const std::vector<std::int64_t> out = values(report, "out");
  REQUIRE(out.size() == static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) CHECK(out[static_cast<std::size_t>(i)] == (i + 1) + (i + 5));
  CHECK(values(report, "counter") == std::vector<std::int64_t>{blocks * block});

  const auto* geometry = report.find_as<lab::GeometryExhibit>("geometry");
  REQUIRE(geometry);
  CHECK(geometry->threads == static_cast<std::uint64_t>(blocks * block));
  CHECK(geometry->idle == static_cast<std::uint64_t>(blocks * block - n));

  const auto stored = stores(report);
  CHECK(stored.size() == static_cast<std::size_t>(n));
  for (const auto& [thread, element] : stored) CHECK(static_cast<std::int64_t>(thread) == element);
}

TEST_CASE("First kernel's wires follow a kernel that writes backwards") {
  const lab::Report report = run(10, 4, kernel("  if (i < n) out[n - 1 - i] = x[i] + y[i];\n"));
  for (const auto& [thread, element] : stores(report))
    CHECK(element == 9 - static_cast<std::int64_t>(thread));
  CHECK(stores(report).size() == 10);
  CHECK(item(report, "right").state == lab::CheckExhibit::State::failed);
}

TEST_CASE("First kernel's wires lack the odd threads of a kernel that skips them") {
  const lab::Report report =
      run(8, 4, kernel("  if (i < n && i % 2 == 0) out[i] = x[i] + y[i];\n"));
  const auto stored = stores(report);
  CHECK(stored.size() == 4);
  for (const auto& [thread, element] : stored) CHECK(thread % 2 == 0);
  CHECK(report.find_as<lab::GeometryExhibit>("geometry")->idle == 4);
}

TEST_CASE(
    "First kernel without its guard shows every stray write at its line, and keeps the data") {
  const lab::Report report = run(1000, 256, kernel("  out[i] = x[i] + y[i];\n"));
  CHECK(answer(report, "strays") == "24");
  CHECK(item(report, "right").state == lab::CheckExhibit::State::passed);
  const auto& safe = item(report, "safe");
  CHECK(safe.state == lab::CheckExhibit::State::failed);
  CHECK(safe.line == 3);
  const auto* source = report.find_as<lab::SourceExhibit>("add");
  REQUIRE(source);
  CHECK(std::ranges::any_of(source->marks, [](const auto& mark) { return mark.line == 3; }));
  std::int64_t farthest = 0;
  for (const auto& [thread, element] : stores(report)) farthest = std::max(farthest, element);
  CHECK(farthest == 1023);
}

TEST_CASE("First kernel that does not compile reports the line and shows no result") {
  const lab::Report report = run(4, 4, kernel("  if (i < n) out[i] = x[i] + z[i];\n"));
  REQUIRE(!report.errors.empty());
  CHECK(report.errors.front().code == device::ErrorCode::compile_error);
  const auto* source = report.find_as<lab::SourceExhibit>("add");
  REQUIRE(source);
  REQUIRE(!source->marks.empty());
  CHECK(source->marks.front().line == 3);
  CHECK(report.find("out") == nullptr);
}

TEST_CASE("First kernel with a loop that does not end stops with its budget's error") {
  const lab::Report report =
      run(4, 4, kernel("  while (n > 0) { volatile int* p = out; p[0] = i; }\n"));
  REQUIRE(!report.errors.empty());
  const auto code = report.errors.front().code;
  CHECK((code == device::ErrorCode::budget_instructions || code == device::ErrorCode::budget_time));
}

TEST_CASE(
    "First kernel that was stopped shows what it had done until then, and calls no thread idle") {
  const auto stopped = [](const char* body) {
    lab::Report report = run(4, 4, kernel(body));
    const auto* geometry = report.find_as<lab::GeometryExhibit>("geometry");
    REQUIRE(geometry);
    CHECK(geometry->stopped);
    CHECK_FALSE(geometry->idle_known);
    return report;
  };
  const lab::Report astray = stopped("  while (n > 0) { volatile int* p = out; p[n + 5] = i; }\n");
  const auto* wires = astray.find_as<lab::AccessesExhibit>("wires");
  REQUIRE(wires);
  CHECK(wires->stopped);
  CHECK(std::ranges::any_of(wires->wires, [](const auto& wire) { return wire.element == 9; }));

  // The compiler removes this store, since no thread could ever see that it was made only once.
  const lab::Report removed = stopped("  while (1) out[n + 5] = 1;\n");
  wires = removed.find_as<lab::AccessesExhibit>("wires");
  REQUIRE(wires);
  CHECK(wires->stopped);
  CHECK(wires->wires.empty());
}

TEST_CASE("First kernel with a block of 1,025 threads is refused as CUDA refuses it") {
  const lab::Report report = run(1024, 1025);
  REQUIRE(!report.errors.empty());
  CHECK(report.errors.front().code == device::ErrorCode::invalid_configuration);
  CHECK(answer(report, "launch") == "refused");
  CHECK(answer(run(1024, 1024), "launch") == "runs");
}

TEST_CASE(
    "Every question of every chapter has exactly one right choice, and it is the one that its run "
    "computes") {
  // Both languages ask the same: they have the same sets, answers and values (below).
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto document = lab::load_document(kRoot, lesson.slug, "en");
    REQUIRE(document);
    for (const lab::DocumentNode& block : document->nodes) {
      const auto* question = std::get_if<lab::PredictDirective>(&block);
      if (!question) continue;
      CAPTURE(lesson.slug, question->id);
      lab::Inputs current;
      current.values = lab::defaults(lesson.parameters);
      const lab::Report report =
          lab::run(lesson, lab::deciding_inputs(*question, lesson, current), compiler(), kRoot);
      const auto computed = lab::computed_answer(*question, lesson, report);
      REQUIRE(computed);
      CAPTURE(*computed);
      CHECK(std::ranges::count(question->choices, *computed,
                               &lab::PredictDirective::Choice::value) == 1);
      for (const auto& choice : question->choices)
        CHECK((choice.value == *computed) == choice.misconception.empty());
    }
  }
}

TEST_CASE("What an open question covers of its own run, every run covers that shows the very same",
          "[ci]") {
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto document = lab::load_document(kRoot, lesson.slug, "en");
    REQUIRE(document);
    lab::Inputs inputs;
    inputs.values = lab::defaults(lesson.parameters);
    const lab::Report opened = lab::run(lesson, inputs, compiler(), kRoot);
    for (const lab::DocumentNode& block : document->nodes) {
      const auto* question = std::get_if<lab::PredictDirective>(&block);
      if (!question || lab::decides(*question, lesson, inputs)) continue;
      const lab::Report decided =
          lab::run(lesson, lab::deciding_inputs(*question, lesson, inputs), compiler(), kRoot);
      for (const std::string& veiled : question->veils) {
        const lab::Exhibit *seen = opened.find(veiled), *covered = decided.find(veiled);
        // A check that passes in both runs says nothing of what differs.
        if (!seen || !covered || std::holds_alternative<lab::CheckExhibit>(seen->value)) continue;
        CAPTURE(lesson.slug, question->id, veiled);
        const bool same = seen->value == covered->value;
        if (same) CHECK(lab::veiled_by(*document, lesson, inputs, {}, veiled));
      }
    }
  }
}

TEST_CASE("First kernel: what a race is does not stand below the question whose answer it is") {
  const auto document = lab::load_document(kRoot, "first-kernel", "en");
  REQUIRE(document);
  std::string asked_last;
  for (const lab::DocumentNode& node : document->nodes) {
    if (const auto* question = std::get_if<lab::PredictDirective>(&node)) asked_last = question->id;
    const auto* term = std::get_if<lab::TermDirective>(&node);
    if (term && term->id == "race") CHECK(asked_last == "strays-of-thirty-three");
  }
}

TEST_CASE("Every chapter's text fits its lesson, and both languages carry the same directives") {
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    CAPTURE(lesson.slug);
    const auto english = lab::load_document(kRoot, lesson.slug, "en");
    const auto chinese = lab::load_document(kRoot, lesson.slug, "zh");
    REQUIRE(english);
    REQUIRE(chinese);
    lab::Inputs inputs;
    inputs.values = lab::defaults(lesson.parameters);
    const lab::Report report = lab::run(lesson, inputs, compiler(), kRoot);
    for (const auto* document : {&*english, &*chinese}) {
      for (const device::Error& problem : lab::validate(*document, lesson, kRoot, &report))
        FAIL_CHECK(problem.english());
    }
    for (const device::Error& problem : lab::compare_directives(*english, *chinese))
      FAIL_CHECK(problem.english());
  }
}

}  // namespace warpbook::first_kernel_test
