#include "lab/program/program_report.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "device/compiler/cuda_tokens.hpp"
#include "device/platform.hpp"
#include "device/runtime/cuda_error.hpp"
#include "device/simulator/isa/address_windows.hpp"
#include "lab/model/race_width.hpp"
#include "lab/program/program_timeline.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using device::Finding;
using device::SourcePlace;
using device::runtime::AllocationRecord;
using device::runtime::CallRecord;
using device::runtime::Function;
using device::runtime::LaunchNote;
using device::runtime::MemoryKind;
using device::runtime::OperationNote;
using device::runtime::ProgramOutcome;
using device::runtime::ProgramRecord;
using device::runtime::StreamRace;
using Item = CheckExhibit::Item;
using State = CheckExhibit::State;

constexpr std::size_t kMostOfAKind = 5;  ///< items of one sentence

/// The checks of kernels, by the findings that belong to each.
enum class Check : std::uint8_t { accesses, initialised, races, barriers, others };
constexpr auto kChecks = std::to_array<std::pair<Check, std::string_view>>({
    {Check::accesses, "accesses"},
    {Check::initialised, "initialised"},
    {Check::races, "races"},
    {Check::barriers, "barriers"},
    {Check::others, "others"},
});

Check check_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::out_of_bounds_read:
    case ErrorCode::out_of_bounds_write:
    case ErrorCode::out_of_bounds_atomic:
    case ErrorCode::wild_access:
    case ErrorCode::null_access:
    case ErrorCode::use_after_free:
    case ErrorCode::misaligned_access:
    case ErrorCode::shared_out_of_bounds:
    case ErrorCode::local_out_of_bounds:
    case ErrorCode::read_only_write:
    case ErrorCode::array_access:
    case ErrorCode::surface_out_of_bounds: return Check::accesses;
    case ErrorCode::uninitialised_read:
    case ErrorCode::uninitialised_register: return Check::initialised;
    case ErrorCode::race_in_warp:
    case ErrorCode::race_in_block:
    case ErrorCode::race_in_line:
    case ErrorCode::race_between_blocks:
    case ErrorCode::race_one_instruction:
    case ErrorCode::race_with_copy:
    case ErrorCode::race_in_cluster: return Check::races;
    case ErrorCode::barrier_mismatch:
    case ErrorCode::sync_mask_mismatch:
    case ErrorCode::missing_lane:
    case ErrorCode::barrier_divergent:
    case ErrorCode::barrier_passed_by:
    case ErrorCode::barrier_apart:
    case ErrorCode::barrier_count:
    case ErrorCode::barrier_mixed: return Check::barriers;
    default: return Check::others;
  }
}

/// The checker that has to be on for a check to say that all is well.
bool is_on(Check check, const device::Checks& checks) {
  switch (check) {
    case Check::accesses: return checks.memcheck;
    case Check::initialised: return checks.initcheck;
    case Check::races: return checks.racecheck;
    case Check::barriers: return checks.synccheck;
    case Check::others: return true;
  }
  __builtin_unreachable();
}

Message count_of(std::string key, std::uint64_t count) {
  return {std::move(key), {{"count", count}}, {}};
}

std::string extent_of(const device::Dim3& extent) {
  if (extent.z != 1) return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
  if (extent.y != 1) return fmt::format("{} x {}", extent.x, extent.y);
  return fmt::format("{}", extent.x);
}

bool is_launch(Function function) {
  constexpr auto kLaunches = std::to_array<Function>(
      {Function::__cudaLaunchKernel, Function::cudaLaunchKernel, Function::cudaLaunchKernelExC,
       Function::cudaLaunchCooperativeKernel, Function::cuLaunchKernel, Function::cuLaunchKernelEx,
       Function::cuLaunchCooperativeKernel});
  return std::ranges::find(kLaunches, function) != kLaunches.end();
}

