#include <algorithm>

#include "lab/exhibits/accesses/accesses_summary.hpp"
#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/exhibits/image/image_summary.hpp"
#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/exhibits/stack/stack_words.hpp"
#include "lab/markup/json_parts.hpp"
#include "lab/model/report.hpp"
#include "lab/model/tensor_values.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostElements = 65536;  ///< of one tensor; "count" says how many there are

json json_element(const TensorExhibit& tensor, std::uint64_t index) {
  using device::ElementType;
  switch (tensor.type) {
    case ElementType::f16:
    case ElementType::bf16:
    case ElementType::f32:
    case ElementType::f64: return json_number(element(tensor, index));
    case ElementType::u64: return static_cast<std::uint64_t>(exact_element(tensor, index));
    default: return static_cast<std::int64_t>(exact_element(tensor, index));
  }
}

struct ToJson {
  const Strings& english;

  json text(const Message& message) const { return json_text(english(message)); }

  json operator()(const TensorExhibit& tensor) const {
    json data = json::array();
    const std::uint64_t shown = std::min(held(tensor), kMostElements);
    for (std::uint64_t i = 0; i < shown; ++i) data.push_back(json_element(tensor, i));
    return {{"name", json_text(tensor.name)}, {"type", name_of(tensor.type)},
            {"shape", tensor.shape},          {"count", count(tensor)},
            {"data", std::move(data)},        {"cut", shown < count(tensor)},
            {"wrong", tensor.wrong},          {"view", name_of(tensor.view)}};
  }

  json operator()(const GeometryExhibit& geometry) const {
    return {{"kernel", json_text(geometry.kernel)},
            {"grid", json_of(geometry.grid)},
            {"block", json_of(geometry.block)},
            {"threads", geometry.threads},
            {"idle", geometry.idle_known ? json(geometry.idle) : json(nullptr)},
            {"stored", geometry.stored}};
  }

  json operator()(const AccessesExhibit& accesses) const {
    json arrays = json::array(), wires = json::array();
    for (const AccessesExhibit::Array& array : accesses.arrays) {
      arrays.push_back({{"tensor", (*this)(array.tensor)}, {"written", array.written}});
    }
    for (const AccessesExhibit::Wire& wire : accesses.wires) {
      wires.push_back({{"block", wire.block},
                       {"thread", wire.thread},
                       {"array", wire.array},
                       {"element", wire.element},
                       {"kind", name_of(wire.kind)},
                       {"line", wire.line},
                       {"stray", is_stray(accesses, wire)}});
    }
    return {{"grid", json_of(accesses.grid)},
            {"block", json_of(accesses.block)},
            {"arrays", std::move(arrays)},
            {"wires", std::move(wires)},
            {"cut", accesses.cut}};
  }

  json operator()(const ImageExhibit& image) const {
    const std::size_t shown = std::min<std::size_t>(image.writes.size(), kMostElements);
    const auto end = static_cast<std::ptrdiff_t>(shown);
    return {
        {"by", name_of(image.by)},
        {"grid", json_of(image.grid)},
        {"block", json_of(image.block)},
        {"pixels", (*this)(image.pixels)},
        {"writes", std::vector(image.writes.begin(), image.writes.begin() + end)},
        {"writer", std::vector(image.writer.begin(),
                               image.writer.begin() + std::min(end, std::ssize(image.writer)))}};
  }

  json operator()(const SectorsExhibit& sectors) const {
    json arrays = json::array(), places = json::array(), requests = json::array();
    for (const SectorsExhibit::Array& array : sectors.arrays) {
      arrays.push_back(
          {{"name", json_text(array.name)}, {"bytes", array.bytes}, {"start", array.start}});
    }
    for (const SectorsExhibit::Place& place : sectors.places) {
      places.push_back({{"line", place.line},
                        {"array", place.array},
                        {"kind", name_of(place.kind)},
                        {"bytes", place.bytes},
                        {"requests", place.requests},
                        {"sectors", place.sectors},
                        {"bytes_asked", place.bytes_asked},
                        {"bytes_moved", place.sectors * device::kSectorBytes}});
    }
    for (const SectorsExhibit::Request& request : sectors.requests) {
      const RequestSectors touched = touched_by(sectors, request);
      json lanes = json::array();
      for (const SectorsExhibit::Lane& lane : request.lanes)
        lanes.push_back({{"lane", lane.lane}, {"array", lane.array}, {"offset", lane.offset}});
      requests.push_back({{"place", request.place},
                          {"block", request.block},
                          {"warp", request.warp},
                          {"sectors", touched.sectors.size()},
                          {"bytes_used", touched.used},
                          {"lanes", std::move(lanes)}});
    }
    return {{"grid", json_of(sectors.grid)},   {"block", json_of(sectors.block)},
            {"arrays", std::move(arrays)},     {"places", std::move(places)},
            {"requests", std::move(requests)}, {"chosen", sectors.chosen}};
  }

