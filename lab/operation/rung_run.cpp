// A rung run by name: names to sizes, buffers between canaries, its launches in their order.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "lab/experiment/guarded_buffer.hpp"
#include "lab/operation/operation.hpp"
#include "lab/operation/rung_block.hpp"
#include "lab/text/source_text.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::Argument;
using device::ErrorCode;
using Names = std::map<std::string, std::int64_t>;
using ParameterKind = Operation::Parameter::Kind;

constexpr std::uint64_t kMostBytes = 64ull << 30;  // of one array; more is a slip in a shape

/// Throws bad_rung, for the reason phrase.rung.NAME.
[[noreturn]] void refuse(std::string_view name, device::MessageArguments arguments,
                         const std::string& path, std::uint32_t line = 0) {
  device::Message why{"phrase.rung." + std::string(name), std::move(arguments), {}};
  throw ExperimentFailed{{ErrorCode::bad_rung, {{"why", std::move(why)}}, {path, line, 0}}, {}};
}

std::int64_t value_of(const std::string& expression, const Names& names, const std::string& path,
                      std::uint32_t line = 0) {
  auto value = evaluate(expression, names);
  if (value) return *value;
  device::Error error = value.error();
  error.place.file = path;
  error.place.line = line;
  throw ExperimentFailed{std::move(error), {}};
}

device::Dim3 extent_of(const std::string& expressions, const Names& names, const std::string& path,
                       std::uint32_t line) {
  device::Dim3 extent;
  std::uint32_t* const parts[] = {&extent.x, &extent.y, &extent.z};
  const std::vector<std::string> texts = split_expressions(expressions);
  for (std::size_t i = 0; i < texts.size() && i < 3; ++i) {
    const std::int64_t value = value_of(texts[i], names, path, line);
    if (value < 0 || value > UINT32_MAX)
      refuse("extent", {{"expression", texts[i]}, {"value", value}}, path, line);
    *parts[i] = static_cast<std::uint32_t>(value);
  }
  return extent;
}

void name_block(const device::Dim3& block, Names& names) {
  names["block"] = names["block_x"] = block.x;
  names["block_y"] = block.y;
  names["block_z"] = block.z;
}

Argument integer_argument(device::ElementType type, std::int64_t value) {
  using device::ElementType;
  switch (type) {
    case ElementType::f32: return Argument::of(static_cast<float>(value));
    case ElementType::f64: return Argument::of(static_cast<double>(value));
    case ElementType::i64: return Argument::of(value);
    case ElementType::u64: return Argument::of(static_cast<std::uint64_t>(value));
    case ElementType::u32: return Argument::of(static_cast<std::uint32_t>(value));
    case ElementType::i16: return Argument::of(static_cast<std::int16_t>(value));
    case ElementType::u16: return Argument::of(static_cast<std::uint16_t>(value));
    case ElementType::i8: return Argument::of(static_cast<std::int8_t>(value));
    case ElementType::u8: return Argument::of(static_cast<std::uint8_t>(value));
    default: return Argument::of(static_cast<std::int32_t>(value));
  }
}

/// A scalar of any type, from the integer or the real that was given for it.
Argument scalar_argument(const Operation::Parameter& parameter, const RungArguments& arguments,
                         const Names& scalars, const std::string& operation) {
  const auto real = arguments.real_scalars.find(parameter.name);
  if (real != arguments.real_scalars.end()) {
    if (parameter.type == device::ElementType::f32)
      return Argument::of(static_cast<float>(real->second));
    if (parameter.type == device::ElementType::f64) return Argument::of(real->second);
    return integer_argument(parameter.type, static_cast<std::int64_t>(real->second));
  }
  const auto integer = scalars.find(parameter.name);
  if (integer != scalars.end()) return integer_argument(parameter.type, integer->second);
  throw ExperimentFailed{{ErrorCode::missing_key,
                          {{"what", operation},
                           {"key", parameter.name},
                           {"known", device::Message{"phrase.operation.every-scalar", {}, {}}}},
                          {}},
                         {}};
}

/// The type of a parameter as PTX declares it: "u32", "s64", "f32".
device::ElementType type_of(const device::ParameterInfo& parameter) {
  device::ElementType type = device::ElementType::i32;
  std::string spelled = parameter.type;
  if (!spelled.empty() && spelled[0] == 's') spelled[0] = 'i';
  device::parse_element_type(spelled, type);
  return type;
}

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