/// "cudaErrorInvalidValue", or "CUDA_ERROR_INVALID_VALUE" of a function of the driver.
std::string error_name(const CallRecord& call) {
  const char* const of_driver =
      is_of_driver(call.function) ? device::runtime::name_of_cuda_result(call.error) : nullptr;
  return of_driver ? of_driver : device::runtime::name_of_cuda_error(call.error);
}

/// A line of a file and those after it that a call may go on in; nothing where there is no such line.
std::string lines_from(const std::string& file, std::uint32_t number) {
  constexpr std::uint32_t kLines = 3;
  std::ifstream stream(file);
  std::string line, text;
  for (std::uint32_t i = 1; i < number + kLines && std::getline(stream, line); ++i)
    if (i >= number) text += line + '\n';
  return text;
}

class Writer {
 public:
  Writer(const ProgramOutcome& outcome, const ProgramFacts& facts,
         device::runtime::HostLines& lines)
      : outcome_(outcome), facts_(facts), lines_(lines), races_(races_of(outcome.record)) {
    std::vector<std::array<std::uint64_t, device::runtime::kFrames>> frames;
    for (const StreamRace& race : races_) {
      for (const std::size_t number : {race.first, race.second})
        if (const CallRecord* call = call_at(outcome.record.operations[number].call))
          frames.push_back(call->frames);
    }
    for (const CallRecord& call : outcome.calls) {
      if (is_told(call)) frames.push_back(call.frames);
    }
    for (const AllocationRecord& allocation : outcome.record.allocations)
      if (const CallRecord* call = call_at(allocation.call)) frames.push_back(call->frames);
    for (const LaunchNote& launch : outcome.record.launches) {
      const CallRecord* call = launch.error ? call_at(launch.call) : nullptr;
      if (call) frames.push_back(call->frames);
    }
    lines_.prepare(frames, outcome.base);
  }

  CheckExhibit check() {
    kernels();
    streams();
    unwritten();
    host_access();
    code();
    launches();
    calls();
    absent();
    freed();
    printed();
    return std::move(check_);
  }

 private:
  /// A call of which the report speaks for its error.
  static bool is_told(const CallRecord& call) {
    return call.error != 0 && call.error != device::runtime::kNotReady;
  }

  [[nodiscard]] const CallRecord* call_at(std::uint64_t number) const {
    return number < outcome_.calls.size() ? &outcome_.calls[number] : nullptr;
  }

  /// As seen from the program's folder.
  [[nodiscard]] std::string file_of(const SourcePlace& place) const {
    std::string file = place.file;
    if (!facts_.folder.empty() && file.starts_with(facts_.folder + '/'))
      file.erase(0, facts_.folder.size() + 1);
    return file;
  }
  [[nodiscard]] Message said(const SourcePlace& place) const {
    if (place.line == 0) return Message::plain(facts_.name);
    return {"program.place", {{"file", file_of(place)}, {"line", place.line}}, {}};
  }
  SourcePlace place_of(const CallRecord& call) {
    return lines_.place_of(call.frames, outcome_.base);
  }
  SourcePlace place_of_call(std::uint64_t number) {
    const CallRecord* call = call_at(number);
    return call ? place_of(*call) : SourcePlace{};
  }

  Item& add(const std::string& id, State state, Message got = {}, Message advice = {},
            std::uint32_t line = 0) {
    Item item;
    item.id = id;
    item.state = state;
    item.sentence = {"program." + id + ".sentence", {}, {}};
    item.got = std::move(got);
    item.advice = std::move(advice);
    item.line = line;
    check_.items.push_back(std::move(item));
    return check_.items.back();
  }

  // Kernels

  struct Group {
    Finding first;
    std::string kernel;
    std::uint64_t count = 0;
  };

