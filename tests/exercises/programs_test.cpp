// Exercises that take a whole CUDA program: what their checks say of programs that fail in ways of their own.
#include <algorithm>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::exercises::programs_test {
namespace {

using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

const std::string kRoot = WARPBOOK_SOURCE_DIR;

void need_nvcc() {
  if (!device::find_nvcc()) SKIP("nvcc is not here: ./warpbook fetch nvcc");
}

lab::CheckReport check(const std::string& id, const std::string& source) {
  const lab::Exercise* exercise = exercises::find(id);
  REQUIRE(exercise);
  const auto text = lab::load_exercise(kRoot, id, "en");
  REQUIRE(text);
  return lab::check(*exercise, *text, id + ".cu", source, kRoot,
                    std::make_shared<device::Compiler>());
}

std::string solution_of(const std::string& id) {
  const auto source = device::read_file(kRoot + "/solutions/" + id + ".cu");
  REQUIRE(source);
  return *source;
}

std::string mutant_of(const std::string& id, const std::string& name) {
  const auto source = device::read_file(kRoot + "/exercises/" + id + "/mutants/" + name + ".cu");
  REQUIRE(source);
  return *source;
}

std::uint32_t line_with(const std::string& source, std::string_view text) {
  const std::size_t at = source.find(text);
  REQUIRE(at != std::string::npos);
  const auto end = source.begin() + static_cast<std::ptrdiff_t>(at);
  return 1 + static_cast<std::uint32_t>(std::count(source.begin(), end, '\n'));
}

std::string with(std::string text, std::string_view old, std::string_view by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

const Item& item_of(const lab::CheckReport& checked, std::string_view id) {
  const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
  REQUIRE(items);
  const auto item = std::ranges::find(items->items, id, &Item::id);
  REQUIRE(item != items->items.end());
  return *item;
}

std::string argument(const lab::Message& message, std::string_view name) {
  const lab::Message* found = device::argument_of(message.arguments, name);
  return found ? found->text : "";
}

/// All that a student reads of a check.
std::string words_of(const lab::CheckReport& checked) {
  const auto strings = lab::Strings::load("en", kRoot);
  REQUIRE(strings);
  std::string words;
  for (const Item& item : checked.report.find_as<lab::CheckExhibit>("check")->items)
    words += (**strings)(item.got) + "\n" + (**strings)(item.advice) + "\n";
  for (const device::Error& error : checked.report.errors) words += (**strings)(error) + "\n";
  return words;
}

}  // namespace

TEST_CASE("What the compilers say of a program is shown at its line, with advice and no folder",
          "[ci]") {
  need_nvcc();
  struct Mistake {
    const char *from, *to, *advice;
    std::uint32_t line;
  };
  const std::string right = solution_of("whole-program");
  for (const Mistake& mistake :
       {Mistake{"c(n);\n", "c(n)\n", "compile.semicolon", 23},
        Mistake{"add<<<(n + block - 1) / block, block>>>(", "add(", "compile.no-launch", 39},
        Mistake{"<vector>", "<vectro>", "compile.no-header", 4},
        Mistake{"int n = argc", "int f(int); int n = f(1) + argc", "compile.no-definition", 21},
        Mistake{"int main(", "int mian(", "compile.no-main", 0},
        Mistake{"cudaMalloc(&d_b", "cudaMaloc(&d_b", "compile.misspelt", 31}}) {
    CAPTURE(mistake.to);
    const lab::CheckReport checked = check("whole-program", with(right, mistake.from, mistake.to));
    CHECK(checked.graded);
    CHECK_FALSE(checked.passed);
    const Item& compiles = item_of(checked, "compiles");
    CHECK(compiles.state == State::failed);
    CHECK(compiles.line == mistake.line);
    CHECK(compiles.advice.key == mistake.advice);
    CHECK(item_of(checked, "right").state == State::waiting);
    CHECK(words_of(checked).find(device::cache_folder().string()) == std::string::npos);
  }
}

TEST_CASE("A finding is told at the student's own line and by the array's own name", "[ci]") {
  need_nvcc();
  const lab::CheckReport checked =
      check("whole-program", with(solution_of("whole-program"), "if (i < n)", "if (i <= n)"));
  const Item& safe = item_of(checked, "safe");
  CHECK(safe.state == State::failed);
  CHECK(safe.line == 17);
  const std::string words = words_of(checked);
  CHECK(words.find(" d_") != std::string::npos);
  CHECK(words.find(device::cache_folder().string()) == std::string::npos);
  CHECK(words.find("cuda_runtime.h") == std::string::npos);
}

TEST_CASE("Where a program gives up, what it says is passed on", "[ci]") {
  need_nvcc();
  const lab::CheckReport checked =
      check("whole-program", with(solution_of("whole-program"), "if (n > 0) {", "{"));
  const Item& right = item_of(checked, "right");
  CHECK(right.state == State::failed);
  CHECK(right.advice.key == "exercise.program.right.code-told");
  CHECK(argument(right.advice, "told") == "launch: invalid configuration argument");
  CHECK(right.cases.front().name == "n = 0");
  CHECK_FALSE(right.cases.front().passed);
  CHECK(right.cases[1].passed);
}

TEST_CASE("Where a call fails, its line and the reason are told beside the program's own words",
          "[ci]") {
  need_nvcc();
  const auto source =
      device::read_file(kRoot + "/exercises/reuse-allocation/mutants/as_large_as_the_first.cu");
  REQUIRE(source);
  const lab::CheckReport checked = check("reuse-allocation", *source);
  const Item& right = item_of(checked, "right");
  const auto copy = source->find("cudaMemcpyHostToDevice");
  REQUIRE(copy != std::string::npos);
  CHECK(right.line ==
        1 + std::count(source->begin(), source->begin() + static_cast<std::ptrdiff_t>(copy), '\n'));
  const std::string words = words_of(checked);
  CHECK(words.find("and said: copy to the GPU: invalid argument") != std::string::npos);
  CHECK(words.find("664 bytes") != std::string::npos);
}

TEST_CASE("A program that does not end is stopped once, and not in every run", "[ci]") {
  need_nvcc();
  const lab::CheckReport checked = check(
      "whole-program",
      with(solution_of("whole-program"), "int n = argc", "while (argc > 0) {}\n  int n = argc"));
  CHECK(checked.graded);
  CHECK(item_of(checked, "right").advice.key == "exercise.program.right.time");
  CHECK(checked.report.run_seconds < 60);
}

TEST_CASE("A program that prints without end fills no memory", "[ci]") {
  need_nvcc();
  const lab::CheckReport checked = check(
      "whole-program", with(solution_of("whole-program"), "  check(cudaFree(d_a), \"free\");\n",
                            "  for (int i = 0; i < 20000000; ++i) std::puts(\"more\");\n"));
  CHECK(checked.graded);
  CHECK(item_of(checked, "right").state == State::failed);
}

TEST_CASE("A failing allocation that a program does without is no error", "[ci]") {
  need_nvcc();
  // It tries once more, and then there is memory.
  std::string source = solution_of("whole-program");
  source = with(source, "check(cudaMalloc(&d_b, bytes), \"memory for b\");",
                "if (cudaMalloc(&d_b, bytes)) check(cudaMalloc(&d_b, bytes), \"memory for b\");");
  source = with(source, "check(cudaGetLastError(), \"launch\");",
                "cudaError_t error = cudaGetLastError();\n"
                "    if (error != cudaErrorMemoryAllocation) check(error, \"launch\");");
  CHECK(check("whole-program", source).passed);
}

TEST_CASE("An exception that nobody catches ends a program as an exit code does", "[ci]") {
  need_nvcc();
  const std::string source = solution_of("whole-program");
  CHECK(check("whole-program", with(source, "std::exit(1);", "throw 1;")).passed);
  CHECK_FALSE(
      check("whole-program", with(source, "std::exit(1);", "*(volatile int*)8 = 1;")).passed);
}

TEST_CASE("Copies that are too many are told with their line, their number and their bytes",
          "[ci]") {
  need_nvcc();
  const auto starter = device::read_file(kRoot + "/exercises/keep-on-device/starter.cu");
  REQUIRE(starter);
  const lab::CheckReport checked = check("keep-on-device", *starter);
  CHECK(item_of(checked, "right").state == State::passed);
  for (const auto& [id, line] : {std::pair("in", 35u), {"out", 38u}}) {
    CAPTURE(id);
    const Item& copies = item_of(checked, id);
    CHECK(copies.state == State::failed);
    CHECK(copies.line == line);
    CHECK(words_of(checked).find("line " + std::to_string(line) + " (24 calls)") !=
          std::string::npos);
    CHECK(argument(copies.advice, "bytes") == "96,000");
    CHECK(argument(copies.advice, "needed") == "4,000");
    CHECK(argument(copies.got, "measured") == "24");
  }
  CHECK(argument(item_of(checked, "allocations").advice, "count") == "48");
  CHECK(argument(item_of(checked, "allocations").advice, "few") == "4");
}

TEST_CASE("What happens in a function of CUDA's headers is told at the line that calls it",
          "[ci]") {
  need_nvcc();
  const std::string source = mutant_of("mend-access", "only_below_tested");
  const lab::CheckReport checked = check("mend-access", source);
  CHECK(item_of(checked, "safe").line == line_with(source, "atomicAdd(&sums[s]"));
  CHECK(words_of(checked).find("device_atomic_functions") == std::string::npos);
}

TEST_CASE("Of a race within a warp that is one between warps at other sizes, the larger is told",
          "[ci]") {
  need_nvcc();
  const lab::CheckReport checked =
      check("mend-access", mutant_of("mend-access", "shared_sums_not_ready"));
  const std::string words = words_of(checked);
  CHECK(words.find("put __syncthreads() between line") != std::string::npos);
  CHECK(words.find("__syncwarp") == std::string::npos);
}

TEST_CASE("What the host computes beside its kernels is not the GPU's work", "[ci]") {
  need_nvcc();
  const auto told = [](const std::string& id, const std::string& mutant) {
    return item_of(check(id, mutant_of(id, mutant)), "on-gpu").advice.key;
  };
  CHECK(told("mend-launch", "host_scales") == "exercise.program.on-gpu.not-stored");
  CHECK(told("mend-leak", "host_counts_edges") == "exercise.program.on-gpu.not-from-gpu");
  CHECK(told("mend-leak", "host_counts_before") == "exercise.program.on-gpu.no-input");
  CHECK(told("mend-launch", "host_corrects_before") == "exercise.program.on-gpu.arrived");
  CHECK(told("error-macro", "host_makes_tenths") == "exercise.program.on-gpu.kernels");
}

TEST_CASE("Who waits for one stream and reads what others bring is told to wait for these",
          "[ci]") {
  need_nvcc();
  const Item right =
      item_of(check("pipeline", mutant_of("pipeline", "waits_for_the_last_stream")), "right");
  CHECK(right.advice.key == "exercise.program.right.early");
}

TEST_CASE("Why nothing overlaps is told with the line", "[ci]") {
  need_nvcc();
  struct Slip {
    const char *mutant, *advice, *at;
  };
  for (const Slip& slip : {Slip{"one_stream", "one-stream", "cudaMemcpyHostToDevice"},
                           Slip{"waits_for_each_chunk", "host-waits", "Synchronize("},
                           Slip{"cleared_in_default_stream", "default-stream", "cudaMemset("}}) {
    CAPTURE(slip.mutant);
    const std::string source = mutant_of("pipeline", slip.mutant);
    const Item overlap = item_of(check("pipeline", source), "overlap");
    CHECK(overlap.state == State::failed);
    CHECK(overlap.advice.key == std::string("exercise.program.overlap.") + slip.advice);
    CHECK(overlap.line == line_with(source, slip.at));
    const auto strings = lab::Strings::load("en", kRoot);
    REQUIRE(strings);
    const std::string told = (**strings)(overlap.advice);
    CAPTURE(told);
    CHECK(told.find(std::to_string(overlap.line)) != std::string::npos);
    CHECK(told.find('{') == std::string::npos);
  }
}

TEST_CASE("Results beside a message of an error are told, and so is a macro that calls twice",
          "[ci]") {
  need_nvcc();
  const auto told = [](const std::string& mutant) {
    return item_of(check("error-macro", mutant_of("error-macro", mutant)), "errors").advice.key;
  };
  CHECK(told("first_results_before_the_error") == "exercise.program.errors.results");
  CHECK(told("four_errors_named") == "exercise.program.errors.several");
  CHECK(told("call_made_again_for_its_text") == "exercise.program.errors.twice");
}

TEST_CASE("A host that strays, or divides by 0, is told as that", "[ci]") {
  need_nvcc();
  const auto told = [](const char* begin) {
    const std::string source = with(solution_of("whole-program"), "int n = argc", begin);
    return item_of(check("whole-program", source), "right").advice.key;
  };
  CHECK(told("*(volatile int*)8 = argc;\n  int n = argc") ==
        "exercise.program.right.signal-memory");
  CHECK(told("volatile int none = 0;\n  none = argc / none;\n  int n = argc") ==
        "exercise.program.right.signal-division");
}

TEST_CASE("What only the host decides, what a kernel keeps and lines of all calls are told",
          "[long]") {
  need_nvcc();
  const auto told = [](const std::string& id, const std::string& mutant, const char* item) {
    return item_of(check(id, mutant_of(id, mutant)), item).advice.key;
  };
  CHECK(told("mend-launch", "host_subtracts", "on-gpu") == "exercise.program.on-gpu.changed");
  CHECK(told("mend-launch", "results_by_their_period", "on-gpu") ==
        "exercise.program.on-gpu.repeated");
  CHECK(told("mend-leak", "clear_days_by_the_calendar", "on-gpu") ==
        "exercise.program.on-gpu.line-without-input");
  CHECK(told("mend-leak", "kernel_allocates", "freed") == "exercise.program.freed.kernels");
  CHECK(told("mend-launch", "host_scales", "parallel") == "exercise.program.parallel.none");
  CHECK(told("error-macro", "one_kernel_does_all", "on-gpu") == "exercise.program.on-gpu.idle");
  // In the smallest run only lanes of one warp meet.
  const lab::CheckReport unordered =
      check("keep-on-device", mutant_of("keep-on-device", "steps_without_barrier"));
  CHECK(item_of(unordered, "safe").advice.key == "exercise.program.safe.in-run");
  CHECK(words_of(unordered).find("__syncwarp") == std::string::npos);
  CHECK(told("error-macro", "all_lines_named", "place") == "exercise.program.place.all-lines");
}

TEST_CASE("Memory that is freed twice is told with the line that freed it first", "[ci]") {
  need_nvcc();
  const std::string source = mutant_of("mend-leak", "owner_copied");
  const lab::CheckReport checked = check("mend-leak", source);
  CHECK(item_of(checked, "freed").state == State::failed);
  // Of a destructor, the line table names a file that nvcc has made.
  const std::uint32_t line = line_with(source, "cudaFree(p)");
  CHECK(item_of(checked, "freed").line == line);
  const std::string place = "mend-leak.cu:" + std::to_string(line);
  const std::string words = words_of(checked);
  CHECK(words.find(place + ": cudaFree returned") != std::string::npos);
  CHECK(words.find("had been freed before, at " + place) != std::string::npos);
}

TEST_CASE("A failed launch has to end the program before the next one begins", "[ci]") {
  need_nvcc();
  const std::string source = mutant_of("error-macro", "asked_once_for_both");
  const lab::CheckReport checked = check("error-macro", source);
  const Item& errors = item_of(checked, "errors");
  CHECK(errors.advice.key == "exercise.program.errors.goes-on");
  CHECK(errors.line == line_with(source, "correct<<<"));
  CHECK(argument(errors.advice, "next_line") == std::to_string(line_with(source, "tenths<<<")));
  CHECK(words_of(checked).find("launch 1 (correct in line") != std::string::npos);
}

TEST_CASE("Chunks are as many as were asked for", "[ci]") {
  need_nvcc();
  const Item chunks = item_of(check("pipeline", mutant_of("pipeline", "nine_chunks")), "chunks");
  CHECK(chunks.state == State::failed);
  CHECK(argument(chunks.advice, "chunks") == "8");
  CHECK(argument(chunks.advice, "copies") == "9");
  CHECK(argument(chunks.advice, "once") == "9");
}

TEST_CASE("Which devices send each other what they should not is told, with the line", "[ci]") {
  need_nvcc();
  const auto starter = device::read_file(kRoot + "/exercises/ring-all-reduce/starter.cu");
  REQUIRE(starter);
  const lab::CheckReport checked = check("ring-all-reduce", *starter);
  CHECK(item_of(checked, "right").state == State::passed);
  const Item& neighbours = item_of(checked, "neighbours");
  CHECK(neighbours.state == State::failed);
  CHECK(argument(neighbours.advice, "from") == "0");
  CHECK(argument(neighbours.advice, "to") == "2");
  CHECK(neighbours.line == line_with(*starter, "ranks[0].values, 0,"));
}

TEST_CASE("A kernel that was launched on another device than its memory is told at its line",
          "[ci]") {
  need_nvcc();
  const std::string source = mutant_of("ring-all-reduce", "always_on_device_0");
  const lab::CheckReport checked = check("ring-all-reduce", source);
  CHECK(item_of(checked, "right").state == State::passed);
  CHECK(item_of(checked, "home").state == State::failed);
  CHECK(item_of(checked, "home").line == line_with(source, "accumulate<<<"));
}

TEST_CASE("Kernels of a graph are launches like others, and each store counts", "[ci]") {
  need_nvcc();
  const lab::CheckReport graph = check("fuse-layer", mutant_of("fuse-layer", "as_a_graph"));
  CHECK(argument(item_of(graph, "launches").got, "measured") == "3");
  CHECK(argument(item_of(graph, "stored").got, "measured") == "3");
}

TEST_CASE("Without nvcc a program is not graded, and its check says how to install it") {
  const char* before = std::getenv("WARPBOOK_NVCC");
  const std::string kept = before ? before : "";
  ::setenv("WARPBOOK_NVCC", "/nowhere", 1);
  const lab::CheckReport checked = check("whole-program", solution_of("whole-program"));
  if (before)
    ::setenv("WARPBOOK_NVCC", kept.c_str(), 1);
  else
    ::unsetenv("WARPBOOK_NVCC");
  CHECK_FALSE(checked.graded);
  REQUIRE(checked.report.errors.size() == 1);
  CHECK(checked.report.errors[0].code == device::ErrorCode::library_missing);
  CHECK(argument({"", checked.report.errors[0].arguments, ""}, "command") ==
        "./warpbook fetch nvcc");
}

}  // namespace warpbook::exercises::programs_test
