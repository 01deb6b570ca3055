#include "lab/program/program_report.hpp"

#include <csignal>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/runtime/cuda_error.hpp"
#include "device/simulator/isa/address_windows.hpp"
#include "lab/render/render.hpp"
#include "lab/text/strings.hpp"
#include "tests/device/runtime/whole_program.hpp"
#include "tests/keyed.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::program_report_test {

using namespace device::runtime;
using namespace lab;
using device::ErrorCode;
using device::Finding;
using End = ProgramOutcome::End;
using Item = CheckExhibit::Item;
using State = CheckExhibit::State;

namespace {

const std::string kPrograms = WARPBOOK_SOURCE_DIR "/tests/device/runtime/programs";

ProgramFacts facts() {
  ProgramFacts about;
  about.name = "demo";
  about.gpu = **device::known_gpu("h100");
  about.folder = WARPBOOK_SOURCE_DIR;
  return about;
}

std::vector<Item> items_of(const Report& report) {
  const auto* check = report.find_as<CheckExhibit>("findings");
  return check ? check->items : std::vector<Item>{};
}

/// A report of a program that has no line table: places are its name.
Report report_of_made(const ProgramOutcome& outcome) {
  HostLines lines("", {});
  return report_of(outcome, facts(), lines);
}

Item item_of(const Report& report, std::string_view id) {
  for (const Item& item : items_of(report))
    if (item.id == id) return item;
  FAIL("the report has no item " << id);
  return {};
}

std::string english(const Message& message) {
  static const auto strings = Strings::load(kEnglish, WARPBOOK_SOURCE_DIR).value();
  return (*strings)(message);
}

ProgramOutcome connected() {
  ProgramOutcome outcome;
  outcome.record.connected = true;
  return outcome;
}

/// A call that gave this error.
void call(ProgramOutcome& outcome, Function function, std::int32_t error, std::uint64_t value = 0) {
  CallRecord made;
  made.function = function;
  made.error = error;
  made.values[0] = value;
  outcome.calls.push_back(made);
}

/// Memory of the first call.
AllocationRecord memory(std::string name, MemoryKind kind = MemoryKind::device) {
  return {device::kGlobalBase + 0x1000, 400, kind, 0, {}, std::move(name)};
}

LaunchNote launch(ProgramOutcome& outcome, bool ran) {
  LaunchNote note;
  note.call = outcome.calls.size();
  note.kernel = "add";
  note.grid = {4, 1, 1};
  note.block = {32, 2, 1};
  call(outcome, Function::cudaLaunchKernel, 0);
  if (ran) outcome.record.operations.push_back({note.call, Engine::kernel, 0, {}, {}, 0, 0});
  return note;
}

Finding finding_of(ErrorCode code, std::uint32_t line, std::uint64_t address) {
  Finding finding;
  finding.error.code = code;
  finding.error.place = {WARPBOOK_SOURCE_DIR "/add.cu", line, 0};
  finding.address = address;
  return finding;
}

}  // namespace

TEST_CASE("A program that did nothing wrong is clean, and each check says that it holds") {
  ProgramOutcome outcome = connected();
  call(outcome, Function::cudaMalloc, 0);
  outcome.record.allocations.push_back(memory("x"));
  outcome.record.allocations[0].freed_by = 2;
  outcome.record.launches.push_back(launch(outcome, true));
  const Report report = report_of_made(outcome);
  CHECK(is_clean(report));
  std::map<std::string, State> states;
  for (const Item& item : items_of(report)) states[item.id] = item.state;
  CHECK(states.at("accesses") == State::passed);
  CHECK(states.at("launches") == State::passed);
  CHECK(states.at("calls") == State::passed);
  CHECK(states.at("freed") == State::passed);
  CHECK_FALSE(states.contains("crash"));
}

TEST_CASE("A check that was off does not say that all is well") {
  ProgramOutcome outcome = connected();
  outcome.record.launches.push_back(launch(outcome, true));
  HostLines lines("", {});
  ProgramFacts about = facts();
  about.checks.racecheck = false;
  for (const Item& item : items_of(report_of(outcome, about, lines))) CHECK(item.id != "races");
}

TEST_CASE("A program that never calls the runtime is clean, and the report says so") {
  const Report report = report_of_made({});
  CHECK(is_clean(report));
  CHECK(report.find_as<TextExhibit>("no-calls") != nullptr);
}