  void kernels() {
    std::map<Check, std::vector<Group>> found;
    std::map<std::tuple<ErrorCode, std::string, std::uint32_t, std::string>,
             std::pair<Check, std::size_t>>
        known;
    const auto note = [&](const Finding& finding, const std::string& kernel) {
      const SourcePlace& place = finding.error.place;
      const Check check = check_of(finding.error.code);
      const auto [at, fresh] = known.try_emplace(
          {finding.error.code, place.file, place.line, kernel}, check, found[check].size());
      if (fresh) found[check].push_back({finding, kernel, 0});
      Group& group = found[check][at->second.second];
      if (width_of_race(group.first) < width_of_race(finding)) group.first = finding;
      ++group.count;
    };
    for (const LaunchNote& launch : outcome_.record.launches) {
      for (const Finding& finding : launch.findings) note(finding, launch.kernel);
      if (launch.error && launch.findings.empty() && ran(launch))
        note(Finding{.error = *launch.error}, launch.kernel);
    }
    if (outcome_.record.launches.empty()) return;
    // What is to be done about a race between warps helps against the one within a warp as well.
    std::ranges::stable_sort(found[Check::races], std::greater{},
                             [](const Group& group) { return width_of_race(group.first); });
    for (const auto& [check, name] : kChecks) {
      const std::string id(name);
      if (found[check].empty() && is_on(check, facts_.checks)) add(id, State::passed);
      for (std::size_t i = 0; i < std::min(found[check].size(), kMostOfAKind); ++i)
        add_finding(id, found[check][i]);
    }
  }

  /// Whether the launch began; else the launch itself was refused.
  [[nodiscard]] bool ran(const LaunchNote& launch) const {
    return std::ranges::any_of(outcome_.record.operations, [&](const auto& operation) {
      return operation.launch && operation.call == launch.call;
    });
  }

  void add_finding(const std::string& id, const Group& group) {
    device::Error error = group.first.error;
    error.place.file = file_of(error.place);
    Message sentence = error.message();
    if (error.place.line != 0) {
      sentence = {"program.at",
                  {{"place", said(group.first.error.place)}, {"what", std::move(sentence)}},
                  {}};
    }
    const AllocationRecord* memory = memory_at(group.first.address);
    Message advice{
        "program.in-kernel", {{"finding", std::move(sentence)}, {"kernel", group.kernel}}, {}};
    if (memory && !memory->name.empty()) {
      const SourcePlace place = place_of_call(memory->call);
      advice.key = "program.allocated-at";
      advice.arguments.emplace_back("name", memory->name);
      advice.arguments.emplace_back("place", said(place));
    }
    const bool soft = group.first.error.code == ErrorCode::out_of_bounds_read ||
                      group.first.error.code == ErrorCode::out_of_bounds_write ||
                      group.first.error.code == ErrorCode::out_of_bounds_atomic;
    if (soft) advice = {"program.soft", {{"finding", std::move(advice)}}, {}};
    add(id, State::failed, count_of("program.found", group.count), std::move(advice),
        line_in_source(facts_, group.first.error.place));
  }

  /// The allocation that holds the address or is nearest to it.
  [[nodiscard]] const AllocationRecord* memory_at(std::uint64_t address) const {
    constexpr std::uint64_t kNear = 1u << 20;
    const AllocationRecord* nearest = nullptr;
    std::uint64_t least = kNear;
    for (const AllocationRecord& a : outcome_.record.allocations) {
      const std::uint64_t end = a.address + a.bytes;
      const std::uint64_t distance = address < a.address ? a.address - address
                                     : address >= end    ? address - end
                                                         : 0;
      if (distance >= least) continue;
      least = distance;
      nearest = &a;
    }
    return address == 0 ? nullptr : nearest;
  }

  // Streams

