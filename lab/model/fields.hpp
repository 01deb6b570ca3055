// Which members every value has that is saved: `fields(visit, value)` calls `visit(member...)` once, in the order in
// which they stand in the binary form. Writing, reading and hashing all go through here, so a new member is added in one
// place (and binary.hpp's kFormVersion grows).
#pragma once

#include <concepts>
#include <type_traits>

#include "lab/model/report.hpp"

namespace warpbook::lab {

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

template <class V>
void fields(V&& visit, Is<device::SourcePlace> auto& v) {
  visit(v.file, v.line, v.column);
}
template <class V>
void fields(V&& visit, Is<device::Error> auto& v) {
  visit(v.code, v.arguments, v.place);
}
template <class V>
void fields(V&& visit, Is<device::Dim3> auto& v) {
  visit(v.x, v.y, v.z);
}
template <class V>
void fields(V&& visit, Is<device::Provenance> auto& v) {
  visit(v.evidence, v.on, v.when);
}
template <class V>
void fields(V&& visit, Is<device::Counters> auto& v) {
  for_each_counter(v, [&](std::string_view, auto& counter) { visit(counter); });
}
template <class V>
void fields(V&& visit, Is<device::InstructionCounters> auto& v) {
  visit(v.text, v.ptx_line, v.place, v.inlined_at, v.counters, v.machine_branches);
}
template <class V>
void fields(V&& visit, Is<device::LineCounters> auto& v) {
  visit(v.file, v.line, v.threads, v.counters, v.predicted, v.machine);
}
template <class V>
void fields(V&& visit, Is<device::AccessInstructions> auto& v) {
  visit(v.global_loads, v.global_stores, v.shared_loads, v.shared_stores);
}
template <class V>
void fields(V&& visit, Is<device::Access> auto& v) {
  visit(v.address, v.instruction, v.block, v.thread, v.request, v.bytes, v.space, v.kind);
}
template <class V>
void fields(V&& visit, Is<device::AllocationInfo> auto& v) {
  visit(v.name, v.address, v.bytes, v.type);
}
template <class V>
void fields(V&& visit, Is<device::Party> auto& v) {
  visit(v.block, v.thread, v.instruction, v.place, v.kind);
}
template <class V>
void fields(V&& visit, Is<device::Finding> auto& v) {
  visit(v.error, v.by, v.other, v.allocation, v.element, v.address, v.bytes, v.space);
}
template <class V>
void fields(V&& visit, Is<device::WriteMap> auto& v) {
  visit(v.name, v.writes, v.writer);
}
template <class V>
void fields(V&& visit, Is<device::LaunchRecord> auto& v) {
  visit(v.kernel, v.grid, v.block, v.cluster, v.static_shared, v.dynamic_shared, v.seconds, v.time,
        v.seed, v.workers, v.counted, v.total, v.instructions, v.lines, v.longest_warp,
        v.longest_lane, v.mean_active_lanes, v.blocks_writing, v.allocations, v.trace, v.trace_cut,
        v.written, v.findings, v.findings_total, v.notes, v.error, v.output, v.estimate);
}
template <class V>
void fields(V&& visit, Is<device::EstimateBound> auto& v) {
  visit(v.name, v.seconds);
}
template <class V>
void fields(V&& visit, Is<device::Estimate> auto& v) {
  visit(v.seconds, v.low, v.high, v.time, v.bounds, v.limiter, v.resident_blocks, v.occupancy,
        v.occupancy_limiter, v.waves, v.operations, v.l2_bytes, v.dram_bytes, v.l1_hits, v.l2_hits,
        v.peak_operations, v.peak_bytes, v.blocks, v.blocks_run, v.machine_code);
}

template <class V>
void fields(V&& visit, Is<Message> auto& v) {
  visit(v.key, v.arguments, v.text);
}
template <class V>
void fields(V&& visit, Is<TensorExhibit> auto& v) {
  visit(v.name, v.type, v.shape, v.data, v.wrong, v.view);
}
template <class V>
void fields(V&& visit, Is<GeometryExhibit> auto& v) {
  visit(v.kernel, v.grid, v.block, v.threads, v.idle, v.idle_known, v.stored);
}
template <class V>
void fields(V&& visit, Is<AccessesExhibit::Array> auto& v) {
  visit(v.tensor, v.written);
}
template <class V>
void fields(V&& visit, Is<AccessesExhibit::Wire> auto& v) {
  visit(v.block, v.thread, v.array, v.element, v.kind, v.line);
}
template <class V>
void fields(V&& visit, Is<AccessesExhibit> auto& v) {
  visit(v.grid, v.block, v.arrays, v.wires, v.cut);
}
template <class V>
void fields(V&& visit, Is<ImageExhibit> auto& v) {
  visit(v.by, v.grid, v.block, v.pixels, v.writes, v.writer);
}
template <class V>
void fields(V&& visit, Is<SectorsExhibit::Array> auto& v) {
  visit(v.name, v.bytes, v.start);
}
template <class V>
void fields(V&& visit, Is<SectorsExhibit::Place> auto& v) {
  visit(v.line, v.array, v.kind, v.bytes, v.requests, v.sectors, v.bytes_asked);
}
template <class V>
void fields(V&& visit, Is<SectorsExhibit::Lane> auto& v) {
  visit(v.lane, v.array, v.offset);
}
template <class V>
void fields(V&& visit, Is<SectorsExhibit::Request> auto& v) {
  visit(v.place, v.block, v.warp, v.lanes);
}
template <class V>
void fields(V&& visit, Is<SectorsExhibit> auto& v) {
  visit(v.grid, v.block, v.arrays, v.places, v.requests, v.chosen);
}
template <class V>
void fields(V&& visit, Is<device::SassInstruction> auto& v) {
  visit(v.address, v.text, v.ptx_line, v.line, v.stall, v.wait_mask, v.write_barrier,
        v.read_barrier, v.executed);
}
template <class V>
void fields(V&& visit, Is<device::SassFunction> auto& v) {
  visit(v.mangled, v.name, v.counted, v.instructions);
}
template <class V>
void fields(V&& visit, Is<device::Sass> auto& v) {
  visit(v.architecture, v.disassembler, v.why, v.functions);
}
template <class V>
void fields(V&& visit, Is<SourceExhibit::Line> auto& v) {
  visit(v.line, v.threads, v.counters);
}
template <class V>
void fields(V&& visit, Is<SourceExhibit::Mark> auto& v) {
  visit(v.line, v.column, v.severity, v.text);
}
template <class V>
void fields(V&& visit, Is<SourceExhibit::Instruction> auto& v) {
  visit(v.ptx_line, v.line, v.counters);
}
template <class V>
void fields(V&& visit, Is<SourceExhibit> auto& v) {
  visit(v.file, v.slot, v.text, v.ptx, v.lines, v.marks, v.instructions, v.sass, v.settings);
}
template <class V>
void fields(V&& visit, Is<TimingsExhibit::Row> auto& v) {
  visit(v.label, v.seconds, v.low, v.high, v.minimum, v.samples, v.provenance, v.because);
}
template <class V>
void fields(V&& visit, Is<TimingsExhibit> auto& v) {
  visit(v.what, v.rows);
}
template <class V>
void fields(V&& visit, Is<CheckExhibit::Mismatch> auto& v) {
  visit(v.index, v.expected, v.got, v.written_by);
}
template <class V>
void fields(V&& visit, Is<CheckExhibit::Case> auto& v) {
  visit(v.name, v.passed);
}
template <class V>
void fields(V&& visit, Is<CheckExhibit::Item> auto& v) {
  visit(v.id, v.state, v.sentence, v.got, v.advice, v.line, v.cases, v.mismatches);
}
template <class V>
void fields(V&& visit, Is<CheckExhibit> auto& v) {
  visit(v.items);
}
template <class V>
void fields(V&& visit, Is<TextExhibit> auto& v) {
  visit(v.text, v.code);
}
template <class V>
void fields(V&& visit, Is<SpacesExhibit::Row> auto& v) {
  visit(v.space, v.bytes, v.latency, v.estimated, v.requests, v.asked, v.moved, v.passes, v.stored);
}
template <class V>
void fields(V&& visit, Is<SpacesExhibit::Station> auto& v) {
  visit(v.box, v.says, v.cost, v.line, v.block, v.thread);
}
template <class V>
void fields(V&& visit, Is<SpacesExhibit::Journey> auto& v) {
  visit(v.name, v.value, v.stations, v.readers, v.requests, v.sectors);
}
template <class V>
void fields(V&& visit, Is<SpacesExhibit> auto& v) {
  visit(v.kernel, v.gpu, v.registers, v.spilled_bytes, v.machine_local, v.local_bytes,
        v.shared_bytes, v.l1_hits, v.l2_hits, v.rows, v.journey);
}
template <class V>
void fields(V&& visit, Is<StackExhibit::Part> auto& v) {
  visit(v.id, v.name, v.side, v.state, v.found, v.error, v.missing, v.remedy);
}
template <class V>
void fields(V&& visit, Is<StackExhibit::Fit> auto& v) {
  visit(v.part, v.with, v.fits, v.text);
}
template <class V>
void fields(V&& visit, Is<StackExhibit> auto& v) {
  visit(v.parts, v.fits, v.gpu_usable, v.when);
}
template <class V>
void fields(V&& visit, Is<CurveExhibit::Series> auto& v) {
  visit(v.name, v.values, v.slope, v.nans, v.infinities);
}
template <class V>
void fields(V&& visit, Is<CurveExhibit> auto& v) {
  visit(v.variable, v.x, v.element, v.elements, v.series, v.chosen);
}
template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit::Time> auto& v) {
  visit(v.seconds, v.low, v.high, v.samples);
}
template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit::Row> auto& v) {
  visit(v.name, v.settings, v.origin, v.workspace, v.notes, v.time, v.stopped, v.off);
}
template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit::Group> auto& v) {
  visit(v.name, v.provenance, v.description, v.rows, v.left_out, v.refused, v.over_cap, v.cap,
        v.untimed, v.error);
}
template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit> auto& v) {
  visit(v.problem, v.groups);
}
template <class V>
void fields(V&& visit, Is<SlidingWindowExhibit::Output> auto& v) {
  visit(v.element, v.value, v.wrong, v.block, v.thread, v.inputs, v.weights);
}
template <class V>
void fields(V&& visit, Is<SlidingWindowExhibit> auto& v) {
  visit(v.input, v.weights, v.channels_last, v.filters, v.out_rows, v.out_columns, v.stride, v.pad,
        v.dilation, v.outputs, v.chosen, v.cut);
}
template <class V>
void fields(V&& visit, Is<RooflineExhibit::Roof> auto& v) {
  visit(v.part, v.rate);
}
template <class V>
void fields(V&& visit, Is<RooflineExhibit::Point> auto& v) {
  visit(v.name, v.operations, v.dram_bytes, v.l2_bytes, v.seconds, v.low, v.high, v.ceiling,
        v.limiter);
}
template <class V>
void fields(V&& visit, Is<RooflineExhibit> auto& v) {
  visit(v.gpu, v.memories, v.ceilings, v.points, v.chosen);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Side> auto& v) {
  visit(v.name, v.device, v.inputs_hash, v.errors);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Setting> auto& v) {
  visit(v.name, v.a, v.b);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Subject> auto& v) {
  visit(v.id, v.title);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Figure> auto& v) {
  visit(v.of, v.name, v.row, v.evidence, v.a, v.b);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Time::Span> auto& v) {
  visit(v.seconds, v.low, v.high, v.on);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Time> auto& v) {
  visit(v.of, v.row, v.evidence, v.a, v.b);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Output::Element> auto& v) {
  visit(v.index, v.a, v.b, v.difference);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Output> auto& v) {
  visit(v.of, v.name, v.shape_a, v.shape_b, v.compared, v.differing, v.beyond, v.absolute,
        v.relative, v.first_beyond);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Check> auto& v) {
  visit(v.of, v.sentence, v.a, v.b);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Words> auto& v) {
  visit(v.of, v.a, v.b, v.code);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Source::Line> auto& v) {
  visit(v.kind, v.a, v.b, v.text);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Source> auto& v) {
  visit(v.of, v.removed, v.added, v.least, v.cut, v.lines, v.costs_a, v.costs_b);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Only> auto& v) {
  visit(v.of, v.in_b);
}
template <class V>
void fields(V&& visit, Is<ComparisonExhibit> auto& v) {
  visit(v.a, v.b, v.settings, v.figures, v.times, v.outputs, v.checks, v.words, v.sources, v.only);
}
template <class V>
void fields(V&& visit, Is<Exhibit> auto& v) {
  visit(v.id, v.title, v.provenance, v.value);
}
template <class V>
void fields(V&& visit, Is<Inputs> auto& v) {
  visit(v.values, v.sources, v.gpu, v.device, v.seed);
}
template <class V>
void fields(V&& visit, Is<Report> auto& v) {
  visit(v.subject, v.inputs, v.inputs_hash, v.device, v.exhibits, v.errors, v.compile_seconds,
        v.run_seconds, v.when);
}

}  // namespace warpbook::lab
