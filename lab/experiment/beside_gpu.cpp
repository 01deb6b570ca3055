#include "lab/experiment/beside_gpu.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "device/records/record.hpp"

namespace warpbook::lab {
namespace {

using device::Error;
using device::EvidenceKind;

/// What the checkers found, of which a GPU has none.
bool is_of_checkers(const CheckExhibit::Item& item) { return item.id.ends_with("safe"); }

bool is_measured(const std::optional<device::Evidence>& evidence) {
  return evidence && evidence->kind == EvidenceKind::measured;
}

/// The times that the GPU's own clock took join those of the simulated run.
void add_times(TimingsExhibit& times, const TimingsExhibit& measured, const Message& gpu) {
  std::ranges::copy_if(
      measured.rows, std::back_inserter(times.rows), [&](const TimingsExhibit::Row& row) {
        return row.evidence.kind == EvidenceKind::measured && row.evidence.on == gpu;
      });
}

/// What only the results decide; none where nothing is left.
std::optional<CheckExhibit> of_results(CheckExhibit check) {
  std::erase_if(check.items, is_of_checkers);
  if (check.items.empty()) return std::nullopt;
  return check;
}

/// The GPU's exhibit as one of its own, beside that of the simulator.
Exhibit beside(const Exhibit& measured, ExhibitValue value) {
  return {measured.id + "-on-gpu",
          {"run.on-gpu", {{"title", measured.title}}, {}},
          measured.evidence,
          std::move(value)};
}

/// Puts what the run on `gpu` shows under the same id into `exhibit`, or gives it to be put after that.
std::optional<Exhibit> merged(Exhibit& exhibit, const Exhibit& measured, const Message& gpu) {
  if (measured.value.index() != exhibit.value.index()) return std::nullopt;
  if (auto* times = std::get_if<TimingsExhibit>(&exhibit.value)) {
    add_times(*times, std::get<TimingsExhibit>(measured.value), gpu);
  } else if (!is_measured(measured.evidence)) {
    return std::nullopt;
  } else if (std::holds_alternative<TensorExhibit>(exhibit.value)) {
    exhibit = measured;
  } else if (const auto* check = std::get_if<CheckExhibit>(&measured.value)) {
    if (auto results = of_results(*check)) return beside(measured, std::move(*results));
  } else if (std::holds_alternative<SchedulesExhibit>(exhibit.value)) {
    return beside(measured, measured.value);
  }
  return std::nullopt;
}

/// What went wrong on the GPU and is not among the simulator's errors, which name line and thread.
std::vector<Error> own_errors(const Report& measured, const std::vector<Error>& counted) {
  std::vector<Error> own;
  std::ranges::copy_if(measured.errors, std::back_inserter(own), [&](const Error& error) {
    return error.code != device::ErrorCode::not_supported &&
           std::ranges::find(counted, error.code, &Error::code) == counted.end();
  });
  return own;
}

}  // namespace

device::Properties simulated_beside(const device::Properties& gpu) {
  device::Properties made = gpu;
  if (const device::Properties* row = device::row_of_gpu(gpu.name)) made = *row;
  made.simulated = true;
  return made;
}

Report with_gpu(Report counted, const Report& measured) {
  Report both = std::move(counted);
  std::vector<Exhibit> exhibits;
  for (Exhibit& exhibit : both.exhibits) {
    std::optional<Exhibit> own;
    if (const Exhibit* same = measured.find(exhibit.id))
      own = merged(exhibit, *same, measured.device);
    exhibits.push_back(std::move(exhibit));
    if (own) exhibits.push_back(std::move(*own));
  }
  both.exhibits = std::move(exhibits);
  std::ranges::move(own_errors(measured, both.errors), std::back_inserter(both.errors));
  both.device = {
      "phrase.device.beside", {{"gpu", measured.device}, {"simulated", both.device}}, {}};
  both.compile_seconds += measured.compile_seconds;
  both.run_seconds += measured.run_seconds;
  return both;
}

}  // namespace warpbook::lab