  static std::vector<StreamRace> races_of(const ProgramRecord& record) {
    std::vector<device::runtime::OrderedOperation> operations;
    for (const auto& operation : record.operations)
      operations.push_back({operation.stream, &operation.past, &operation.footprint});
    std::vector<StreamRace> races = device::runtime::stream_races(operations);
    // Memory that was freed in a stream's order and given out again is not the same memory.
    std::erase_if(races, [&](const StreamRace& race) {
      return std::ranges::count_if(record.allocations, [&](const AllocationRecord& a) {
               return race.address >= a.address && race.address < a.address + a.bytes;
             }) > 1;
    });
    return races;
  }

  void streams() {
    if (!facts_.checks.racecheck || !uses_several_streams()) return;
    if (races_.empty()) {
      add("streams", State::passed);
      return;
    }
    const StreamRace& race = races_.front();
    const auto& first = outcome_.record.operations[race.first];
    const auto& second = outcome_.record.operations[race.second];
    const AllocationRecord* memory = holder_of(race.address);
    const SourcePlace place = place_of_call(second.call);
    add("streams", State::failed, count_of("program.streams.got", races_.size()),
        {"program.streams.advice",
         {{"first", operation_name(first)},
          {"first_place", said(place_of_call(first.call))},
          {"first_stream", stream_row(first.stream).name},
          {"second", operation_name(second)},
          {"second_place", said(place)},
          {"second_stream", stream_row(second.stream).name},
          {"name", in_words(memory)}},
         {}},
        line_in_source(facts_, place));
  }

  /// By the name that it has where it is allocated, which another line may give to something else.
  [[nodiscard]] Message in_words(const AllocationRecord* memory) {
    if (!memory || memory->name.empty()) return {"program.memory", {}, {}};
    return {"program.memory-of",
            {{"name", memory->name}, {"place", said(place_of_call(memory->call))}},
            {}};
  }

  [[nodiscard]] bool uses_several_streams() const {
    const auto& operations = outcome_.record.operations;
    return std::ranges::any_of(operations, [&](const auto& operation) {
      return operation.stream != operations.front().stream;
    });
  }

  /// The kernel, or the call that asked for it.
  [[nodiscard]] std::string operation_name(const OperationNote& operation) const {
    if (operation.launch) return outcome_.record.launches[*operation.launch].kernel;
    const CallRecord* call = call_at(operation.call);
    return call ? std::string(name_of(call->function)) : "";
  }

  void unwritten() {
    for (std::size_t i = 0; i < std::min(outcome_.record.unwritten.size(), kMostOfAKind); ++i) {
      const auto& copy = outcome_.record.unwritten[i];
      const SourcePlace place = place_of_call(copy.call);
      const AllocationRecord* memory = holder_of(copy.address);
      add("returned", State::failed, {},
          {"program.returned.advice",
           {{"place", said(place)},
            {"name", memory ? memory->name : ""},
            {"bytes", grouped(copy.bytes)}},
           {}},
          line_in_source(facts_, place));
    }
  }

  // The host

  void host_access() {
    if (outcome_.end == ProgramOutcome::End::out_of_time) {
      add("crash", State::failed, {"program.crash.time-got", {}, {}},
          {"program.crash.time", {{"seconds", number(outcome_.seconds, 3)}}, {}});
      return;
    }
    if (!outcome_.fault || outcome_.end != ProgramOutcome::End::signalled) return;
    const auto& fault = *outcome_.fault;
    const SourcePlace place = lines_.place_of(fault.frames, outcome_.base);
    const AllocationRecord* memory = nullptr;
    for (const AllocationRecord& a : outcome_.record.allocations) {
      if (fault.address >= a.address && fault.address < a.address + a.bytes && !a.freed_by)
        memory = &a;
    }
    constexpr std::uint64_t kNull = 0x10000;
    Message advice{"program.crash.at",
                   {{"place", said(place)},
                    {"signal", fault.signal},
                    {"name", ::strsignal(fault.signal)},
                    {"address", fmt::format("{:#x}", fault.address)}},
                   {}};
    std::string id = "crash";
    if (memory) {
      id = "host-access";
      advice = {fault.write ? "program.host-access.write" : "program.host-access.read",
                {{"place", said(place)},
                 {"name", memory->name},
                 {"offset", fault.address - memory->address}},
                {}};
    } else if (fault.signal == SIGSEGV && fault.address >= device::kGlobalBase &&
               fault.address < device::kGlobalBase + facts_.gpu.global_bytes) {
      id = "host-access";
      advice.key = "program.host-access.freed";
    } else if (fault.signal == SIGSEGV && fault.address < kNull) {
      advice.key = "program.crash.null";
    } else if (fault.signal == SIGABRT) {
      advice.key = "program.crash.abort";
    }
    Message got = id == "crash" ? Message{"program.crash.got", {{"signal", fault.signal}}, {}}
                                : Message{"program.host-access.got", {}, {}};
    add(id, State::failed, std::move(got), std::move(advice), line_in_source(facts_, place));
  }

