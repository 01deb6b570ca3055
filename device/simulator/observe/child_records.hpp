// The record of a launch whose kernels launched others: one for all grids of the tree.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "device/launch_record.hpp"
#include "device/simulator/isa/code.hpp"

namespace warpbook::device {

/// Adds the records of child grids to the record of the grid that the host launched.
class ChildRecords {
 public:
  /// `record` is of a grid that ran `code`; the two must outlive this.
  ChildRecords(LaunchRecord& record, const isa::Code& code);
  /// Counters, findings, output and errors; not the trace.
  void add(LaunchRecord&& child, const isa::Code& code);

 private:
  using Places = std::vector<std::uint32_t>;  ///< of a code's instructions, in record_.instructions

  /// Instructions that the record does not have yet come behind those that it has.
  const Places& places_of(const isa::Code& code);
  void add_instructions(std::vector<InstructionCounters>&& child, const Places& places);
  void add_lines(std::vector<LineCounters>&& child, bool known_code);
  void add_findings(LaunchRecord&& child, const Places& places);
  void add_writes(const std::vector<WriteMap>& child);

  LaunchRecord& record_;
  std::unordered_map<const ptx::Instruction*, std::uint32_t> by_source_;
  std::unordered_map<const isa::Code*, Places> by_code_;
};

}  // namespace warpbook::device
