// The list of fields of each struct in a report (device/wire/fields.hpp says how such lists are written and found). The
// binary form and the hash of a run's inputs come from these lists.
#pragma once

#include "device/wire/fields.hpp"
#include "lab/model/report.hpp"

namespace warpbook::lab {

using device::Is;

constexpr auto enum_names(TensorExhibit::View) {
  return device::checked_names<TensorExhibit::View>("automatic", "table", "plot", "heat", "image");
}
constexpr auto enum_names(CheckExhibit::State) {
  return device::checked_names<CheckExhibit::State>("passed", "failed", "warning", "waiting");
}
constexpr auto enum_names(ImageExhibit::By) {
  return device::checked_names<ImageExhibit::By>("block", "warp", "thread");
}
constexpr auto enum_names(SpacesExhibit::Space) {
  return device::checked_names<SpacesExhibit::Space>("registers", "local", "shared", "l1", "l2",
                                                     "dram", "constant", "texture");
}
constexpr auto enum_names(SpacesExhibit::Box) {
  return device::checked_names<SpacesExhibit::Box>("registers", "l1", "shared", "constant-cache",
                                                   "l2", "global", "local", "texture", "constant");
}
constexpr auto enum_names(StackExhibit::Side) {
  return device::checked_names<StackExhibit::Side>("compile", "gpu", "cpu");
}
constexpr auto enum_names(StackExhibit::State) {
  return device::checked_names<StackExhibit::State>("here", "missing", "unusable");
}
constexpr auto enum_names(ComparisonExhibit::Source::Line::Kind) {
  return device::checked_names<ComparisonExhibit::Source::Line::Kind>("same", "removed", "added",
                                                                      "gap");
}

template <class V>
void fields(V&& visit, Is<Message> auto& v) {
  visit("key", v.key);
  visit("arguments", v.arguments);
  visit("text", v.text);
}

template <class V>
void fields(V&& visit, Is<TensorExhibit> auto& v) {
  visit("name", v.name);
  visit("type", v.type);
  visit("shape", v.shape);
  visit("data", v.data);
  visit("wrong", v.wrong);
  visit("view", v.view);
}
/// The data fill the shape, because renderers index them by it, and every wrong element is one of them.
bool valid(const TensorExhibit& v);

template <class V>
void fields(V&& visit, Is<GeometryExhibit> auto& v) {
  visit("kernel", v.kernel);
  visit("grid", v.grid);
  visit("block", v.block);
  visit("threads", v.threads);
  visit("idle", v.idle);
  visit("idle_known", v.idle_known);
  visit("stored", v.stored);
}

template <class V>
void fields(V&& visit, Is<AccessesExhibit::Array> auto& v) {
  visit("tensor", v.tensor);
  visit("written", v.written);
}

template <class V>
void fields(V&& visit, Is<AccessesExhibit::Wire> auto& v) {
  visit("block", v.block);
  visit("thread", v.thread);
  visit("array", v.array);
  visit("element", v.element);
  visit("kind", v.kind);
  visit("line", v.line);
}

template <class V>
void fields(V&& visit, Is<AccessesExhibit> auto& v) {
  visit("grid", v.grid);
  visit("block", v.block);
  visit("arrays", v.arrays);
  visit("wires", v.wires);
  visit("cut", v.cut);
}
/// Every wire is from a thread of the block to one of the arrays.
bool valid(const AccessesExhibit& v);

template <class V>
void fields(V&& visit, Is<ImageExhibit> auto& v) {
  visit("by", v.by);
  visit("grid", v.grid);
  visit("block", v.block);
  visit("pixels", v.pixels);
  visit("writes", v.writes);
  visit("writer", v.writer);
}
/// Each pixel has its count of writes and its writer.
bool valid(const ImageExhibit& v);

template <class V>
void fields(V&& visit, Is<SectorsExhibit::Array> auto& v) {
  visit("name", v.name);
  visit("bytes", v.bytes);
  visit("start", v.start);
}

template <class V>
void fields(V&& visit, Is<SectorsExhibit::Place> auto& v) {
  visit("line", v.line);
  visit("array", v.array);
  visit("kind", v.kind);
  visit("bytes", v.bytes);
  visit("requests", v.requests);
  visit("sectors", v.sectors);
  visit("bytes_asked", v.bytes_asked);
}

template <class V>
void fields(V&& visit, Is<SectorsExhibit::Lane> auto& v) {
  visit("lane", v.lane);
  visit("array", v.array);
  visit("offset", v.offset);
}

template <class V>
void fields(V&& visit, Is<SectorsExhibit::Request> auto& v) {
  visit("place", v.place);
  visit("block", v.block);
  visit("warp", v.warp);
  visit("lanes", v.lanes);
}

template <class V>
void fields(V&& visit, Is<SectorsExhibit> auto& v) {
  visit("grid", v.grid);
  visit("block", v.block);
  visit("arrays", v.arrays);
  visit("places", v.places);
  visit("requests", v.requests);
  visit("chosen", v.chosen);
}
/// Places, requests and lanes refer to what the exhibit holds.
bool valid(const SectorsExhibit& v);

template <class V>
void fields(V&& visit, Is<SourceExhibit::Line> auto& v) {
  visit("line", v.line);
  visit("threads", v.threads);
  visit("counters", v.counters);
}

template <class V>
void fields(V&& visit, Is<SourceExhibit::Mark> auto& v) {
  visit("line", v.line);
  visit("column", v.column);
  visit("severity", v.severity);
  visit("text", v.text);
}

template <class V>
void fields(V&& visit, Is<SourceExhibit::Instruction> auto& v) {
  visit("ptx_line", v.ptx_line);
  visit("line", v.line);
  visit("counters", v.counters);
}

template <class V>
void fields(V&& visit, Is<SourceExhibit> auto& v) {
  visit("file", v.file);
  visit("slot", v.slot);
  visit("text", v.text);
  visit("ptx", v.ptx);
  visit("lines", v.lines);
  visit("marks", v.marks);
  visit("instructions", v.instructions);
  visit("sass", v.sass);
  visit("settings", v.settings);
}

template <class V>
void fields(V&& visit, Is<TimingsExhibit::Row> auto& v) {
  visit("label", v.label);
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("minimum", v.minimum);
  visit("samples", v.samples);
  visit("evidence", v.evidence);
  visit("because", v.because);
}

template <class V>
void fields(V&& visit, Is<TimingsExhibit> auto& v) {
  visit("what", v.what);
  visit("rows", v.rows);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Mismatch> auto& v) {
  visit("index", v.index);
  visit("expected", v.expected);
  visit("got", v.got);
  visit("written_by", v.written_by);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Case> auto& v) {
  visit("name", v.name);
  visit("passed", v.passed);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Item> auto& v) {
  visit("id", v.id);
  visit("state", v.state);
  visit("sentence", v.sentence);
  visit("got", v.got);
  visit("advice", v.advice);
  visit("line", v.line);
  visit("cases", v.cases);
  visit("mismatches", v.mismatches);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit> auto& v) {
  visit("items", v.items);
}

template <class V>
void fields(V&& visit, Is<TextExhibit> auto& v) {
  visit("text", v.text);
  visit("code", v.code);
}

template <class V>
void fields(V&& visit, Is<SpacesExhibit::Row> auto& v) {
  visit("space", v.space);
  visit("bytes", v.bytes);
  visit("latency", v.latency);
  visit("estimated", v.estimated);
  visit("requests", v.requests);
  visit("asked", v.asked);
  visit("moved", v.moved);
  visit("passes", v.passes);
  visit("stored", v.stored);
}

template <class V>
void fields(V&& visit, Is<SpacesExhibit::Station> auto& v) {
  visit("box", v.box);
  visit("says", v.says);
  visit("cost", v.cost);
  visit("line", v.line);
  visit("block", v.block);
  visit("thread", v.thread);
}

template <class V>
void fields(V&& visit, Is<SpacesExhibit::Journey> auto& v) {
  visit("name", v.name);
  visit("value", v.value);
  visit("stations", v.stations);
  visit("readers", v.readers);
  visit("requests", v.requests);
  visit("sectors", v.sectors);
}

template <class V>
void fields(V&& visit, Is<SpacesExhibit> auto& v) {
  visit("kernel", v.kernel);
  visit("gpu", v.gpu);
  visit("registers", v.registers);
  visit("spilled_bytes", v.spilled_bytes);
  visit("machine_local", v.machine_local);
  visit("local_bytes", v.local_bytes);
  visit("shared_bytes", v.shared_bytes);
  visit("l1_hits", v.l1_hits);
  visit("l2_hits", v.l2_hits);
  visit("rows", v.rows);
  visit("journey", v.journey);
}

template <class V>
void fields(V&& visit, Is<StackExhibit::Part> auto& v) {
  visit("id", v.id);
  visit("name", v.name);
  visit("side", v.side);
  visit("state", v.state);
  visit("found", v.found);
  visit("error", v.error);
  visit("missing", v.missing);
  visit("remedy", v.remedy);
}

template <class V>
void fields(V&& visit, Is<StackExhibit::Fit> auto& v) {
  visit("part", v.part);
  visit("with", v.with);
  visit("fits", v.fits);
  visit("text", v.text);
}

template <class V>
void fields(V&& visit, Is<StackExhibit> auto& v) {
  visit("parts", v.parts);
  visit("fits", v.fits);
  visit("gpu_usable", v.gpu_usable);
  visit("when", v.when);
}

template <class V>
void fields(V&& visit, Is<CurveExhibit::Series> auto& v) {
  visit("name", v.name);
  visit("values", v.values);
  visit("slope", v.slope);
  visit("nans", v.nans);
  visit("infinities", v.infinities);
}

template <class V>
void fields(V&& visit, Is<CurveExhibit> auto& v) {
  visit("variable", v.variable);
  visit("x", v.x);
  visit("element", v.element);
  visit("elements", v.elements);
  visit("series", v.series);
  visit("chosen", v.chosen);
}
/// Every series has one value for each point.
bool valid(const CurveExhibit& v);

template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit::Time> auto& v) {
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("samples", v.samples);
}

