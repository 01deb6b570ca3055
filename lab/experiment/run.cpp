#include <algorithm>
#include <new>

#include "device/launch_memo.hpp"
#include "lab/experiment/beside_gpu.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/text/host.hpp"
#include "lab/text/source_text.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;

// Ten times what the largest lesson needs. A loop that every lane runs meets the first bound within a second; one lane
// alone is slower than that and meets the clock.
constexpr std::uint64_t kLessonInstructions = 400'000'000;
constexpr double kLessonSeconds = 2;
constexpr std::uint64_t kLessonOutput = 1u << 20;    // bytes of printf
constexpr std::uint64_t kLessonMemory = 2ull << 30;  // bytes

device::Expected<Values> completed_values(const Lesson& lesson, const Values& given) {
  Values values = defaults(lesson.parameters);
  for (const auto& [name, value] : given.all()) {
    const auto parameter =
        std::find_if(lesson.parameters.begin(), lesson.parameters.end(),
                     [&](const Parameter& candidate) { return candidate.name == name; });
    if (parameter == lesson.parameters.end()) {
      std::vector<std::string> known;
      for (const Parameter& each : lesson.parameters) known.push_back(each.name);
      return device::failure(ErrorCode::unknown_name,
                             {{"kind", device::Message{"phrase.kind.parameter", {}, {}}},
                              {"name", name},
                              {"known", listed(known)}});
    }
    // A picture's file is read by the run: where it is gone by now, the lesson shows its own and the report says why.
    if (parameter->type == Parameter::Type::picture && std::holds_alternative<std::string>(value)) {
      values.set(name, value);
      continue;
    }
    auto checked = parse(*parameter, to_text(value));
    if (!checked) return tl::unexpected(checked.error());
    // The text of a real may be rounded: the value itself is kept where it already has the parameter's type.
    values.set(name, checked->index() == value.index() ? value : *checked);
  }
  return values;
}

/// What the experiment shows on the context's device, as far as it comes.
Report run_on_device(const Lesson& lesson, Lab::Context context) {
  Lab lab(std::move(context));
  std::optional<Error> ended;
  try {
    lesson.experiment(lab);
  } catch (const ExperimentFailed& failed) {
    ended = failed.error;
  } catch (const std::bad_alloc&) {
    // Parts that run side by side have a device each.
    ended = device::no_address_space(lab.context().device->properties());
  }
  Report made = lab.take_report();
  if (ended) made.errors.push_back(std::move(*ended));
  return made;
}

/// The same of a GPU, and of a simulated one that says what the GPU does not.
Report run_beside_gpu(const Lesson& lesson, Lab::Context context) {
  Lab::Context on_gpu = context;
  on_gpu.progress = {};
  on_gpu.published = {};
  const Report measured = run_on_device(lesson, std::move(on_gpu));

  const device::Properties beside = simulated_beside(context.device->properties());
  context.device = device::make_simulated_device(beside);
  Inputs inputs = *context.inputs;
  if (device::find_gpu(beside.name)) inputs.gpu = beside.name;
  context.inputs = &inputs;
  return with_gpu(run_on_device(lesson, std::move(context)), measured);
}

}  // namespace

const std::shared_ptr<device::LaunchMemo>& launches_of_before() {
  static const auto memo = std::make_shared<device::LaunchMemo>(kMostLaunchBytes);
  return memo;
}

device::Expected<Inputs> completed(const Lesson& lesson, const Inputs& inputs,
                                   const std::string& root) {
  Inputs all = inputs;
  auto values = completed_values(lesson, inputs.values);
  if (!values) return tl::unexpected(values.error());
  all.values = std::move(*values);

  std::vector<std::string> slots;
  for (const SourceSlot& slot : lesson.slots) slots.push_back(slot.name);
  for (const auto& [name, text] : inputs.sources) {
    if (std::find(slots.begin(), slots.end(), name) != slots.end()) continue;
    return device::failure(ErrorCode::unknown_name,
                           {{"kind", device::Message{"phrase.kind.source", {}, {}}},
                            {"name", name},
                            {"known", listed(slots)}});
  }
  for (const SourceSlot& slot : lesson.slots) {
    if (all.sources.contains(slot.name)) continue;
    const auto original = read_source_file(root, slot.path);
    if (!original) return tl::unexpected(original.error());
    all.sources[slot.name] = without_rung_block(*original);
  }
  return all;
}

device::Budget lesson_budget() {
  device::Budget budget;
  budget.thread_instructions = kLessonInstructions;
  budget.seconds = kLessonSeconds;
  budget.output_bytes = kLessonOutput;
  budget.memory_bytes = kLessonMemory;
  return budget;
}

Report run(const Lesson& lesson, const Inputs& inputs, std::shared_ptr<device::Compiler> compiler,
           const std::string& root, std::stop_token stop,
           std::function<void(double, const Message&)> progress, const device::Checks& checks,
           bool sass, std::function<void(std::vector<Exhibit>)> published, Draft* draft) {
  Report report;
  report.subject = lesson.slug;
  report.inputs = inputs;
  report.inputs_hash = hash_of(inputs);
  report.when = now_iso();

  auto all = completed(lesson, inputs, root);
  if (!all) {
    report.errors.push_back(all.error());
    return report;
  }
  auto device = device::open_device(all->device, all->gpu);
  if (!device) {
    report.errors.push_back(device.error());
    return report;
  }

  Lab::Context context;
  context.device = std::move(*device);
  context.compiler = std::move(compiler);
  context.inputs = &*all;
  context.slots = lesson.slots;
  context.root = root;
  context.stop = std::move(stop);
  context.progress = std::move(progress);
  context.published = std::move(published);
  context.budget = lesson_budget();
  context.checks = checks;
  context.sass = sass;
  context.memo = launches_of_before();
  context.draft = draft;
  const bool simulated = context.device->properties().simulated;
  Report made = simulated ? run_on_device(lesson, std::move(context))
                          : run_beside_gpu(lesson, std::move(context));
  made.subject = report.subject;
  made.when = report.when;
  made.inputs_hash = hash_of(*all);
  made.inputs = std::move(*all);
  return made;
}

}  // namespace warpbook::lab