  void code() {
    for (const device::Error& error : outcome_.record.refused)
      add("code", State::failed, {"program.code.got", {}, {}}, error.message());
  }

  void launches() {
    std::vector<const LaunchNote*> refused;
    for (const LaunchNote& launch : outcome_.record.launches)
      if (launch.error && !ran(launch)) refused.push_back(&launch);
    if (refused.empty()) {
      if (!outcome_.record.launches.empty()) add("launches", State::passed);
      return;
    }
    const LaunchNote& first = *refused.front();
    const SourcePlace place = place_of_call(first.call);
    add("launches", State::failed, count_of("program.launches.got", refused.size()),
        {was_asked_for(first) ? "program.launches.refused" : "program.launches.silent",
         {{"place", said(place)},
          {"kernel", first.kernel},
          {"grid", extent_of(first.grid)},
          {"block", extent_of(first.block)},
          {"why", first.error->message()}},
         {}},
        line_in_source(facts_, place));
  }

  /// Whether the program asked for the last error after the launch, in the same thread.
  [[nodiscard]] bool was_asked_for(const LaunchNote& launch) const {
    const CallRecord* at = call_at(launch.call);
    // The driver's functions return what is wrong with the launch itself.
    if (!at || is_of_driver(at->function)) return true;
    for (const CallRecord& call : std::span(outcome_.calls).subspan(launch.call)) {
      const bool asks = call.function == Function::cudaGetLastError ||
                        call.function == Function::cudaPeekAtLastError;
      if (asks && call.thread == at->thread && call.values[0] != 0) return true;
    }
    return false;
  }

  /// Why a call could not free what it was given: it was freed before, or is nothing that CUDA has allocated.
  Message why_not_freed(const CallRecord& call) {
    const std::uint64_t address = call.values[0];
    const auto number = static_cast<std::uint64_t>(&call - outcome_.calls.data());
    const AllocationRecord* freed = nullptr;  // an address may have been given out again
    for (const AllocationRecord& a : outcome_.record.allocations)
      if (a.address == address && a.freed_by && *a.freed_by < number) freed = &a;
    if (!freed) return {"program.free.unknown", {}, {}};
    return {"program.free.twice",
            {{"name", freed->name}, {"place", said(place_of_call(*freed->freed_by))}},
            {}};
  }