  json operator()(const SourceExhibit& source) const {
    json lines = json::array(), marks = json::array(), instructions = json::array();
    for (const SourceExhibit::Instruction& instruction : source.instructions) {
      instructions.push_back({{"ptx_line", instruction.ptx_line},
                              {"line", instruction.line},
                              {"counters", json_of(instruction.counters)}});
    }
    for (const SourceExhibit::Line& line : source.lines) {
      lines.push_back(
          {{"line", line.line}, {"threads", line.threads}, {"counters", json_of(line.counters)}});
    }
    for (const SourceExhibit::Mark& mark : source.marks) {
      marks.push_back({{"line", mark.line},
                       {"column", mark.column},
                       {"severity", device::name_of(mark.severity)},
                       {"text", text(mark.text)}});
    }
    return {{"file", json_text(source.file)},
            {"slot", json_text(source.slot)},
            {"text", json_text(source.text)},
            {"ptx", json_text(source.ptx)},
            {"lines", std::move(lines)},
            {"marks", std::move(marks)},
            {"instructions", std::move(instructions)},
            {"sass", source.sass ? json_of(*source.sass) : json(nullptr)},
            {"settings", source.settings}};
  }

  json operator()(const TimingsExhibit& timings) const {
    json rows = json::array();
    for (const TimingsExhibit::Row& row : timings.rows) {
      rows.push_back({{"label", text(row.label)},
                      {"seconds", json_number(row.seconds)},
                      {"low", json_number(row.low)},
                      {"high", json_number(row.high)},
                      {"minimum", json_number(row.minimum)},
                      {"samples", row.samples},
                      {"evidence", json_of(row.evidence)},
                      {"because", text(row.because)}});
    }
    return {{"what", text(timings.what)}, {"rows", std::move(rows)}};
  }

  json operator()(const CheckExhibit& check) const {
    json items = json::array();
    for (const CheckExhibit::Item& item : check.items) items.push_back(of_item(item));
    return {{"passed", check.passed()}, {"items", std::move(items)}};
  }

  json operator()(const TextExhibit& exhibit) const {
    return {{"text", text(exhibit.text)}, {"code", exhibit.code}};
  }

  json operator()(const SpacesExhibit& spaces) const {
    const auto known = [](const auto& figure) { return figure ? json(*figure) : json(nullptr); };
    const auto share = [](const std::optional<double>& figure) {
      return figure ? json_number(*figure) : json(nullptr);
    };
    json rows = json::array();
    for (const SpacesExhibit::Row& row : spaces.rows) {
      rows.push_back({{"space", name_of(row.space)},
                      {"bytes", row.bytes != 0 ? json(row.bytes) : json(nullptr)},
                      {"latency", row.latency != 0 ? json_number(row.latency) : json(nullptr)},
                      {"estimated", row.estimated},
                      {"requests", known(row.requests)},
                      {"asked", known(row.asked)},
                      {"moved", known(row.moved)},
                      {"passes", known(row.passes)},
                      {"stored", known(row.stored)}});
    }
    return {{"kernel", json_text(spaces.kernel)},
            {"gpu", json_text(spaces.gpu)},
            {"registers", known(spaces.registers)},
            {"spilled_bytes", known(spaces.spilled_bytes)},
            {"machine_local", known(spaces.machine_local)},
            {"local_bytes", spaces.local_bytes},
            {"shared_bytes", spaces.shared_bytes},
            {"l1_hits", share(spaces.l1_hits)},
            {"l2_hits", share(spaces.l2_hits)},
            {"rows", std::move(rows)},
            {"journey", spaces.journey ? journey(*spaces.journey) : json(nullptr)}};
  }

  [[nodiscard]] json journey(const SpacesExhibit::Journey& way) const {
    const auto known = [](const auto& figure) { return figure ? json(*figure) : json(nullptr); };
    json stations = json::array();
    for (const SpacesExhibit::Station& station : way.stations) {
      stations.push_back({{"box", name_of(station.box)},
                          {"says", text(station.says)},
                          {"cost", text(station.cost)},
                          {"line", station.line},
                          {"block", known(station.block)},
                          {"thread", known(station.thread)}});
    }
    return {{"name", json_text(way.name)},     {"value", json_text(way.value)},
            {"stations", std::move(stations)}, {"readers", way.readers},
            {"requests", way.requests},        {"sectors", way.sectors}};
  }

