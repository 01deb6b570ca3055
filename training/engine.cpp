#include "training/engine.hpp"

#include <algorithm>
#include <stdexcept>

#include "lab/text/source_text.hpp"

namespace warpbook::training {

using lab::ExperimentFailed;
using lab::require;

namespace {

/// So many launches wait at most: each keeps its record until it is looked at.
constexpr std::size_t kMostPending = 4096;

}  // namespace

/// An operation at a size: its launches with everything in place but addresses and real numbers.
struct Engine::Plan {
  struct Step {
    device::Launch launch;
    std::vector<lab::RungArgument> arguments;
  };
  struct Workspace {
    std::string name;
    device::ElementType type = device::ElementType::f32;
    Extents shape;
  };
  /// A variable in constant memory, into which an input is copied before the launches.
  struct Constant {
    device::AllocationInfo variable;
    std::string buffer;
  };
  std::string operation, kernel_file;
  std::vector<Step> steps;
  std::vector<Constant> constants;
  std::vector<Workspace> workspaces;
  std::vector<std::string> zero;
};

Engine::Engine(lab::Lab& lab)
    : lab_(lab),
      memory_(std::make_shared<Memory>(lab.context().device, [this] { wait_for_launches(); })),
      checks_(lab.context().checks),
      budget_(lab.context().budget) {}

Engine::~Engine() {
  // What is queued uses memory that the tensors are about to give back.
  for (const Pending& pending : pending_) (void)pending.ticket.wait();
}

Tensor Engine::empty(const std::string& name, const Extents& shape, device::ElementType type) {
  std::string whole = layer_.empty() ? "" : layer_ + ".";
  if (pass_ == Pass::backward) whole += "backward.";
  Tensor tensor;
  tensor.storage =
      memory_->allocate(whole + name, type, static_cast<std::uint64_t>(count_of(shape)));
  tensor.type = type;
  tensor.shape = shape;
  tensor.strides = row_major(shape);
  return tensor;
}

Tensor Engine::zeros(const std::string& name, const Extents& shape) {
  const Tensor tensor = empty(name, shape);
  fill_with_zeros(tensor);
  return tensor;
}

void Engine::fill_with_zeros(const Tensor& tensor) {
  lab::wait_for(lab_.device().fill(
      tensor.address(), std::byte{0},
      static_cast<std::uint64_t>(tensor.count()) * device::size_of(tensor.type)));
}

Tensor Engine::constant(float value) {
  const auto known = constants_.find(value);
  if (known != constants_.end()) return known->second;
  const LayerScope no_layer(*this, "");
  return constants_[value] = upload("constant " + lab::number(value), {1}, {value});
}

void Engine::copy(const Tensor& to, const Tensor& from) {
  if (to.count() != from.count() || to.type != from.type || !to.contiguous() || !from.contiguous())
    throw std::logic_error("what is copied to " + to.name() + " has another size or strides");
  const auto bytes = static_cast<std::uint64_t>(from.count()) * device::size_of(from.type);
  if (bytes != 0) lab::wait_for(lab_.device().copy(to.address(), from.address(), bytes));
}

void Engine::copy_in(const Tensor& to, std::span<const std::byte> bytes) {
  if (bytes.size() != static_cast<std::size_t>(to.count()) * device::size_of(to.type))
    throw std::logic_error("what is copied to " + to.name() + " has another size");
  if (!bytes.empty()) lab::wait_for(lab_.device().copy_in(to.address(), bytes));
}

void Engine::copy_out(const Tensor& from, std::span<std::byte> bytes) {
  finish();
  if (!bytes.empty()) lab::wait_for(lab_.device().copy_out(bytes, from.address()));
}

Tensor Engine::contiguous(const Tensor& tensor) {
  return tensor.contiguous() ? tensor : copied(tensor, "contiguous");
}

Tensor Engine::copied(const Tensor& tensor, const std::string& name) {
  const Tensor dense = empty(name, tensor.shape, tensor.type);
  const Extents d = as_four(tensor.shape, 1), x = as_four(tensor.strides, 0);
  Sizes sizes;
  for (std::size_t axis = 0; axis < kMostAxes; ++axis) {
    sizes["d" + std::to_string(axis)] = d[axis];
    sizes["x" + std::to_string(axis)] = x[axis];
  }
  run("strided_copy", {{"x", &tensor}, {"out", &dense}}, sizes);
  return dense;
}

void Engine::run(std::string_view operation, const Operands& operands, const Sizes& sizes,
                 const Reals& reals) {
  const Plan& plan = plan_of(std::string(operation), sizes, reals);
  std::vector<Tensor> workspaces;
  std::map<std::string_view, const Tensor*> buffers(operands.begin(), operands.end());
  workspaces.reserve(plan.workspaces.size());
  for (const Plan::Workspace& workspace : plan.workspaces) {
    workspaces.push_back(empty(plan.operation + "." + workspace.name, workspace.shape,
                               workspace.type));
    buffers[workspace.name] = &workspaces.back();
  }
  for (const std::string& name : plan.zero) fill_with_zeros(*buffers.at(name));
  fill_constants(plan, buffers);
  for (const Plan::Step& step : plan.steps) {
    device::Launch launch = step.launch;
    for (const lab::RungArgument& argument : step.arguments) {
      switch (argument.kind) {
        case lab::RungArgument::Kind::buffer: {
          const Tensor& tensor = *buffers.at(argument.name);
          launch.arguments.push_back(device::Argument::pointer(
              tensor.address() + argument.elements * device::size_of(tensor.type)));
          break;
        }
        case lab::RungArgument::Kind::real:
          launch.arguments.push_back(
              lab::real_argument(argument.type, reals.at(argument.name)));
          break;
        case lab::RungArgument::Kind::fixed: launch.arguments.push_back(argument.value); break;
      }
    }
    this->launch(plan.operation, plan.kernel_file, std::move(launch));
  }
}

void Engine::fill_constants(const Plan& plan,
                            const std::map<std::string_view, const Tensor*>& buffers) {
  for (const Plan::Constant& constant : plan.constants) {
    const auto found = buffers.find(constant.buffer);
    if (found == buffers.end())
      lab::refuse_rung("constant", {{"name", constant.buffer}}, plan.kernel_file);
    const Tensor& tensor = *found->second;
    const auto bytes = static_cast<std::uint64_t>(tensor.count()) * device::size_of(tensor.type);
    if (bytes > constant.variable.bytes) {
      lab::refuse_rung("constant-bytes",
                       {{"symbol", constant.variable.name},
                        {"has", constant.variable.bytes},
                        {"name", constant.buffer},
                        {"bytes", bytes}},
                       plan.kernel_file);
    }
    if (bytes != 0)
      lab::wait_for(lab_.device().copy(constant.variable.address, tensor.address(), bytes));
  }
}

const lab::Operation& Engine::operation_named(const std::string& name) {
  const auto known = operations_.find(name);
  if (known != operations_.end()) return known->second;
  return operations_[name] = require(lab::load_operation(lab_.context().root, name));
}

std::shared_ptr<const device::Module> Engine::module_of(const lab::Rung& rung,
                                                        const Sizes& defines) {
  std::shared_ptr<const device::Module>& module = modules_[{rung.path, defines}];
  // The estimates of times need the cubin.
  if (!module)
    module = lab::compile_rung(lab_, rung, defines, lab_.device().properties().simulated);
  return module;
}

const Engine::Plan& Engine::plan_of(const std::string& operation, const Sizes& sizes,
                                    const Reals& reals) {
  std::unique_ptr<Plan>& plan = plans_[{operation, sizes}];
  if (!plan) plan = make_plan(operation, sizes, reals);
  return *plan;
}

std::unique_ptr<Engine::Plan> Engine::make_plan(const std::string& name, const Sizes& given,
                                                const Reals& reals) {
  const lab::Operation& operation = operation_named(name);
  Sizes sizes = lab::all_scalars(operation, given);
  const auto own = own_sources_.find(name);
  const bool ours = own == own_sources_.end();
  const KernelChoice choice = ours ? choose_kernel(name, sizes) : KernelChoice{};
  const lab::Rung& rung = ours ? lab::rung_named(operation, choice.rung) : own->second.rung;
  sizes.insert(choice.defines.begin(), choice.defines.end());
  const Sizes names = lab::names_of(rung, sizes);

  auto plan = std::make_unique<Plan>();
  plan->operation = name;
  plan->kernel_file = rung.path;
  plan->zero = rung.zero;
  for (const lab::Workspace& workspace : rung.workspaces) {
    const auto shape =
        lab::shape_of(workspace.shape, workspace.type, names, workspace.name, rung.path);
    plan->workspaces.push_back(
        {workspace.name, workspace.type, Extents(shape.begin(), shape.end())});
  }
  for (const lab::RungLaunch& said : rung.launches) {
    std::optional<device::Launch> launch = lab::sized_launch(rung, said, names);
    if (!launch) continue;
    launch->module = ours ? module_of(rung, choice.defines) : own->second.module;
    const device::KernelInfo& kernel = *require(launch->module->kernel(said.kernel));
    plan->steps.push_back(
        {std::move(*launch), lab::arguments_of(operation, rung, said, kernel, names, reals)});
  }
  if (plan->steps.empty()) return plan;
  for (const auto& [symbol, buffer] : rung.constants) {
    const device::Module& module = *plan->steps.front().launch.module;
    plan->constants.push_back({require(lab_.device().global(module, symbol)), buffer});
  }
  return plan;
}

device::Launch Engine::observed(device::Launch launch) const {
  const lab::Lab::Context& context = lab_.context();
  launch.stop = context.stop;
  launch.budget = budget_;
  launch.memo = context.memo;
  static_cast<device::Checks&>(launch.observe) = checks_;
  launch.observe.counters = observing_.costs || observing_.records;
  launch.observe.trace_accesses = observing_.trace_accesses;
  launch.estimate.wanted = observing_.costs && lab_.device().properties().simulated;
  return launch;
}

void Engine::launch(const std::string& operation, const std::string& kernel_file,
                    device::Launch launch) {
  if (lab_.cancelled()) throw ExperimentFailed{{device::ErrorCode::cancelled, {}, {}}, {}};
  if (pending_.size() >= kMostPending) finish();
  const std::size_t noted = launches_.size();
  if (observing_.costs || observing_.records)
    launches_.push_back({layer_, pass_, operation, kernel_file, nullptr});
  launch = observed(std::move(launch));
  if (observing_.in_report)
    note(noted, lab_.launch(std::move(launch)));
  else
    pending_.push_back({lab_.device().launch(std::move(launch)), noted});
  memory_->set_launch(++launched_);
}

void Engine::use_source(const std::string& operation, const std::string& rung,
                        const std::string& source) {
  const lab::Rung& ours = lab::rung_named(operation_named(operation), rung);
  use_rung(operation, ours, lab_.compile_source(operation + ".cu", source, ours.defines));
}

void Engine::use_slot(const std::string& operation, const std::string& rung,
                      const std::string& slot) {
  const lab::Rung& ours = lab::rung_named(operation_named(operation), rung);
  use_rung(operation, ours, lab_.compile(slot, ours.defines));
}

void Engine::use_rung(const std::string& operation, lab::Rung rung,
                      std::shared_ptr<const device::Module> module) {
  own_sources_[operation] = {std::move(rung), std::move(module)};
  std::erase_if(plans_, [&](const auto& plan) { return plan.first.first == operation; });
}

void Engine::wait_for_launches() const {
  if (!pending_.empty()) (void)pending_.back().ticket.wait();
}

void Engine::finish() {
  const std::vector<Pending> pending = std::exchange(pending_, {});
  // All are waited for first: what still runs may use tensors of whoever catches what is thrown below. The last one ends last, so that
  // mostly there is a single wait, and a wait costs the processor that others could use a short while.
  if (!pending.empty()) (void)pending.back().ticket.wait();
  for (const Pending& launch : pending) (void)launch.ticket.wait();
  for (const Pending& launch : pending) settle(launch);
}

void Engine::settle(const Pending& pending) {
  const auto& arrived = pending.ticket.wait();
  if (!arrived) throw ExperimentFailed{arrived.error(), {}};
  const device::LaunchRecord& record = **arrived;
  if (record.error) throw ExperimentFailed{*record.error, {}};
  if (!record.findings.empty()) throw ExperimentFailed{record.findings.front().error, {}};
  note(pending.noted, *arrived);
}

void Engine::note(std::size_t number, const std::shared_ptr<const device::LaunchRecord>& record) {
  if (number >= launches_.size()) return;
  NotedLaunch& noted = launches_[number];
  if (observing_.costs) add_cost(noted, *record);
  if (observing_.records) noted.record = record;
}

void Engine::add_cost(const NotedLaunch& noted, const device::LaunchRecord& record) {
  const auto same = std::ranges::find_if(costs_, [&](const OperationCost& cost) {
    return cost.layer == noted.layer && cost.pass == noted.pass &&
           cost.operation == noted.operation && cost.kernel == noted.kernel_file;
  });
  OperationCost& cost =
      same != costs_.end()
          ? *same
          : costs_.emplace_back(
                OperationCost{noted.layer, noted.pass, noted.operation, noted.kernel_file});
  ++cost.launches;
  cost.warp_instructions += record.total.warp_instructions;
  cost.bytes += record.total.global_sectors * device::kSectorBytes;
  if (!record.estimate) return;
  cost.seconds += record.estimate->seconds;
  cost.low += record.estimate->low;
  cost.high += record.estimate->high;
}

void Engine::observe(const Observing& observing) {
  finish();
  observing_ = observing;
  first_noted_ = launched_;
  launches_.clear();
  costs_.clear();
  memory_->note_lifetimes();
}

}  // namespace warpbook::training