/// The given scalars and the computed ones.
Names all_scalars(const Operation& operation, const Names& given) {
  Names scalars = given;
  if (auto error = add_values(operation, scalars)) throw ExperimentFailed{std::move(*error), {}};
  return scalars;
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
        refuse("workspace-name", {{"name", workspace.name}}, rung_.path);
      shapes_[workspace.name] =
          shape_of(workspace.shape, workspace.type, names_, workspace.name, rung_.path);
      add(workspace.name, workspace.type, arguments_.fill_with_nan);
    }
    for (const std::string& name : rung_.zero) {
      const auto found = buffers_.find(name);
      if (found == buffers_.end()) refuse("zero", {{"name", name}}, rung_.path);
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
    device::Launch launch;
    launch.kernel = said.kernel;
    launch.block = extent_of(said.block, names_, rung_.path, said.line);
    Names names = names_;
    name_block(launch.block, names);
    launch.grid = extent_of(said.grid, names, rung_.path, said.line);
    if (launch.grid.count() == 0) return nullptr;
    if (!said.shared.empty()) {
      launch.dynamic_shared =
          static_cast<std::uint32_t>(value_of(said.shared, names, rung_.path, said.line));
    }
    if (!module_) {
      module_ = arguments_.module ? arguments_.module : compile_rung(lab_, rung_, scalars_);
      fill_constants();
    }
    launch.module = module_;
    launch.estimate.wanted = arguments_.estimate;
    launch.budget = arguments_.budget;
    const device::KernelInfo& kernel = *require(module_->kernel(said.kernel));
    if (said.line == 0) {
      for (const Operation::Parameter& parameter : operation_.parameters)
        launch.arguments.push_back(argument(parameter));
    } else {
      if (said.arguments.size() != kernel.parameters.size()) {
        refuse("arguments",
               {{"kernel", said.kernel},
                {"takes", kernel.parameters.size()},
                {"given", said.arguments.size()}},
               rung_.path, said.line);
      }
      for (std::size_t i = 0; i < said.arguments.size(); ++i)
        launch.arguments.push_back(
            argument(said.arguments[i], kernel.parameters[i], names, said.line));
    }
    return lab_.launch(std::move(launch));
  }

  void fill_constants() {
    for (const auto& [symbol, name] : rung_.constants) {
      const auto given = arguments_.inputs.find(name);
      if (given == arguments_.inputs.end()) refuse("constant", {{"name", name}}, rung_.path);
      const device::AllocationInfo variable = require(lab_.device().global(*module_, symbol));
      if (given->second.size() > variable.bytes) {
        refuse("constant-bytes",
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

  Argument argument(const Operation::Parameter& parameter) const {
    if (parameter.kind == ParameterKind::scalar)
      return scalar_argument(parameter, arguments_, scalars_, operation_.name);
    return Argument::pointer(buffers_.at(parameter.name).address());
  }

  Argument argument(const std::string& text, const device::ParameterInfo& declared,
                    const Names& names, std::uint32_t line) const {
    const std::size_t plus = text.find('+');
    std::string name = text.substr(0, plus);
    name.erase(std::min(name.find_last_not_of(' ') + 1, name.size()));
    const auto buffer = buffers_.find(name);
    if (buffer != buffers_.end()) {
      const std::int64_t elements =
          plus == text.npos ? 0 : value_of(text.substr(plus + 1), names, rung_.path, line);
      return Argument::pointer(buffer->second.address() + static_cast<std::uint64_t>(elements) *
                                                              device::size_of(types_.at(name)));
    }
    const Operation::Parameter* scalar = operation_.parameter(text);
    if (scalar && arguments_.real_scalars.contains(text))
      return scalar_argument(*scalar, arguments_, scalars_, operation_.name);
    return integer_argument(type_of(declared), value_of(text, names, rung_.path, line));
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

std::vector<std::pair<std::string, std::string>> defines_of(const Rung& rung,
                                                            const Names& scalars) {
  std::vector<std::pair<std::string, std::string>> defines = rung.defines;
  for (auto& [name, value] : defines) {
    const auto overridden = scalars.find(name);
    if (overridden != scalars.end()) value = std::to_string(overridden->second);
  }
  return defines;
}

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

Names names_of(const Rung& rung, const Names& scalars) {
  Names names = scalars;
  for (const auto& [define, value] : defines_of(rung, scalars))
    names[define] = value_of(value, {}, rung.path);
  name_block(extent_of(rung.launches.front().block, names, rung.path, rung.launches.front().line),
             names);
  for (const auto& [name, expression] : rung.lets)
    names[name] = value_of(expression, names, rung.path);
  return names;
}

std::vector<std::uint64_t> shape_of(const std::vector<std::string>& shape, device::ElementType type,
                                    const Names& names, const std::string& what,
                                    const std::string& file) {
  std::vector<std::uint64_t> extents;
  std::uint64_t bytes = device::size_of(type);
  for (const std::string& expression : shape) {
    const std::int64_t extent = value_of(expression, names, file);
    if (extent < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes) ||
        bytes > kMostBytes) {
      throw ExperimentFailed{
          {ErrorCode::bad_value,
           {{"key", "shape"},
            {"what", what},
            {"got", expression + " = " + std::to_string(extent)},
            {"expected", device::Message{"phrase.operation.shape-extents", {}, {}}}},
           {file, 0, 0}},
          {}};
    }
    extents.push_back(static_cast<std::uint64_t>(extent));
  }
  return extents;
}

bool admits(const Rung& rung, const Names& scalars) {
  if (rung.only.empty()) return true;
  const Names names = names_of(rung, scalars);
  return std::ranges::all_of(rung.only, [&](const std::string& condition) {
    return value_of(condition, names, rung.path) != 0;
  });
}

std::shared_ptr<const device::Module> compile_rung(Lab& lab, const Rung& rung, const Names& scalars,
                                                   bool cubin) {
  device::CompileRequest request;
  request.name = std::filesystem::path(rung.path).filename().string();
  request.source = require(read_source_file(lab.context().root, rung.path));
  request.architecture = lab.device().properties().compute_capability;
  request.defines = defines_of(rung, scalars);
  request.cubin = cubin;
  auto program = lab.context().compiler->compile(request, lab.context().stop);
  if (!program) throw ExperimentFailed{program.error().error, program.error().diagnostics};
  return require(lab.device().load(*program));
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