  /// Why a call was refused because the program was ending; why a copy was refused, or memory could not be freed, where the
  /// addresses tell; else nothing.
  [[nodiscard]] Message why_refused(const CallRecord& call) {
    if (call.error == device::runtime::kCudartUnloading)
      return {"program.calls.after-main", {}, {}};
    const std::string_view name = name_of(call.function);
    if (call.error == device::runtime::kInvalidValue && is_freeing(call))
      return why_not_freed(call);
    const bool copies = name.starts_with("cudaMemcpy") || name.starts_with("cuMemcpy");
    if (call.error != device::runtime::kInvalidValue || !copies) return {};
    const auto& [to, from, bytes, stream, kind] = call.values;
    const AllocationRecord* target = holder_of(to);
    const AllocationRecord* source = holder_of(from);
    const auto outside = [&](const AllocationRecord& a, std::uint64_t address) {
      return bytes > a.address + a.bytes - address;
    };
    const auto told = [&](const char* what, const AllocationRecord& a) {
      return Message{std::string("program.copy.") + what,
                     {{"name", a.name}, {"bytes", grouped(bytes)}, {"size", grouped(a.bytes)}},
                     {}};
    };
    if (target && outside(*target, to)) return told("writes-outside", *target);
    if (source && outside(*source, from)) return told("reads-outside", *source);
    constexpr std::uint64_t kToDevice = 1, kToHost = 2, kOnDevice = 3;
    if ((kind == kToDevice || kind == kOnDevice) && !target)
      return {"program.copy.no-target", {}, {}};
    if ((kind == kToHost || kind == kOnDevice) && !source)
      return {"program.copy.no-source", {}, {}};
    if (kind == kToDevice && source) return told("source-on-device", *source);
    if (kind == kToHost && target) return told("target-on-device", *target);
    return {};
  }

  [[nodiscard]] const AllocationRecord* holder_of(std::uint64_t address) const {
    for (const AllocationRecord& a : outcome_.record.allocations)
      if (address >= a.address && address < a.address + a.bytes) return &a;
    return nullptr;
  }

  void calls() {
    std::vector<const CallRecord*> failed;
    for (const CallRecord& call : outcome_.calls) {
      // Launches that were refused are told above, functions that are not there below.
      if (is_told(call) && !is_launch(call.function) &&
          call.error != device::runtime::kNotSupported)
        failed.push_back(&call);
    }
    if (failed.empty()) {
      if (!outcome_.calls.empty()) add("calls", State::passed);
      return;
    }
    const bool sticky = std::ranges::any_of(outcome_.record.launches, [&](const auto& launch) {
      return launch.cuda_error == failed.front()->error && ran(launch);
    });
    const std::size_t most = sticky ? 1 : std::min(failed.size(), kMostOfAKind);
    for (std::size_t i = 0; i < most; ++i) {
      const CallRecord& call = *failed[i];
      const SourcePlace place = place_of(call);
      Message advice{sticky ? "program.calls.after" : "program.calls.failed",
                     {{"place", said(place)},
                      {"call", std::string(name_of(call.function))},
                      {"error", error_name(call)},
                      {"text", device::runtime::text_of_cuda_error(call.error)}},
                     {}};
      if (Message why = why_refused(call); !why.empty())
        advice = Message::list_of("list.sentences", {std::move(advice), std::move(why)});
      add("calls", State::warning, count_of("program.calls.got", sticky ? failed.size() : 1),
          std::move(advice), line_in_source(facts_, place));
    }
  }

  void absent() {
    std::map<Function, std::vector<const CallRecord*>> missing;
    for (const CallRecord& call : outcome_.calls)
      if (call.error == device::runtime::kNotSupported) missing[call.function].push_back(&call);
    for (const auto& [function, of_it] : missing) {
      const SourcePlace place = place_of(*of_it.front());
      add("absent", State::warning, count_of("program.absent.got", of_it.size()),
          {"program.absent.advice",
           {{"place", said(place)},
            {"call", std::string(name_of(function))},
            {"error", error_name(*of_it.front())}},
           {}},
          line_in_source(facts_, place));
    }
  }

  /// The function that frees the memory, of the same API as the one that allocated it.
  [[nodiscard]] const char* freeing_call(const AllocationRecord& allocation) const {
    const CallRecord* const call = call_at(allocation.call);
    const bool pinned = allocation.kind == MemoryKind::pinned;
    if (call && is_of_driver(call->function)) return pinned ? "cuMemFreeHost" : "cuMemFree";
    return pinned ? "cudaFreeHost" : "cudaFree";
  }