  json operator()(const StackExhibit& stack) const {
    json parts = json::array(), fits = json::array();
    for (const StackExhibit::Part& part : stack.parts) {
      json found = json::array();
      for (const std::string& one : part.found) found.push_back(json_text(one));
      parts.push_back({{"id", json_text(part.id)},
                       {"name", text(part.name)},
                       {"side", name_of(part.side)},
                       {"state", name_of(part.state)},
                       {"found", std::move(found)},
                       {"problem", json_text(problem_of(part, english))},
                       {"remedy", json_text(part.remedy)}});
    }
    for (const StackExhibit::Fit& fit : stack.fits) {
      fits.push_back({{"part", json_text(fit.part)},
                      {"with", json_text(fit.with)},
                      {"fits", fit.fits},
                      {"text", text(fit.text)}});
    }
    return {{"parts", std::move(parts)},
            {"fits", std::move(fits)},
            {"gpu_usable", stack.gpu_usable},
            {"when", json_text(stack.when)}};
  }

  json operator()(const CurveExhibit& curve) const {
    json series = json::array();
    for (std::size_t s = 0; s < curve.series.size(); ++s) {
      const CurveExhibit::Series& one = curve.series[s];
      json values = json::array();
      for (std::uint64_t p = 0; p < held(one.values); ++p)
        values.push_back(json_element(one.values, p));
      series.push_back({{"name", text(one.name)},
                        {"values", std::move(values)},
                        {"slope", one.slope ? json(*one.slope) : json(nullptr)},
                        {"nans", one.nans},
                        {"infinities", one.infinities}});
    }
    json x = json::array();
    for (std::uint64_t p = 0; p < points_of(curve); ++p) x.push_back(json_element(curve.x, p));
    return {{"variable", json_text(variable_name(curve, english))},
            {"elements", curve.elements},
            {"element", curve.element},
            {"x", std::move(x)},
            {"series", std::move(series)},
            {"chosen", curve.chosen < points_of(curve) ? json(curve.chosen) : json(nullptr)}};
  }

  json operator()(const AlgorithmsExhibit& algorithms) const {
    json groups = json::array();
    for (const AlgorithmsExhibit::Group& group : algorithms.groups) {
      json rows = json::array();
      for (const AlgorithmsExhibit::Row& row : group.rows) rows.push_back(of_row(row));
      groups.push_back({{"name", text(group.name)},
                        {"evidence", group.evidence ? json_of(*group.evidence) : json(nullptr)},
                        {"description", json_text(group.description)},
                        {"rows", std::move(rows)},
                        {"left_out", group.left_out},
                        {"refused", group.refused},
                        {"over_cap", group.over_cap},
                        {"cap", group.cap},
                        {"untimed", text(group.untimed)},
                        {"error", group.error ? to_json(*group.error) : json(nullptr)}});
    }
    return {{"problem", text(algorithms.problem)}, {"groups", std::move(groups)}};
  }

  json operator()(const RooflineExhibit& roofline) const {
    const auto roofs = [](const std::vector<RooflineExhibit::Roof>& all) {
      json made = json::array();
      for (const RooflineExhibit::Roof& roof : all)
        made.push_back({{"part", json_text(roof.part)}, {"rate", json_number(roof.rate)}});
      return made;
    };
    json points = json::array();
    for (const RooflineExhibit::Point& point : roofline.points) {
      const auto known = [&](double value) {
        return is_drawn(point) ? json_number(value) : json(nullptr);
      };
      points.push_back({{"name", text(point.name)},
                        {"operations", json_number(point.operations)},
                        {"dram_bytes", json_number(point.dram_bytes)},
                        {"l2_bytes", json_number(point.l2_bytes)},
                        {"seconds", json_number(point.seconds)},
                        {"low", json_number(point.low)},
                        {"high", json_number(point.high)},
                        {"ceiling", point.ceiling},
                        {"limiter", json_text(point.limiter)},
                        {"intensity", known(intensity_of(point))},
                        {"rate", known(rate_of(point))},
                        {"roof", known(roof_over(roofline, point))}});
    }
    return {{"gpu", json_text(roofline.gpu)},
            {"memories", roofs(roofline.memories)},
            {"ceilings", roofs(roofline.ceilings)},
            {"points", std::move(points)},
            {"chosen", roofline.chosen}};
  }

  json operator()(const ComparisonExhibit& comparison) const {
    return json_of(comparison, english);
  }

  json operator()(const SlidingWindowExhibit& window) const {
    const auto sizes = sizes_of(window);
    json outputs = json::array();
    for (const SlidingWindowExhibit::Output& output : window.outputs) {
      const SlidingWindowRead read = sizes ? read_of(window, *sizes, output) : SlidingWindowRead{};
      outputs.push_back({{"element", output.element},
                         {"value", json_number(output.value)},
                         {"wrong", output.wrong},
                         {"block", output.block},
                         {"thread", output.thread},
                         {"inputs", output.inputs},
                         {"weights", output.weights},
                         {"missing", read.missing},
                         {"astray", read.astray},
                         {"padding", read.padding},
                         {"pairing", name_of(read.pairing)}});
    }
    return {{"input", (*this)(window.input)},
            {"weights", (*this)(window.weights)},
            {"channels_last", window.channels_last},
            {"filters", window.filters},
            {"out_rows", window.out_rows},
            {"out_columns", window.out_columns},
            {"stride", window.stride},
            {"pad", window.pad},
            {"dilation", window.dilation},
            {"outputs", std::move(outputs)},
            {"chosen", window.chosen},
            {"cut", window.cut}};
  }

