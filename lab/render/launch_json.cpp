#include "lab/render/launch_json.hpp"

#include "lab/markup/json_parts.hpp"
#include "lab/model/report.hpp"

namespace warpbook::lab {
namespace {

using lab::json_of;
using nlohmann::json;

json json_of(const device::Party& party) {
  return {{"block", party.block},
          {"thread", party.thread},
          {"instruction", party.instruction},
          {"place", json_of(party.place)},
          {"kind", name_of(party.kind)}};
}

json json_of(const device::Finding& finding) {
  return {{"error", to_json(finding.error)},
          {"by", json_of(finding.by)},
          {"other", finding.other ? json_of(*finding.other) : json(nullptr)},
          {"allocation", json_text(finding.allocation)},
          {"element", finding.element},
          {"address", finding.address},
          {"bytes", finding.bytes},
          {"space", name_of(finding.space)}};
}

json json_of(const device::InstructionCounters& instruction) {
  json inlined = json::array();
  for (const device::SourcePlace& place : instruction.inlined_at) inlined.push_back(json_of(place));
  return {{"text", json_text(instruction.text)},
          {"ptx_line", instruction.ptx_line},
          {"place", json_of(instruction.place)},
          {"inlined_at", std::move(inlined)},
          {"counters", json_of(instruction.counters)},
          {"machine_branches",
           instruction.machine_branches ? json(*instruction.machine_branches) : json(nullptr)}};
}

json json_of(const device::AccessInstructions& accesses) {
  return {{"global_loads", accesses.global_loads},
          {"global_stores", accesses.global_stores},
          {"shared_loads", accesses.shared_loads},
          {"shared_stores", accesses.shared_stores}};
}

json json_of(const device::LineCounters& line) {
  return {{"file", json_text(line.file)},
          {"line", line.line},
          {"threads", line.threads},
          {"counters", json_of(line.counters)},
          {"predicted", json_of(line.predicted)},
          {"machine", line.machine ? json_of(*line.machine) : json(nullptr)}};
}

json json_of(const device::Estimate& e) {
  json bounds = json::array();
  for (const device::EstimateBound& bound : e.bounds)
    bounds.push_back({{"name", bound.name}, {"seconds", json_number(bound.seconds)}});
  return {{"seconds", json_number(e.seconds)},
          {"low", json_number(e.low)},
          {"high", json_number(e.high)},
          {"time", json_of(e.time)},
          {"limiter", e.limiter},
          {"bounds", std::move(bounds)},
          {"occupancy",
           {{"blocks", e.resident_blocks},
            {"fraction", json_number(e.occupancy)},
            {"limiter", e.occupancy_limiter}}},
          {"waves", json_number(e.waves)},
          {"operations", json_number(e.operations)},
          {"l2_bytes", json_number(e.l2_bytes)},
          {"dram_bytes", json_number(e.dram_bytes)},
          {"l1_hits", json_number(e.l1_hits)},
          {"l2_hits", json_number(e.l2_hits)},
          {"peak_operations", json_number(e.peak_operations)},
          {"peak_bytes", json_number(e.peak_bytes)},
          {"blocks", e.blocks},
          {"blocks_run", e.blocks_run},
          {"machine_code", e.machine_code}};
}

template <class T>
json list_of(const std::vector<T>& items) {
  json list = json::array();
  for (const T& item : items) list.push_back(json_of(item));
  return list;
}

}  // namespace

json to_json(const device::LaunchRecord& record) {
  json result = {{"form", "warpbook-launch"},
                 {"version", 1},
                 {"kernel", json_text(record.kernel)},
                 {"grid", json_of(record.grid)},
                 {"block", json_of(record.block)},
                 {"cluster", json_of(record.cluster)},
                 {"static_shared", record.static_shared},
                 {"dynamic_shared", record.dynamic_shared},
                 {"seconds", json_number(record.seconds)},
                 {"time", json_of(record.time)},
                 {"seed", record.seed},
                 {"workers", record.workers},
                 {"counted", record.counted},
                 {"thread_instructions", record.total.thread_instructions},
                 {"warp_instructions", record.total.warp_instructions},
                 {"longest_warp", record.longest_warp},
                 {"longest_lane", record.longest_lane},
                 {"mean_active_lanes", json_number(record.mean_active_lanes)},
                 {"blocks_writing", record.blocks_writing},
                 {"total", json_of(record.total)},
                 {"lines", list_of(record.lines)},
                 {"instructions", list_of(record.instructions)},
                 {"trace", {{"accesses", record.trace.size()}, {"cut", record.trace_cut}}},
                 {"findings", list_of(record.findings)},
                 {"findings_total", record.findings_total},
                 {"notes", list_of(record.notes)},
                 {"error", record.error ? to_json(*record.error) : json(nullptr)},
                 {"output", json_text(record.output)}};
  if (record.estimate) result["estimate"] = json_of(*record.estimate);
  return result;
}

json to_json(const device::Sass& sass) { return json_of(sass); }

}  // namespace warpbook::lab