  /// Where memory of this variable is freed: the call that has freed other memory of the same line, or the line of the source that
  /// names both; nothing where there is none.
  SourcePlace place_that_frees(const AllocationRecord& allocation, const SourcePlace& place) {
    for (const AllocationRecord& a : outcome_.record.allocations)
      if (a.freed_by && a.name == allocation.name && place_of_call(a.call) == place)
        return place_of_call(*a.freed_by);
    return {place.file, line_that_frees(place.file, freeing_call(allocation), allocation.name), 0};
  }

  [[nodiscard]] static bool is_freeing(const CallRecord& call) {
    const std::string_view name = name_of(call.function);
    return name.starts_with("cudaFree") || name.starts_with("cuMemFree");
  }

  /// Whether the program frees memory when CUDA has shut down. Which memory that was the log does not say, since such a call is
  /// refused before it looks at what it was given; calls() speaks of it.
  [[nodiscard]] bool frees_too_late() const {
    return std::ranges::any_of(outcome_.calls, [](const CallRecord& call) {
      return call.error == device::runtime::kCudartUnloading && is_freeing(call);
    });
  }

  void freed() {
    std::vector<const AllocationRecord*> kept;
    for (const AllocationRecord& a : outcome_.record.allocations)
      if (!a.freed_by) kept.push_back(&a);
    if (outcome_.record.allocations.empty()) return;
    if (kept.empty()) {
      add("freed", State::passed);
      return;
    }
    // Who is stopped half-way has not come to freeing.
    if (outcome_.end != ProgramOutcome::End::exited || frees_too_late()) return;
    const AllocationRecord& first = *kept.front();
    const SourcePlace place = place_of_call(first.call);
    const SourcePlace frees = place_that_frees(first, place);
    add("freed", State::warning, count_of("program.freed.got", kept.size()),
        {frees.line != 0 ? "program.freed.passed-by" : "program.freed.advice",
         {{"place", said(place)},
          {"name", first.name},
          {"bytes", grouped(first.bytes)},
          {"call", freeing_call(first)},
          {"line", frees.line}},
         {}},
        line_in_source(facts_, place));
  }

  void printed() {
    const std::string& lost = outcome_.record.unseen_output;
    if (lost.empty()) return;
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(lost, '\n'));
    add("printed", State::failed,
        count_of("program.printed.got", std::max<std::uint64_t>(lines, 1)),
        {"program.printed.lost", {}, {}});
  }

  const ProgramOutcome& outcome_;
  const ProgramFacts& facts_;
  device::runtime::HostLines& lines_;
  const std::vector<StreamRace> races_;
  CheckExhibit check_;
};

/// One line a kernel.
Message kernels_of(const ProgramOutcome& outcome) {
  struct Sum {
    const LaunchNote* first = nullptr;
    std::uint64_t launches = 0, instructions = 0;
    double seconds = 0;
  };
  std::vector<std::pair<std::string, Sum>> sums;
  for (const LaunchNote& launch : outcome.record.launches) {
    if (launch.thread_instructions == 0) continue;  // refused
    auto found = std::ranges::find(sums, launch.kernel, &std::pair<std::string, Sum>::first);
    if (found == sums.end()) found = sums.insert(sums.end(), {launch.kernel, {&launch}});
    Sum& sum = found->second;
    ++sum.launches;
    sum.instructions += launch.thread_instructions;
    if (launch.estimate) sum.seconds += launch.estimate->seconds;
  }
  std::vector<Message> rows;
  for (const auto& [kernel, sum] : sums) {
    rows.push_back({"program.kernels.row",
                    {{"count", sum.launches},
                     {"kernel", kernel},
                     {"grid", extent_of(sum.first->grid)},
                     {"block", extent_of(sum.first->block)},
                     {"instructions", grouped(sum.instructions)},
                     {"time", duration(sum.seconds)}},
                    {}});
  }
  return Message::list_of("list.lines", std::move(rows));
}

}  // namespace