 private:
  static json of_row(const AlgorithmsExhibit::Row& row) {
    const auto known = [](const std::optional<double>& value) {
      return value ? json_number(*value) : json(nullptr);
    };
    json notes = json::array(), time = nullptr;
    for (const std::string& note : row.notes) notes.push_back(json_text(note));
    if (row.time) {
      time = {{"seconds", json_number(row.time->seconds)},
              {"low", json_number(row.time->low)},
              {"high", json_number(row.time->high)},
              {"samples", row.time->samples}};
    }
    return {{"name", json_text(row.name)},
            {"settings", json_text(row.settings)},
            {"origin", json_text(row.origin)},
            {"workspace_bytes", row.workspace},
            {"notes", std::move(notes)},
            {"time", std::move(time)},
            {"not_done_after", known(row.stopped)},
            {"off", known(row.off)}};
  }

  json of_item(const CheckExhibit::Item& item) const {
    json cases = json::array(), mismatches = json::array();
    for (const CheckExhibit::Case& one : item.cases) {
      cases.push_back({{"name", json_text(one.name)}, {"passed", one.passed}});
    }
    for (const CheckExhibit::Mismatch& mismatch : item.mismatches) {
      mismatches.push_back({{"index", mismatch.index},
                            {"expected", json_text(mismatch.expected)},
                            {"got", json_text(mismatch.got)},
                            {"written_by", json_text(mismatch.written_by)}});
    }
    return {{"id", json_text(item.id)},        {"state", name_of(item.state)},
            {"sentence", text(item.sentence)}, {"got", text(item.got)},
            {"advice", text(item.advice)},     {"line", item.line},
            {"cases", std::move(cases)},       {"mismatches", std::move(mismatches)}};
  }
};

json inputs_json(const Inputs& inputs) {
  json values = json::object(), sources = json::object();
  for (const auto& [name, value] : inputs.values.all()) {
    json& place = values[valid_utf8(name)];
    std::visit(
        [&](const auto& held) {
          using Held = std::decay_t<decltype(held)>;
          if constexpr (std::is_same_v<Held, std::string>)
            place = json_text(held);
          else if constexpr (std::is_same_v<Held, double>)
            place = json_number(held);
          else
            place = held;
        },
        value);
  }
  for (const auto& [slot, source] : inputs.sources) sources[valid_utf8(slot)] = json_text(source);
  return {{"values", std::move(values)},
          {"sources", std::move(sources)},
          {"gpu", json_text(inputs.gpu)},
          {"device", json_text(inputs.device)},
          {"seed", inputs.seed}};
}

}  // namespace

json to_json(const device::Error& error) {
  json arguments = json::object();
  for (const auto& [name, value] : error.arguments) arguments[valid_utf8(name)] = json_text(value);
  return {{"code", device::name_of(error.code)},
          {"text", json_text(error.english())},
          {"arguments", std::move(arguments)},
          {"place", error.place == device::SourcePlace{} ? json(nullptr) : json_of(error.place)}};
}

json to_json(const Exhibit& exhibit, const Strings& english) {
  return {{"id", json_text(exhibit.id)},
          {"kind", kind_of(exhibit)},
          {"title", json_text(english(exhibit.title))},
          {"sentence", sentence(exhibit, english)},
          {"evidence", exhibit.evidence ? json_of(*exhibit.evidence) : json(nullptr)},
          {"value", std::visit(ToJson{english}, exhibit.value)}};
}

json to_json(const Report& report, const Strings& english) {
  json exhibits = json::array(), errors = json::array();
  for (const Exhibit& exhibit : report.exhibits) exhibits.push_back(to_json(exhibit, english));
  for (const device::Error& error : report.errors) errors.push_back(to_json(error));
  return {{"form", "warpbook-report"},
          {"version", 1},
          {"subject", json_text(report.subject)},
          {"inputs", inputs_json(report.inputs)},
          {"inputs_hash", hash_text(report.inputs_hash)},
          {"device", json_text(report.device)},
          {"when", json_text(report.when)},
          {"compile_seconds", json_number(report.compile_seconds)},
          {"run_seconds", json_number(report.run_seconds)},
          {"exhibits", std::move(exhibits)},
          {"errors", std::move(errors)}};
}

}  // namespace warpbook::lab
