#include "lab/exercise/program_overlap.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace warpbook::lab {
namespace {

using device::runtime::Engine;
using device::runtime::OperationNote;
using device::runtime::ProgramRecord;

bool is_over_link(const OperationNote& operation) {
  return operation.engine == Engine::copy_in || operation.engine == Engine::copy_out;
}

double instructions_of(const ProgramRecord& record, const OperationNote& operation) {
  return operation.launch
             ? static_cast<double>(record.launches[*operation.launch].thread_instructions)
             : 0;
}

/// What each operation costs; what is neither a kernel nor a copy over the link costs nothing.
std::vector<double> costs_of(const ProgramRecord& record, std::uint64_t bytes) {
  double instructions = 0;
  for (const OperationNote& operation : record.operations)
    instructions += instructions_of(record, operation);
  std::vector<double> costs;
  for (const OperationNote& operation : record.operations) {
    double cost = is_over_link(operation) ? static_cast<double>(operation.bytes) : 0;
    if (operation.launch && instructions > 0)
      cost = static_cast<double>(bytes) * instructions_of(record, operation) / instructions;
    costs.push_back(cost);
  }
  return costs;
}

/// Each operation begins when all that it waits for has ended and its part of the GPU is free.
double path_of(const ProgramRecord& record, const std::vector<double>& costs) {
  std::vector<double> ends;
  std::map<Engine, double> free;
  double last = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const OperationNote& operation = record.operations[i];
    double begin = costs[i] > 0 ? free[operation.engine] : 0;
    for (const auto& [stream, over] : operation.past) begin = std::max(begin, ends[over]);
    ends.push_back(begin + costs[i]);
    if (costs[i] > 0) free[operation.engine] = ends.back();
    last = std::max(last, ends.back());
  }
  return last;
}

bool meet(const std::vector<device::runtime::Extent>& a,
          const std::vector<device::runtime::Extent>& b) {
  return std::ranges::any_of(a, [&](const auto& one) {
    return std::ranges::any_of(
        b, [&](const auto& other) { return one.begin < other.end && other.begin < one.end; });
  });
}

/// Whether the operation with the number `i` is certain to be over before `later` begins.
bool is_over(const ProgramRecord& record, std::size_t i, const OperationNote& later) {
  const auto found = later.past.find(record.operations[i].stream);
  return found != later.past.end() && found->second >= i;
}

/// The kernel that reads what the copy with the number `copy` brought. Of a kernel whose memory is not known, as in a program without
/// streams, it is assumed.
std::optional<std::size_t> reader_of(const ProgramRecord& record, std::size_t copy) {
  const auto& brought = record.operations[copy].footprint.writes;
  for (std::size_t i = copy + 1; i < record.operations.size(); ++i) {
    const OperationNote& operation = record.operations[i];
    const auto& [reads, writes] = operation.footprint;
    const bool is_known = !reads.empty() || !writes.empty();
    if (operation.launch && (!is_known || meet(reads, brought))) return i;
  }
  return {};
}

constexpr std::uint32_t kDefaultStream = 0;

/// The operation is in the default stream, behind one of another stream and before one that waits for it.
bool stands_between(const ProgramRecord& record, std::size_t i) {
  const auto& operations = record.operations;
  const auto is_other = [](const OperationNote& each) { return each.stream != kDefaultStream; };
  const auto here = operations.begin() + static_cast<std::ptrdiff_t>(i);
  return !is_other(*here) && std::any_of(operations.begin(), here, is_other) &&
         std::any_of(here, operations.end(), [&](const OperationNote& later) {
           return is_other(later) && is_over(record, i, later);
         });
}

std::size_t late_copies_of(const ProgramRecord& record) {
  std::size_t late = 0;
  std::optional<std::size_t> before;
  for (std::size_t i = 0; i < record.operations.size(); ++i) {
    if (record.operations[i].engine != Engine::copy_in) continue;
    const auto reader = before ? reader_of(record, *before) : std::nullopt;
    if (reader && *reader < i && is_over(record, *reader, record.operations[i])) ++late;
    before = i;
  }
  return late;
}

}  // namespace

ProgramOverlap overlap_of(const ProgramRecord& record, std::uint64_t bytes) {
  ProgramOverlap made;
  const std::vector<double> costs = costs_of(record, bytes);
  double serial = 0;
  for (const double cost : costs) serial += cost;
  if (serial > 0) made.path_share = path_of(record, costs) / serial;
  made.late_copies = late_copies_of(record);
  double copied = 0, pageable = 0;
  for (const OperationNote& operation : record.operations) {
    if (!is_over_link(operation)) continue;
    copied += static_cast<double>(operation.bytes);
    if (operation.pageable) pageable += static_cast<double>(operation.bytes);
  }
  if (copied > 0) made.pageable_share = pageable / copied;
  return made;
}

HoldUp hold_up_of(const ProgramRecord& record) {
  std::vector<const OperationNote*> costly;
  for (const OperationNote& operation : record.operations)
    if (operation.launch || is_over_link(operation)) costly.push_back(&operation);
  if (costly.empty()) return {};
  const bool one_stream = std::ranges::all_of(
      costly, [&](const OperationNote* each) { return each->stream == costly.front()->stream; });
  if (one_stream) return {HoldUp::Why::one_stream, costly.front()->call, 0};
  for (std::size_t i = 0; i < record.operations.size(); ++i) {
    if (stands_between(record, i))
      return {HoldUp::Why::default_stream, record.operations[i].call, 0};
  }
  HoldUp held;
  for (const device::runtime::WaitNote& wait : record.waits) {
    if (wait.operations == 0 || wait.operations == record.operations.size()) continue;
    if (held.times++ == 0) held.call = wait.call;
    held.why = HoldUp::Why::host_waits;
  }
  return held;
}

}  // namespace warpbook::lab
