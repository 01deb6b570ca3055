#include "lab/ladder/ladder_json.hpp"

#include "lab/markup/json.hpp"
#include "lab/render/render.hpp"

namespace warpbook::lab {
namespace {

LadderDocument::Check check_of(const LadderRow& row, const Strings& english) {
  LadderDocument::Check check{row.verdict.passed(), row.failed_at, {}, {}};
  for (const KernelFailure& failure : row.verdict.failures)
    check.failures.push_back(
        {failure.caught, failure.inputs, sentence(failure, english), failure.error});
  for (const Deviation& output : row.verdict.deviations)
    check.outputs.push_back({output.name, output.tolerance, output.elements, output.bad,
                             output.relative_l2, output.worst, output.worst_error});
  return check;
}

LadderDocument::Run run_of(const LadderRow& row, const Strings& english) {
  LadderDocument::Run run;
  run.number = static_cast<std::uint32_t>(row.rung.number);
  run.name = row.rung.name;
  run.file = row.rung.path;
  run.idea = row.rung.idea;
  run.check = check_of(row, english);
  run.counters = row.total;
  for (const auto& record : row.verdict.records)
    run.launches.push_back({record->kernel, record->grid, record->block, record->static_shared,
                            record->dynamic_shared, record->total});
  run.registers = row.registers;
  run.bytes = row.bytes;
  run.flops = row.flops;
  run.estimate = row.estimate;
  run.record = row.record;
  return run;
}

LadderDocument document_of(const Ladder& ladder, const Strings& english) {
  LadderDocument document;
  document.operation = ladder.operation;
  for (const auto& [name, value] : ladder.size.scalars) document.size[name] = value;
  for (const auto& [name, value] : ladder.size.real_scalars) document.size[name] = value;
  document.defines = ladder.defines;
  document.also_checked = ladder.also;
  document.device = english(ladder.gpu);
  document.counted = {device::EvidenceKind::counted, ladder.gpu, {}};
  document.passed = ladder.passed();
  for (const LadderRow& row : ladder.rows) {
    if (row.left_out.empty())
      document.rungs.emplace_back(run_of(row, english));
    else
      document.rungs.emplace_back(
          LadderDocument::LeftOut{static_cast<std::uint32_t>(row.rung.number), row.rung.name,
                                  row.rung.path, row.rung.idea, english(row.left_out)});
  }
  document.libraries_tolerance = ladder.libraries_tolerance;
  return document;
}

}  // namespace

nlohmann::json to_json(const Ladder& ladder, const Strings& english) {
  nlohmann::json document = JsonWriter()(document_of(ladder, english));
  document["form"] = "warpbook-ladder";
  document["version"] = LadderDocument::kVersion;
  document["libraries"] =
      ladder.libraries ? to_json(libraries_of(ladder), english) : nlohmann::json(nullptr);
  return document;
}

}  // namespace warpbook::lab