std::uint32_t line_in_source(const ProgramFacts& facts, const SourcePlace& place) {
  if (facts.source.empty()) return place.line;
  const std::filesystem::path file = std::filesystem::path(facts.folder) / place.file;
  return file.lexically_normal() == facts.source ? place.line : 0;
}

std::uint32_t line_that_frees(const std::string& file, const std::string& function,
                              const std::string& name) {
  const auto source = device::read_file(file);
  if (!source) return 0;
  const std::string call = function + '(' + name + ')';
  // Comments are no tokens: what is only named there is not called.
  const std::vector<device::CudaToken> tokens = device::cuda_tokens(*source),
                                       wanted = device::cuda_tokens(call);
  const auto found =
      std::ranges::search(tokens, wanted, {}, &device::CudaToken::text, &device::CudaToken::text);
  if (found.empty()) return 0;
  const char* const at = found.front().text.data();
  return 1 + static_cast<std::uint32_t>(std::count(source->data(), at, '\n'));
}

std::string name_of_memory(const CallRecord& call, std::uint64_t base,
                           device::runtime::HostLines& lines) {
  const SourcePlace place = lines.place_of(call.frames, base);
  if (place.line == 0) return "";
  // cudaMalloc(&d_x, ...), cudaMalloc((void**)&d_x, ...), CHECK(cudaMallocManaged(&grid.cells, ...)), cudaMalloc(&parts[i + 1], ...)
  static const std::regex first_argument(
      R"(cu(?:da(?:Malloc\w*|HostAlloc)|Mem(?:Host)?Alloc\w*)\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)|(?:reinterpret|static)_cast<\s*void\s*\*\s*\*\s*>\s*\()?[\s&(]*([A-Za-z_]\w*(?:(?:\.|->|::)\w+|\[[^\]]*\])*))");
  std::smatch match;
  const std::string text = lines_from(place.file, place.line);
  if (std::regex_search(text, match, first_argument)) return match[1];
  return fmt::format("line {}'s memory", place.line);
}

Report report_of(const ProgramOutcome& outcome, const ProgramFacts& facts,
                 device::runtime::HostLines& lines) {
  Report report;
  report.subject = facts.name;
  report.inputs.gpu = facts.gpu.name;
  report.inputs.seed = facts.seed;
  report.device = {"phrase.device.simulated", {{"gpu", facts.gpu.name}}, {}};
  report.run_seconds = outcome.seconds;
  const auto& record = outcome.record;
  if (!record.connected) {
    report.exhibits.push_back({"no-calls",
                               {"program.title.findings", {}, {}},
                               {},
                               TextExhibit{{"program.no-calls", {}, {}}, false}});
  }
  const device::Evidence counted{device::EvidenceKind::counted, report.device, {}};
  report.exhibits.push_back({"findings",
                             {"program.title.findings", {}, {}},
                             counted,
                             Writer(outcome, facts, lines).check()});
  if (!record.operations.empty()) {
    const device::Evidence estimated{device::EvidenceKind::estimated, report.device, {}};
    report.exhibits.push_back({"timeline",
                               {"program.title.timeline", {}, {}},
                               estimated,
                               timeline_of(outcome, facts, estimated, lines)});
  }
  if (Message kernels = kernels_of(outcome); !kernels.arguments.empty()) {
    const device::Evidence estimated{device::EvidenceKind::estimated, report.device, {}};
    report.exhibits.push_back({"kernels",
                               {"program.title.kernels", {}, {}},
                               estimated,
                               TextExhibit{std::move(kernels), false}});
  }
  return report;
}

bool is_clean(const Report& report) {
  const auto* check = report.find_as<CheckExhibit>("findings");
  return !check || check->items.empty() || check->passed();
}

}  // namespace warpbook::lab
