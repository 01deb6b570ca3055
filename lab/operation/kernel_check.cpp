#include "lab/operation/kernel_check.hpp"

#include <algorithm>
#include <functional>

#include "lab/operation/kernel_inputs.hpp"
#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using ParameterKind = Operation::Parameter::Kind;

constexpr std::uint64_t kInstructions = 20'000'000'000;  // of one launch; a hang ends there
constexpr double kSeconds = 120;                         // ... or there

Caught caught_by(ErrorCode code) {
  const std::string_view name = device::name_of(code);
  if (name.starts_with("race_")) return Caught::race;
  switch (code) {
    case ErrorCode::out_of_bounds_read:
    case ErrorCode::out_of_bounds_write:
    case ErrorCode::out_of_bounds_atomic:
    case ErrorCode::wild_access:
    case ErrorCode::null_access:
    case ErrorCode::use_after_free:
    case ErrorCode::misaligned_access:
    case ErrorCode::shared_out_of_bounds:
    case ErrorCode::local_out_of_bounds: return Caught::bounds;
    case ErrorCode::uninitialised_read:
    case ErrorCode::uninitialised_register:
    case ErrorCode::missing_lane:
    case ErrorCode::async_not_waited: return Caught::uninitialised;
    case ErrorCode::barrier_mismatch:
    case ErrorCode::barrier_divergent:
    case ErrorCode::barrier_passed_by:
    case ErrorCode::barrier_apart:
    case ErrorCode::barrier_count:
    case ErrorCode::barrier_mixed:
    case ErrorCode::sync_mask_mismatch:
    case ErrorCode::warp_incomplete:
    case ErrorCode::lanes_disagree:
    case ErrorCode::deadlock: return Caught::barrier;
    case ErrorCode::canary_damaged: return Caught::canary;
    case ErrorCode::input_changed: return Caught::input;
    default: return Caught::other;
  }
}

/// Failures that say nothing about the kernel.
bool is_not_of_kernel(ErrorCode code) {
  switch (code) {
    case ErrorCode::cancelled:
    case ErrorCode::compiler_missing:
    case ErrorCode::compiler_died:
    case ErrorCode::worker_failed:
    case ErrorCode::worker_protocol:
    case ErrorCode::out_of_memory:
    case ErrorCode::no_device:
    case ErrorCode::file_unreadable:
    case ErrorCode::bad_rung:
    case ErrorCode::bad_expression:
    case ErrorCode::bad_value:
    case ErrorCode::missing_key: return true;
    default: return false;
  }
}

class Check {
 public:
  Check(Lab& lab, const Operation& operation, const Rung& rung, const OperationCase& size,
        std::shared_ptr<const device::Module> module, bool estimate)
      : lab_(lab),
        operation_(operation),
        rung_(rung),
        size_(size),
        module_(std::move(module)),
        estimate_(estimate) {
    reference_ = find_reference(operation.name);
    if (!reference_) {
      throw ExperimentFailed{{ErrorCode::unknown_name,
                              {{"kind", device::Message{"phrase.kind.reference", {}, {}}},
                               {"name", operation.name},
                               {"known", device::Message{"phrase.operation.references", {}, {}}}},
                              {}},
                             {}};
    }
    if (!rung.depth.empty()) depth_ = depth();
  }

  KernelVerdict run() {
    if (!module_) {
      try {
        module_ = compile_rung(lab_, rung_, size_.scalars);
      } catch (const ExperimentFailed& failed) {
        fail(failed, "");
        return std::move(verdict_);
      }
    }
    const auto any_real = [&](auto&& test) {
      return std::ranges::any_of(operation_.parameters, [&](const auto& p) {
        return p.kind == ParameterKind::input &&
               (p.type == device::ElementType::f32 || p.type == device::ElementType::f64) &&
               test(p);
      });
    };
    const bool real = any_real([](const auto&) { return true; });
    if (operation_.exact) check(InputKind::integers, !real);
    if (real || !operation_.exact) check(InputKind::normal, true);
    if (any_real([](const auto& p) { return !p.edges.empty(); })) check(InputKind::edges, false);
    return std::move(verdict_);
  }

 private:
  std::int64_t depth() const {
    const auto value = evaluate(rung_.depth, names_of(rung_, size_.scalars));
    if (value) return *value;
    device::Error error = value.error();
    error.place.file = rung_.path;
    throw ExperimentFailed{std::move(error), {}};
  }

  void fail(const ExperimentFailed& failed, std::string inputs) {
    if (is_not_of_kernel(failed.error.code)) throw failed;
    verdict_.failures.push_back(
        {caught_by(failed.error.code), std::move(inputs), failed.error, {}, {}, 0});
  }

  /// Runs once; findings become failures, one for each kind of them.
  std::optional<RungResult> run_once(const MadeInputs& inputs, const std::string& said, bool fill) {
    RungArguments arguments;
    arguments.scalars = size_.scalars;
    arguments.real_scalars = size_.real_scalars;
    arguments.inputs = inputs.bytes;
    arguments.offset = size_.offset;
    arguments.fill_with_nan = fill;
    arguments.estimate.wanted = estimate_ && verdict_.records.empty();
    arguments.module = module_;
    try {
      RungResult result = run_rung(lab_, rung_, operation_, arguments);
      for (const auto& record : result.records) {
        if (record->error) note(*record->error, said);
        for (const device::Finding& finding : record->findings) note(finding.error, said);
      }
      if (verdict_.records.empty()) verdict_.records = result.records;
      return result;
    } catch (const ExperimentFailed& failed) {
      fail(failed, said);
      return std::nullopt;
    }
  }