TEST_CASE("Findings of one place are one item with their count, nearest memory and kernel") {
  ProgramOutcome outcome = connected();
  call(outcome, Function::cudaMalloc, 0);
  outcome.record.allocations.push_back(memory("d_x"));
  const std::uint64_t beyond = outcome.record.allocations[0].address + 400;
  LaunchNote note = launch(outcome, true);
  note.findings = {finding_of(ErrorCode::out_of_bounds_write, 7, beyond),
                   finding_of(ErrorCode::out_of_bounds_write, 7, beyond + 4),
                   finding_of(ErrorCode::race_in_block, 9, 0)};
  outcome.record.launches.push_back(note);
  const Report report = report_of_made(outcome);
  CHECK_FALSE(is_clean(report));
  const Item accesses = item_of(report, "accesses");
  CHECK(accesses.state == State::failed);
  CHECK(accesses.line == 7);
  CHECK(keyed(accesses.got) == "program.found(count=2)");
  const std::string advice = keyed(accesses.advice);
  CHECK(advice.starts_with("program.soft(finding=program.allocated-at("));
  CHECK(advice.find("name=d_x") != advice.npos);
  CHECK(advice.find("kernel=add") != advice.npos);
  // Below the program's folder, places are said from there.
  CHECK(advice.find("program.place(file=add.cu, line=7)") != advice.npos);
  CHECK(item_of(report, "races").line == 9);
}

TEST_CASE("Of races in one line the one is told that is widest, and it comes first") {
  const auto race_of = [](ErrorCode code, std::uint32_t line, std::uint32_t thread) {
    Finding race = finding_of(code, line, 0);
    race.other = device::Party{.thread = thread};
    race.error.arguments = {{"other_thread", thread}};
    return race;
  };
  ProgramOutcome outcome = connected();
  LaunchNote note = launch(outcome, true);
  note.findings = {race_of(ErrorCode::race_in_line, 7, 1), race_of(ErrorCode::race_in_warp, 8, 2),
                   race_of(ErrorCode::race_in_line, 9, 3), race_of(ErrorCode::race_in_line, 9, 40)};
  outcome.record.launches.push_back(note);
  const Item races = item_of(report_of_made(outcome), "races");
  CHECK(races.line == 9);
  CHECK(keyed(races.got) == "program.found(count=2)");
  CHECK(keyed(races.advice).find("other_thread=40") != std::string::npos);
}

TEST_CASE("Memory that is freed on one way and kept on another is not told to be freed there") {
  ProgramOutcome outcome = connected();
  call(outcome, Function::cudaMalloc, 0);
  call(outcome, Function::cudaFree, 0);
  outcome.record.allocations = {memory("d_x"), memory("d_x"), memory("d_y")};
  CHECK(item_of(report_of_made(outcome), "freed").advice.key == "program.freed.advice");

  const TemporaryFolder folder;
  const std::string file =
      folder.write("loop.cu", "int main() {\n  CHECK( cudaFree(d_x) );\n}\n").string();
  CHECK(line_that_frees(file, "cudaFree", "d_x") == 2);
  CHECK(line_that_frees(file, "cudaFree", "d_y") == 0);
  CHECK(line_that_frees(file, "cudaFreeHost", "d_x") == 0);
}

TEST_CASE("A call that frees what was freed before says where that was") {
  ProgramOutcome outcome = connected();
  call(outcome, Function::cudaMalloc, 0);
  AllocationRecord freed = memory("d_x");
  call(outcome, Function::cudaFree, 0, freed.address);
  call(outcome, Function::cudaFree, kInvalidValue, freed.address);
  call(outcome, Function::cudaFree, kInvalidValue, freed.address + 4);
  freed.freed_by = 1;
  outcome.record.allocations = {freed};
  std::vector<std::string> told;
  for (const Item& item : items_of(report_of_made(outcome)))
    if (item.id == "calls") told.push_back(keyed(item.advice));
  REQUIRE(told.size() == 2);
  CHECK(told[0].find("program.free.twice(name=d_x, place=demo)") != std::string::npos);
  CHECK(told[1].find("program.free.unknown") != std::string::npos);
}

