#include "lab/ladder/recorded_times.hpp"

#include <utility>

#include "device/records/record.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/ladder/ladder.hpp"
#include "lab/operation/kernel_inputs.hpp"
#include "lab/operation/operation.hpp"
#include "lab/text/source_text.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;

/// What a launch may take on a slow computer before it is stopped, in seconds.
constexpr double kPatience = 20;

std::optional<device::Record> record_of(Lab& lab) {
  if (!lab.device().properties().simulated) return std::nullopt;
  auto record = device::find_record(lab.context().root, lab.device().properties().name);
  if (!record && record.error().code == ErrorCode::no_record) return std::nullopt;
  return require(std::move(record));
}

/// Its launches at that size, as a run of the whole grid estimates them.
std::optional<TimingsExhibit::Row> estimated_row(Lab& lab, const Operation& operation,
                                                 const Rung& rung, const MadeInputs& inputs) {
  RungArguments arguments;
  arguments.scalars = operation.ladder.scalars;
  arguments.real_scalars = operation.ladder.real_scalars;
  arguments.inputs = inputs.bytes;
  arguments.module = compile_rung(lab, rung, arguments.scalars, true);
  arguments.estimate.wanted = true;
  arguments.trace_accesses = 0;
  arguments.budget.seconds = kPatience;
  const auto estimate = estimate_of(run_rung(lab, rung, operation, arguments).records);
  if (!estimate) return std::nullopt;
  return TimingsExhibit::Row{Message::plain(rung.name),
                             estimate->seconds,
                             estimate->low,
                             estimate->high,
                             estimate->low,
                             1,
                             estimate->evidence,
                             {}};
}

TimingsExhibit::Row recorded_row(const Rung& rung, const device::RecordedTime& time,
                                 const device::Evidence& evidence) {
  return {Message::plain(rung.name),
          time.median,
          time.p20,
          time.p80,
          time.minimum,
          time.samples,
          evidence,
          {}};
}

void show(Lab& lab, const std::string& name) {
  const auto record = record_of(lab);
  if (!record) return;
  const Operation operation = require(load_operation(lab.context().root, name));
  const MadeInputs inputs = make_inputs(operation, operation.ladder, InputKind::normal);
  TimingsExhibit times{
      {"ladder.recorded.what", {{"operation", name}, {"size", operation.ladder.text()}}, {}}, {}};
  for (const Rung& rung : operation.rungs) {
    const std::string source = require(read_source_file(lab.context().root, rung.path));
    const auto* recorded = record->rung(name, rung.name, operation.ladder.text(), source);
    if (!recorded) continue;
    if (auto row = estimated_row(lab, operation, rung, inputs))
      times.rows.push_back(std::move(*row));
    times.rows.push_back(recorded_row(rung, recorded->time, record->evidence()));
  }
  if (times.rows.empty()) return;
  lab.show({"recorded-" + name,
            {"ladder.recorded.title", {{"operation", name}}, {}},
            std::nullopt,
            std::move(times)});
}

}  // namespace

Lab::Part recorded_times(const std::string& operation) {
  return remembered({.name = "recorded/" + operation, .fixed = true, .run = [operation](Lab& lab) {
                       show(lab, operation);
                     }});
}

}  // namespace warpbook::lab
