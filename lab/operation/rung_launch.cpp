#include "lab/operation/rung_launch.hpp"

#include <algorithm>

#include "lab/operation/rung_block.hpp"

namespace warpbook::lab {
namespace {

using device::Argument;
using device::ErrorCode;
using Names = std::map<std::string, std::int64_t>;
using ParameterKind = Operation::Parameter::Kind;

constexpr std::uint64_t kMostBytes = 64ull << 30;  // of one array; more is a slip in a shape

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
      refuse_rung("extent", {{"expression", texts[i]}, {"value", value}}, path, line);
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

/// The type of a parameter as PTX declares it: "u32", "s64", "f32".
device::ElementType type_of(const device::ParameterInfo& parameter) {
  device::ElementType type = device::ElementType::i32;
  std::string spelled = parameter.type;
  if (!spelled.empty() && spelled[0] == 's') spelled[0] = 'i';
  device::parse_element_type(spelled, type);
  return type;
}

bool names_buffer(const Operation& operation, const Rung& rung, const std::string& name) {
  const Operation::Parameter* parameter = operation.parameter(name);
  return (parameter && parameter->kind != ParameterKind::scalar) ||
         std::ranges::any_of(rung.workspaces, [&](const auto& own) { return own.name == name; });
}

RungArgument fixed(Argument value) {
  RungArgument argument;
  argument.value = std::move(value);
  return argument;
}

RungArgument buffer(const std::string& name, std::int64_t elements) {
  RungArgument argument;
  argument.kind = RungArgument::Kind::buffer;
  argument.name = name;
  argument.elements = static_cast<std::uint64_t>(elements);
  return argument;
}

RungArgument real(const Operation::Parameter& parameter) {
  RungArgument argument;
  argument.kind = RungArgument::Kind::real;
  argument.name = parameter.name;
  argument.type = parameter.type;
  return argument;
}

/// An argument that is one of the operation's own parameters.
RungArgument parameter_argument(const Operation& operation, const Operation::Parameter& parameter,
                                const Names& names, const std::map<std::string, double>& reals) {
  if (parameter.kind != ParameterKind::scalar) return buffer(parameter.name, 0);
  if (reals.contains(parameter.name)) return real(parameter);
  const auto integer = names.find(parameter.name);
  if (integer != names.end()) return fixed(integer_argument(parameter.type, integer->second));
  throw ExperimentFailed{{ErrorCode::missing_key,
                          {{"what", operation.name},
                           {"key", parameter.name},
                           {"known", device::Message{"phrase.operation.every-scalar", {}, {}}}},
                          {}},
                         {}};
}

}  // namespace

void refuse_rung(std::string_view name, device::MessageArguments arguments, const std::string& path,
                 std::uint32_t line) {
  device::Message why{"phrase.rung." + std::string(name), std::move(arguments), {}};
  throw ExperimentFailed{{ErrorCode::bad_rung, {{"why", std::move(why)}}, {path, line, 0}}, {}};
}

/// The given scalars and the computed ones.
Names all_scalars(const Operation& operation, const Names& given) {
  Names scalars = given;
  if (auto error = add_values(operation, scalars)) throw ExperimentFailed{std::move(*error), {}};
  return scalars;
}

std::vector<std::pair<std::string, std::string>> defines_of(const Rung& rung,
                                                            const Names& scalars) {
  std::vector<std::pair<std::string, std::string>> defines = rung.defines;
  for (auto& [name, value] : defines) {
    const auto overridden = scalars.find(name);
    if (overridden != scalars.end()) value = std::to_string(overridden->second);
  }
  return defines;
}

std::optional<device::Launch> sized_launch(const Rung& rung, const RungLaunch& said,
                                           const Names& rung_names) {
  device::Launch launch;
  launch.kernel = said.kernel;
  launch.block = extent_of(said.block, rung_names, rung.path, said.line);
  Names names = rung_names;
  name_block(launch.block, names);
  launch.grid = extent_of(said.grid, names, rung.path, said.line);
  if (launch.grid.count() == 0) return std::nullopt;
  if (!said.shared.empty()) {
    launch.dynamic_shared =
        static_cast<std::uint32_t>(value_of(said.shared, names, rung.path, said.line));
  }
  return launch;
}

std::vector<RungArgument> arguments_of(const Operation& operation, const Rung& rung,
                                       const RungLaunch& said, const device::KernelInfo& kernel,
                                       const Names& rung_names,
                                       const std::map<std::string, double>& reals) {
  std::vector<RungArgument> arguments;
  if (said.line == 0) {
    for (const Operation::Parameter& parameter : operation.parameters)
      arguments.push_back(parameter_argument(operation, parameter, rung_names, reals));
    return arguments;
  }
  if (said.arguments.size() != kernel.parameters.size()) {
    refuse_rung("arguments",
                {{"kernel", said.kernel},
                 {"takes", kernel.parameters.size()},
                 {"given", said.arguments.size()}},
                rung.path, said.line);
  }
  Names names = rung_names;
  name_block(extent_of(said.block, rung_names, rung.path, said.line), names);
  for (std::size_t i = 0; i < said.arguments.size(); ++i) {
    const std::string& text = said.arguments[i];
    const std::size_t plus = text.find('+');
    std::string name = text.substr(0, plus);
    name.erase(std::min(name.find_last_not_of(' ') + 1, name.size()));
    const Operation::Parameter* scalar = operation.parameter(text);
    if (names_buffer(operation, rung, name)) {
      arguments.push_back(buffer(
          name,
          plus == text.npos ? 0 : value_of(text.substr(plus + 1), names, rung.path, said.line)));
    } else if (scalar && reals.contains(text)) {
      arguments.push_back(real(*scalar));
    } else {
      arguments.push_back(fixed(integer_argument(type_of(kernel.parameters[i]),
                                                 value_of(text, names, rung.path, said.line))));
    }
  }
  return arguments;
}

Argument real_argument(device::ElementType type, double value) {
  if (type == device::ElementType::f32) return Argument::of(static_cast<float>(value));
  if (type == device::ElementType::f64) return Argument::of(value);
  return integer_argument(type, static_cast<std::int64_t>(value));
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

}  // namespace warpbook::lab