TEST_CASE("A call that comes when the program ends says so, and its memory is told of once") {
  ProgramOutcome outcome = connected();
  call(outcome, Function::cudaMalloc, 0);
  call(outcome, Function::cudaFree, kCudartUnloading);
  outcome.record.allocations = {memory("d_x")};
  const Report report = report_of_made(outcome);
  const Item calls = item_of(report, "calls");
  CHECK(calls.state == State::warning);
  CHECK(keyed(calls.advice).find("program.calls.after-main") != std::string::npos);
  for (const Item& one : items_of(report)) CHECK(one.id != "freed");
}

TEST_CASE("A crash is told by what the address was") {
  const auto [signal, address, write, advice] =
      GENERATE(table<int, std::uint64_t, bool, std::string>(
          {{SIGSEGV, 8, false, "program.crash.null"},
           {SIGABRT, 0, false, "program.crash.abort"},
           {SIGFPE, 0x400000, false, "program.crash.at"},
           {SIGSEGV, device::kGlobalBase + 0x1010, false, "program.host-access.read"},
           {SIGSEGV, device::kGlobalBase + 0x1010, true, "program.host-access.write"},
           {SIGSEGV, device::kGlobalBase + 0x9000, true, "program.host-access.freed"}}));
  CAPTURE(advice);
  ProgramOutcome outcome = connected();
  call(outcome, Function::cudaMalloc, 0);
  outcome.record.allocations.push_back(memory("d_x"));
  outcome.end = End::signalled;
  outcome.code = signal;
  outcome.fault = ProgramFault{signal, write, address, {}};
  const Report report = report_of_made(outcome);
  CHECK_FALSE(is_clean(report));
  const bool host_access = advice.starts_with("program.host-access");
  const Item item = item_of(report, host_access ? "host-access" : "crash");
  CHECK(item.advice.key == advice);
  // Who is stopped half-way has not come to freeing.
  for (const Item& one : items_of(report)) CHECK(one.id != "freed");
}

TEST_CASE("After a kernel's failure the later calls are one warning") {
  ProgramOutcome outcome = connected();
  LaunchNote note = launch(outcome, true);
  note.error = device::Error{ErrorCode::null_access, {}, {}};
  note.cuda_error = kIllegalAddress;
  outcome.record.launches.push_back(note);
  for (int i = 0; i < 4; ++i) call(outcome, Function::cudaMemcpy, kIllegalAddress);
  const Report report = report_of_made(outcome);
  const Item calls = item_of(report, "calls");
  CHECK(calls.state == State::warning);
  CHECK(calls.advice.key == "program.calls.after");
  CHECK(keyed(calls.got) == "program.calls.got(count=4)");
  CHECK(item_of(report, "accesses").state == State::failed);
}

TEST_CASE("At most five failed calls are told, and answers that are no errors are not") {
  ProgramOutcome outcome = connected();
  call(outcome, Function::cudaStreamQuery, kNotReady);
  for (int i = 0; i < 9; ++i) call(outcome, Function::cudaFree, kInvalidValue);
  std::size_t told = 0;
  for (const Item& item : items_of(report_of_made(outcome))) told += item.id == "calls";
  CHECK(told == 5);
}

TEST_CASE("A refused launch is silent unless the program asked for its error") {
  const bool asks = GENERATE(false, true);
  ProgramOutcome outcome = connected();
  LaunchNote note = launch(outcome, false);
  note.error = device::Error{ErrorCode::invalid_configuration, {}, {}};
  note.cuda_error = kInvalidConfiguration;
  outcome.record.launches.push_back(note);
  if (asks) call(outcome, Function::cudaGetLastError, 0, kInvalidConfiguration);
  const Item launches = item_of(report_of_made(outcome), "launches");
  CHECK(launches.state == State::failed);
  CHECK(launches.advice.key == (asks ? "program.launches.refused" : "program.launches.silent"));
}

TEST_CASE("Places are lines of the program's own sources, from its folder on") {
  const RanProgram ran = run_case("errors", "silent-refusal");
  HostLines lines(program_path("errors"), {kPrograms + "/program.hpp"});
  const Item launches = item_of(report_of(ran.outcome, facts(), lines), "launches");
  std::ifstream source(kPrograms + "/errors.cpp");
  std::string text;
  std::uint32_t number = 1;
  while (std::getline(source, text) && text.find("dim3(2048)") == text.npos) ++number;
  CHECK(launches.line == number);
  CHECK(keyed(launches.advice)
            .find("program.place(file=tests/device/runtime/programs/errors.cpp, line=" +
                  std::to_string(number) + ")") != std::string::npos);
}