  void note(const device::Error& error, const std::string& inputs) {
    const auto same = [&](const KernelFailure& other) {
      return other.error && other.error->code == error.code && other.inputs == inputs &&
             other.error->place.line == error.place.line;
    };
    if (std::ranges::any_of(verdict_.failures, same)) return;
    verdict_.failures.push_back({caught_by(error.code), inputs, error, {}, {}, 0});
  }

  void check(InputKind kind, bool repeat) {
    const std::string said(name_of(kind));
    const MadeInputs inputs = make_inputs(operation_, size_, kind);
    const auto first = run_once(inputs, said, true);
    if (!first) return;
    const Truths truths = reference_(inputs.given);
    verdict_.deviations.clear();
    for (const auto& [name, output] : first->outputs) {
      Deviation result = deviation(output, truths.at(name), tolerance_of(name, kind), depth_);
      if (!result.passed()) verdict_.failures.push_back({Caught::values, said, {}, result, {}, 0});
      verdict_.deviations.push_back(std::move(result));
    }
    if (!repeat) return;
    const auto second = run_once(inputs, said, false);
    if (!second || rung_.float_atomics) return;
    for (const auto& [name, output] : first->outputs)
      compare(output, second->outputs.at(name), said);
  }

  void compare(const TensorExhibit& first, const TensorExhibit& second, const std::string& inputs) {
    if (first.data == second.data) return;
    const std::size_t width = device::size_of(first.type);
    std::uint64_t differing = 0;
    for (std::size_t i = 0; i < first.data.size(); i += width) {
      if (!std::equal(first.data.begin() + static_cast<std::ptrdiff_t>(i),
                      first.data.begin() + static_cast<std::ptrdiff_t>(i + width),
                      second.data.begin() + static_cast<std::ptrdiff_t>(i)))
        ++differing;
    }
    verdict_.failures.push_back({Caught::repeat, inputs, {}, {}, first.name, differing});
  }

  Tolerance tolerance_of(const std::string& output, InputKind kind) const {
    const Operation::Parameter& parameter = *operation_.parameter(output);
    const std::string& own =
        parameter.tolerance.empty() ? operation_.tolerance : parameter.tolerance;
    Tolerance tolerance = *parse_tolerance(rung_.tolerance.empty() ? own : rung_.tolerance);
    if (tolerance.kind == Tolerance::Kind::bitwise) return tolerance;
    if (kind == InputKind::integers) return {Tolerance::Kind::absolute, 0, 0, "exact"};
    if (tolerance.kind == Tolerance::Kind::sum && rung_.depth.empty()) {
      throw ExperimentFailed{{ErrorCode::bad_rung,
                              {{"why", device::Message{"phrase.rung.sum-depth", {}, {}}}},
                              {rung_.path, 1, 0}},
                             {}};
    }
    return tolerance;
  }

  Lab& lab_;
  const Operation& operation_;
  const Rung& rung_;
  const OperationCase& size_;
  std::shared_ptr<const device::Module> module_;
  bool estimate_;
  Reference reference_ = nullptr;
  std::int64_t depth_ = 0;
  KernelVerdict verdict_;
};

}  // namespace

bool KernelVerdict::caught(Caught by) const {
  return std::ranges::any_of(failures, [&](const auto& failure) { return failure.caught == by; });
}

std::string sentence(const KernelFailure& failure, const Strings& strings) {
  const std::string inputs =
      failure.inputs.empty() ? "" : strings("kernel-check.inputs." + failure.inputs);
  if (failure.error) {
    return inputs.empty() ? strings(*failure.error)
                          : strings("kernel-check.finding",
                                    {{"inputs", inputs}, {"finding", strings(*failure.error)}});
  }
  if (!failure.deviation) {
    return strings(
        "kernel-check.repeat",
        {{"inputs", inputs}, {"name", failure.output}, {"count", grouped(failure.differing)}});
  }
  const Deviation& d = *failure.deviation;
  std::string text = strings(d.allowed_l2 < 0 ? "kernel-check.values" : "kernel-check.norm",
                             {{"inputs", inputs},
                              {"name", d.name},
                              {"bad", grouped(d.bad)},
                              {"elements", grouped(d.elements)},
                              {"tolerance", d.tolerance},
                              {"norm", number(d.relative_l2, 3)},
                              {"allowed", number(d.allowed_l2, 3)},
                              {"worst", std::to_string(d.worst)},
                              {"error", number(d.worst_error, 3)}});
  for (const Deviation::Element& element : d.first) {
    text += "\n" + strings("kernel-check.element", {{"name", d.name},
                                                    {"index", std::to_string(element.index)},
                                                    {"got", number(element.got, 9)},
                                                    {"expected", number(element.expected, 9)}});
  }
  return text;
}

device::Expected<std::unique_ptr<Lab>> checking_lab(std::shared_ptr<device::Compiler> compiler,
                                                    const std::string& root, const std::string& gpu,
                                                    std::stop_token stop,
                                                    const device::Checks& checks) {
  static const Inputs no_inputs;
  auto device = device::open_device("simulator", gpu);
  if (!device) return tl::unexpected(device.error());
  Lab::Context context;
  context.device = std::move(*device);
  context.compiler = std::move(compiler);
  context.inputs = &no_inputs;
  context.root = root;
  context.stop = std::move(stop);
  context.budget.thread_instructions = kInstructions;
  context.budget.seconds = kSeconds;
  context.checks = checks;
  context.perturb_approximations = true;
  return std::make_unique<Lab>(std::move(context));
}

KernelVerdict check_rung(Lab& lab, const Operation& operation, const Rung& rung,
                         const OperationCase& size, std::shared_ptr<const device::Module> module,
                         bool estimate) {
  return Check(lab, operation, rung, size, std::move(module), estimate).run();
}

}  // namespace warpbook::lab
