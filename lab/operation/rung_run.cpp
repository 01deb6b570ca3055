// A rung run by name: names to sizes, buffers between canaries, its launches in their order.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "lab/experiment/guarded_buffer.hpp"
#include "lab/operation/operation.hpp"
#include "lab/operation/rung_launch.hpp"
#include "lab/text/source_text.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::Argument;
using device::ErrorCode;
using Names = std::map<std::string, std::int64_t>;
using ParameterKind = Operation::Parameter::Kind;

void check_input(const GuardedBuffer& buffer, const Operation::Parameter& parameter,
                 const std::vector<std::byte>& before, const std::string& kernel) {
  const std::vector<std::byte> after = buffer.copy_out();
  if (after == before) return;
  const std::size_t size = device::size_of(parameter.type);
  std::uint64_t changed = 0, first = 0;
  for (std::size_t i = 0; i < after.size(); i += size) {
    if (std::equal(after.begin() + static_cast<std::ptrdiff_t>(i),
                   after.begin() + static_cast<std::ptrdiff_t>(i + size),
                   before.begin() + static_cast<std::ptrdiff_t>(i))) {
      continue;
    }
    if (changed++ == 0) first = i / size;
  }
  throw ExperimentFailed{{ErrorCode::input_changed,
                          {{"kernel", kernel},
                           {"name", parameter.name},
                           {"count", std::to_string(changed)},
                           {"index", std::to_string(first)}},
                          {}},
                         {}};
}

/// One run: what it needs of names, buffers and the compiled file.
class Run {
 public:
  Run(Lab& lab, const Rung& rung, const Operation& operation, const RungArguments& arguments)
      : lab_(lab),
        rung_(rung),
        operation_(operation),
        arguments_(arguments),
        scalars_(all_scalars(operation, arguments.scalars)),
        names_(names_of(rung, scalars_)) {}

  RungResult run() {
    allocate();
    RungResult result;
    for (const RungLaunch& launch : rung_.launches) {
      if (auto record = this->launch(launch)) result.records.push_back(std::move(record));
    }
    collect(result);
    return result;
  }

 private:
  void allocate() {
    const std::string toml = "kernels/" + operation_.name + "/operation.toml";
    for (const Operation::Parameter& parameter : operation_.parameters) {
      if (parameter.kind == ParameterKind::scalar) continue;
      // Shapes are of the operation, whatever a rung names.
      shapes_[parameter.name] =
          shape_of(parameter.shape, parameter.type, scalars_, parameter.name, toml);
      GuardedBuffer& buffer =
          add(parameter.name, parameter.type,
              parameter.kind == ParameterKind::input || arguments_.fill_with_nan);
      if (parameter.kind == ParameterKind::input) copy_input(parameter, buffer);
    }
    for (const Workspace& workspace : rung_.workspaces) {
      if (buffers_.contains(workspace.name))
        refuse_rung("workspace-name", {{"name", workspace.name}}, rung_.path);
      shapes_[workspace.name] =
          shape_of(workspace.shape, workspace.type, names_, workspace.name, rung_.path);
      add(workspace.name, workspace.type, arguments_.fill_with_nan);
    }
    for (const std::string& name : rung_.zero) {
      const auto found = buffers_.find(name);
      if (found == buffers_.end()) refuse_rung("zero", {{"name", name}}, rung_.path);
      found->second.fill(std::byte{0});
    }
  }