template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit::Row> auto& v) {
  visit("name", v.name);
  visit("settings", v.settings);
  visit("origin", v.origin);
  visit("workspace", v.workspace);
  visit("notes", v.notes);
  visit("time", v.time);
  visit("stopped", v.stopped);
  visit("off", v.off);
}

template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit::Group> auto& v) {
  visit("name", v.name);
  visit("evidence", v.evidence);
  visit("description", v.description);
  visit("rows", v.rows);
  visit("left_out", v.left_out);
  visit("refused", v.refused);
  visit("over_cap", v.over_cap);
  visit("cap", v.cap);
  visit("untimed", v.untimed);
  visit("error", v.error);
}

template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit> auto& v) {
  visit("problem", v.problem);
  visit("groups", v.groups);
}

template <class V>
void fields(V&& visit, Is<SlidingWindowExhibit::Output> auto& v) {
  visit("element", v.element);
  visit("value", v.value);
  visit("wrong", v.wrong);
  visit("block", v.block);
  visit("thread", v.thread);
  visit("inputs", v.inputs);
  visit("weights", v.weights);
}

template <class V>
void fields(V&& visit, Is<SlidingWindowExhibit> auto& v) {
  visit("input", v.input);
  visit("weights", v.weights);
  visit("channels_last", v.channels_last);
  visit("filters", v.filters);
  visit("out_rows", v.out_rows);
  visit("out_columns", v.out_columns);
  visit("stride", v.stride);
  visit("pad", v.pad);
  visit("dilation", v.dilation);
  visit("outputs", v.outputs);
  visit("chosen", v.chosen);
  visit("cut", v.cut);
}
/// The outputs are in order and inside the result. More is for sizes_of() to judge: shapes and settings that do not
/// belong together may be shown.
bool valid(const SlidingWindowExhibit& v);