TEST_CASE("Memory is called as the source calls the pointer") {
  HostLines lines(program_path("naming"), {WARPBOOK_CUDA_INCLUDE});
  ProgramWishes wishes;
  wishes.name_of_memory = [&](const CallRecord& made, std::uint64_t base) {
    return name_of_memory(made, base, lines);
  };
  const RanProgram ran = run_case("naming", "allocate", wishes);
  CHECK(ran.outcome.code == 0);
  std::vector<std::string> names;
  for (const AllocationRecord& allocation : ran.outcome.record.allocations)
    names.push_back(allocation.name);
  CHECK(names == std::vector<std::string>{"d_x", "d_y", "d_z", "owner->cells", "grid.cells",
                                          "grid.halves[1]", "parts[i + 1]", "parts[i + 1]", "to",
                                          "volume", "d_x", "d_y", "d_z", "d_x", "pointer"});
}

TEST_CASE(
    "Two streams that use the same memory without an order are a race, and with one they are not") {
  ProgramOutcome outcome = connected();
  call(outcome, Function::cudaMalloc, 0);
  outcome.record.allocations.push_back(memory("x"));
  const Extent extent{device::kGlobalBase + 0x1000, device::kGlobalBase + 0x1040};
  call(outcome, Function::cudaMemcpyAsync, 0);
  outcome.record.operations.push_back(
      {.call = 1, .engine = Engine::copy_in, .stream = 1, .footprint = {{}, {extent}}});
  outcome.record.launches.push_back(launch(outcome, true));
  auto& kernel = outcome.record.operations.back();
  kernel.stream = 2;
  kernel.footprint.reads = {extent};
  const auto report = [&] {
    HostLines lines("", {});
    ProgramFacts about = facts();
    about.checks.racecheck = true;
    return report_of(outcome, about, lines);
  };
  const Item race = item_of(report(), "streams");
  CHECK(race.state == State::failed);
  CHECK(keyed(race.advice).find("first=cudaMemcpyAsync") != std::string::npos);
  CHECK(keyed(race.advice).find("second=add") != std::string::npos);
  CHECK(keyed(race.advice).find("name=x") != std::string::npos);
  kernel.past = {{1, 0}};
  CHECK(item_of(report(), "streams").state == State::passed);
}

TEST_CASE("Wording of the report on a program") {
  ProgramOutcome outcome = connected();
  call(outcome, Function::cudaMalloc, 0);
  call(outcome, Function::cudaMemcpy, kInvalidValue);
  call(outcome, Function::cudaGraphCreate, kNotSupported);
  outcome.record.allocations.push_back(memory("d_x"));
  outcome.record.allocations.push_back(memory("h_x", MemoryKind::pinned));
  LaunchNote note = launch(outcome, false);
  note.error = device::Error{ErrorCode::cooperative_too_large, {}, {}};
  note.cuda_error = kCooperativeLaunchTooLarge;
  outcome.record.launches.push_back(note);
  outcome.record.unseen_output = "one\ntwo\n";
  const Report report = report_of_made(outcome);
  const auto said = [&](const char* id) {
    const Item item = item_of(report, id);
    return english(item.sentence) + ": " + english(item.got) + ". " + english(item.advice);
  };
  CHECK(said("calls") ==
        "every call of the runtime succeeds: 1 error. demo: cudaMemcpy returned "
        "cudaErrorInvalidValue (invalid argument).");
  CHECK(said("absent") ==
        "every function is there: 1 is missing. demo: cudaGraphCreate is not in Warpbook's runtime "
        "yet; it answered cudaErrorNotSupported.");
  CHECK(said("freed") ==
        "all memory is freed: 2 allocations are not. demo: d_x (400 bytes) is never freed: add "
        "cudaFree(d_x) after its last use.");
  CHECK(said("printed") ==
        "all that kernels print is seen: 2 lines are not. The program ends before it waits for its "
        "kernels, so that these lines may never appear on a GPU. Call cudaDeviceSynchronize before "
        "the end of main.");
  CHECK(said("launches")
            .starts_with(
                "every launch runs: 1 does not. demo: add<<<4, 32 x 2>>> was not launched: "));
  CHECK(said("launches")
            .ends_with(" A launch has no result to look at: call cudaGetLastError after it, or the "
                       "program goes on "
                       "as if the kernel had run."));
}

}  // namespace warpbook::tests::program_report_test