  GuardedBuffer& add(const std::string& name, device::ElementType type, bool fill) {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shapes_[name]) count *= extent;
    types_[name] = type;
    return buffers_.try_emplace(name, lab_, name, type, count, arguments_.offset, fill)
        .first->second;
  }

  void copy_input(const Operation::Parameter& parameter, GuardedBuffer& buffer) {
    const auto given = arguments_.inputs.find(parameter.name);
    if (given == arguments_.inputs.end() || given->second.size() != buffer.bytes()) {
      const auto bytes = [](std::uint64_t size) { return toml_phrase("bytes", {{"bytes", size}}); };
      throw ExperimentFailed{
          {ErrorCode::bad_value,
           {{"key", parameter.name},
            {"what", operation_.name},
            {"got", given == arguments_.inputs.end() ? toml_phrase("absent")
                                                     : bytes(given->second.size())},
            {"expected", bytes(buffer.bytes())}},
           {}},
          {}};
    }
    buffer.copy_in(given->second);
  }

  std::shared_ptr<const device::LaunchRecord> launch(const RungLaunch& said) {
    std::optional<device::Launch> launch = sized_launch(rung_, said, names_);
    if (!launch) return nullptr;
    if (!module_) {
      module_ = arguments_.module ? arguments_.module : compile_rung(lab_, rung_, scalars_);
      fill_constants();
    }
    launch->module = module_;
    launch->estimate = arguments_.estimate;
    launch->observe.trace_accesses = arguments_.trace_accesses;
    launch->budget = arguments_.budget;
    const device::KernelInfo& kernel = *require(module_->kernel(said.kernel));
    for (const RungArgument& argument :
         arguments_of(operation_, rung_, said, kernel, names_, arguments_.real_scalars))
      launch->arguments.push_back(value_of(argument));
    return lab_.launch(std::move(*launch), Printing::shown, arguments_.checking);
  }

  void fill_constants() {
    for (const auto& [symbol, name] : rung_.constants) {
      const auto given = arguments_.inputs.find(name);
      if (given == arguments_.inputs.end()) refuse_rung("constant", {{"name", name}}, rung_.path);
      const device::AllocationInfo variable = require(lab_.device().global(*module_, symbol));
      if (given->second.size() > variable.bytes) {
        refuse_rung("constant-bytes",
                    {{"symbol", symbol},
                     {"has", variable.bytes},
                     {"name", name},
                     {"bytes", given->second.size()}},
                    rung_.path);
      }
      if (given->second.empty()) continue;
      const device::CopyTicket copied = lab_.device().copy_in(variable.address, given->second);
      if (const auto& done = copied.wait(); !done) throw ExperimentFailed{done.error(), {}};
    }
  }

  Argument value_of(const RungArgument& argument) const {
    switch (argument.kind) {
      case RungArgument::Kind::real:
        return real_argument(argument.type, arguments_.real_scalars.at(argument.name));
      case RungArgument::Kind::buffer:
        return Argument::pointer(buffers_.at(argument.name).address() +
                                 argument.elements * device::size_of(types_.at(argument.name)));
      case RungArgument::Kind::fixed: break;
    }
    return argument.value;
  }

  void collect(RungResult& result) const {
    const std::string kernel =
        rung_.launches.front().kernel.empty() ? operation_.name : rung_.launches.front().kernel;
    for (const auto& [name, buffer] : buffers_) {
      if (auto damage = buffer.damage(kernel)) throw ExperimentFailed{std::move(*damage), {}};
    }
    for (const Operation::Parameter& parameter : operation_.parameters) {
      if (parameter.kind == ParameterKind::scalar) continue;
      const GuardedBuffer& buffer = buffers_.at(parameter.name);
      if (parameter.kind == ParameterKind::input) {
        check_input(buffer, parameter, arguments_.inputs.at(parameter.name), kernel);
      } else {
        result.outputs[parameter.name] = {
            parameter.name, parameter.type, shapes_.at(parameter.name), buffer.copy_out(), {}};
      }
    }
  }

  Lab& lab_;
  const Rung& rung_;
  const Operation& operation_;
  const RungArguments& arguments_;
  Names scalars_, names_;
  std::map<std::string, std::vector<std::uint64_t>> shapes_;
  std::map<std::string, device::ElementType> types_;
  std::map<std::string, GuardedBuffer> buffers_;
  std::shared_ptr<const device::Module> module_;
};

}  // namespace

const Rung& rung_named(const Operation& operation, std::string_view name) {
  std::vector<std::string> known;
  for (const Rung& rung : operation.rungs) {
    if (rung.name == name) return rung;
    known.push_back(rung.name);
  }
  throw ExperimentFailed{
      {ErrorCode::unknown_name,
       {{"kind", device::Message{"phrase.kind.rung", {{"name", operation.name}}, {}}},
        {"name", std::string(name)},
        {"known", listed(known)}},
       {}},
      {}};
}

namespace {

device::CompileRequest request_of(Lab& lab, const Rung& rung, const Names& scalars, bool cubin) {
  device::CompileRequest request;
  request.name = std::filesystem::path(rung.path).filename().string();
  request.source = require(read_source_file(lab.context().root, rung.path));
  request.architecture = lab.device().properties().compute_capability;
  request.defines = defines_of(rung, scalars);
  request.cubin = cubin;
  return request;
}

}  // namespace

std::shared_ptr<const device::Module> compile_rung(Lab& lab, const Rung& rung, const Names& scalars,
                                                   bool cubin) {
  return require(lab.device().load(lab.program(request_of(lab, rung, scalars, cubin))));
}

void compile_rung_soon(Lab& lab, const Rung& rung, const Names& scalars, bool cubin) {
  lab.compile_soon(request_of(lab, rung, scalars, cubin));
}

RungResult run_rung(Lab& lab, const Rung& rung, const Operation& operation,
                    const RungArguments& arguments) {
  return Run(lab, rung, operation, arguments).run();
}

RungResult run_rung(Lab& lab, const Operation& operation, std::string_view name,
                    const RungArguments& arguments) {
  return run_rung(lab, rung_named(operation, name), operation, arguments);
}

}  // namespace warpbook::lab