template <class V>
void fields(V&& visit, Is<RooflineExhibit::Roof> auto& v) {
  visit("part", v.part);
  visit("rate", v.rate);
}

template <class V>
void fields(V&& visit, Is<RooflineExhibit::Point> auto& v) {
  visit("name", v.name);
  visit("operations", v.operations);
  visit("dram_bytes", v.dram_bytes);
  visit("l2_bytes", v.l2_bytes);
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("ceiling", v.ceiling);
  visit("limiter", v.limiter);
}

template <class V>
void fields(V&& visit, Is<RooflineExhibit> auto& v) {
  visit("gpu", v.gpu);
  visit("memories", v.memories);
  visit("ceilings", v.ceilings);
  visit("points", v.points);
  visit("chosen", v.chosen);
}
/// Every point is below one of the ceilings.
bool valid(const RooflineExhibit& v);

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Side> auto& v) {
  visit("name", v.name);
  visit("device", v.device);
  visit("inputs_hash", v.inputs_hash);
  visit("errors", v.errors);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Setting> auto& v) {
  visit("name", v.name);
  visit("a", v.a);
  visit("b", v.b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Subject> auto& v) {
  visit("id", v.id);
  visit("title", v.title);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Figure> auto& v) {
  visit("of", v.of);
  visit("name", v.name);
  visit("row", v.row);
  visit("evidence", v.evidence);
  visit("a", v.a);
  visit("b", v.b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Time::Span> auto& v) {
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("on", v.on);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Time> auto& v) {
  visit("of", v.of);
  visit("row", v.row);
  visit("evidence", v.evidence);
  visit("a", v.a);
  visit("b", v.b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Output::Element> auto& v) {
  visit("index", v.index);
  visit("a", v.a);
  visit("b", v.b);
  visit("difference", v.difference);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Output> auto& v) {
  visit("of", v.of);
  visit("name", v.name);
  visit("shape_a", v.shape_a);
  visit("shape_b", v.shape_b);
  visit("compared", v.compared);
  visit("differing", v.differing);
  visit("beyond", v.beyond);
  visit("absolute", v.absolute);
  visit("relative", v.relative);
  visit("first_beyond", v.first_beyond);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Check> auto& v) {
  visit("of", v.of);
  visit("sentence", v.sentence);
  visit("a", v.a);
  visit("b", v.b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Words> auto& v) {
  visit("of", v.of);
  visit("a", v.a);
  visit("b", v.b);
  visit("code", v.code);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Source::Line> auto& v) {
  visit("kind", v.kind);
  visit("a", v.a);
  visit("b", v.b);
  visit("text", v.text);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Source> auto& v) {
  visit("of", v.of);
  visit("removed", v.removed);
  visit("added", v.added);
  visit("least", v.least);
  visit("cut", v.cut);
  visit("lines", v.lines);
  visit("costs_a", v.costs_a);
  visit("costs_b", v.costs_b);
}
/// Costs are of lines that the comparison holds.
bool valid(const ComparisonExhibit::Source& v);

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Only> auto& v) {
  visit("of", v.of);
  visit("in_b", v.in_b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit> auto& v) {
  visit("a", v.a);
  visit("b", v.b);
  visit("settings", v.settings);
  visit("figures", v.figures);
  visit("times", v.times);
  visit("outputs", v.outputs);
  visit("checks", v.checks);
  visit("words", v.words);
  visit("sources", v.sources);
  visit("only", v.only);
}

template <class V>
void fields(V&& visit, Is<Exhibit> auto& v) {
  visit("id", v.id);
  visit("title", v.title);
  visit("evidence", v.evidence);
  visit("value", v.value);
}

template <class V>
void fields(V&& visit, Is<Inputs> auto& v) {
  visit("values", v.values);
  visit("sources", v.sources);
  visit("gpu", v.gpu);
  visit("device", v.device);
  visit("seed", v.seed);
}

template <class V>
void fields(V&& visit, Is<Report> auto& v) {
  visit("subject", v.subject);
  visit("inputs", v.inputs);
  visit("inputs_hash", v.inputs_hash);
  visit("device", v.device);
  visit("exhibits", v.exhibits);
  visit("errors", v.errors);
  visit("compile_seconds", v.compile_seconds);
  visit("run_seconds", v.run_seconds);
  visit("when", v.when);
}

}  // namespace warpbook::lab
