#include "lab/operation.hpp"

#include <algorithm>
#include <filesystem>

#include "device/platform.hpp"
#include "lab/guarded_buffer.hpp"
#include "lab/rung_block.hpp"
#include "lab/source_text.hpp"
#include "lab/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
namespace fs = std::filesystem;
using Names = std::map<std::string, std::int64_t>;
using Kind = Operation::Parameter::Kind;

constexpr std::uint64_t kMostBytes = 64ull << 30;  // of one array; more is a slip in a shape

Operation::Parameter read_parameter(const TomlValue& table, TomlReader& outer) {
  TomlReader reader("parameter", table, outer.file());
  Operation::Parameter parameter;
  parameter.name = reader.text("name");
  const std::string kind = reader.text("kind");
  if (kind == "input") {
    parameter.kind = Kind::input;
  } else if (kind == "output") {
    parameter.kind = Kind::output;
  } else if (kind != "scalar" && !kind.empty()) {
    reader.refuse("kind", "\"" + kind + "\"", "\"scalar\", \"input\" or \"output\"");
  }
  const std::string type = reader.text("type");
  if (!type.empty() && !device::parse_element_type(type, parameter.type)) {
    reader.refuse("type", "\"" + type + "\"", "an element type such as \"f32\"");
  }
  parameter.shape = reader.texts("shape");
  if (parameter.kind == Kind::scalar && !parameter.shape.empty())
    reader.refuse("shape", "a scalar's", "nothing");
  if (parameter.kind != Kind::scalar && parameter.shape.empty()) {
    reader.refuse("shape", "absent", "the extents, outermost first: [\"rows\", \"columns\"]");
  }
  if (auto error = reader.finish()) outer.keep(std::move(*error));
  return parameter;
}

device::Expected<std::vector<Rung>> load_rungs(const std::string& root, const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(fs::path(root) / folder, failed)) {
    if (entry.path().extension() == ".cu")
      files.push_back(folder + "/" + entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<Rung> rungs;
  for (const std::string& file : files) {
    const auto source = read_source_file(root, file);
    if (!source) return tl::unexpected(source.error());
    auto rung = parse_rung(file, *source);
    if (!rung) return tl::unexpected(rung.error());
    for (const Rung& other : rungs) {
      if (other.name != rung->name && other.number != rung->number) continue;
      return device::failure(ErrorCode::bad_rung,
                             {{"why", "its number or name is that of " + other.path}},
                             {file, 0, 0});
    }
    rungs.push_back(std::move(*rung));
  }
  return rungs;
}

std::int64_t value_of(const std::string& expression, const Names& names, const std::string& path) {
  auto value = evaluate(expression, names);
  if (value) return *value;
  device::Error error = value.error();
  error.place.file = path;
  throw ExperimentFailed{std::move(error), {}};
}

device::Dim3 extent_of(const std::string& expressions, const Names& names,
                       const std::string& path) {
  device::Dim3 extent;
  std::uint32_t* const parts[] = {&extent.x, &extent.y, &extent.z};
  const std::vector<std::string> texts = split_expressions(expressions);
  for (std::size_t i = 0; i < texts.size() && i < 3; ++i) {
    const std::int64_t value = value_of(texts[i], names, path);
    if (value < 0 || value > UINT32_MAX) {
      throw ExperimentFailed{
          {ErrorCode::bad_rung, {{"why", texts[i] + " is " + std::to_string(value)}}, {path, 0, 0}},
          {}};
    }
    *parts[i] = static_cast<std::uint32_t>(value);
  }
  return extent;
}

std::vector<std::uint64_t> shape_of(const Operation::Parameter& parameter, const Names& names,
                                    const std::string& file) {
  std::vector<std::uint64_t> shape;
  std::uint64_t bytes = device::size_of(parameter.type);
  for (const std::string& expression : parameter.shape) {
    const std::int64_t extent = value_of(expression, names, file);
    if (extent < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes) ||
        bytes > kMostBytes) {
      throw ExperimentFailed{{ErrorCode::bad_value,
                              {{"key", "shape"},
                               {"what", parameter.name},
                               {"got", expression + " = " + std::to_string(extent)},
                               {"expected", "extents of 0 or more that fit the device"}},
                              {file, 0, 0}},
                             {}};
    }
    shape.push_back(static_cast<std::uint64_t>(extent));
  }
  return shape;
}

/// A scalar of any type, from the integer or the real that was given for it.
device::Argument scalar_argument(const Operation::Parameter& parameter,
                                 const RungArguments& arguments, const std::string& operation) {
  using device::ElementType;
  const auto integer = arguments.scalars.find(parameter.name);
  const auto real = arguments.real_scalars.find(parameter.name);
  if (integer == arguments.scalars.end() && real == arguments.real_scalars.end()) {
    throw ExperimentFailed{{ErrorCode::missing_key,
                            {{"what", operation},
                             {"key", parameter.name},
                             {"known", "every scalar of operation.toml"}},
                            {}},
                           {}};
  }
  const std::int64_t whole = integer != arguments.scalars.end()
                                 ? integer->second
                                 : static_cast<std::int64_t>(real->second);
  const double value =
      real != arguments.real_scalars.end() ? real->second : static_cast<double>(whole);
  switch (parameter.type) {
    case ElementType::f32: return device::Argument::of(static_cast<float>(value));
    case ElementType::f64: return device::Argument::of(value);
    case ElementType::i64: return device::Argument::of(whole);
    case ElementType::u64: return device::Argument::of(static_cast<std::uint64_t>(whole));
    case ElementType::u32: return device::Argument::of(static_cast<std::uint32_t>(whole));
    case ElementType::i16: return device::Argument::of(static_cast<std::int16_t>(whole));
    case ElementType::u16: return device::Argument::of(static_cast<std::uint16_t>(whole));
    case ElementType::i8: return device::Argument::of(static_cast<std::int8_t>(whole));
    case ElementType::u8: return device::Argument::of(static_cast<std::uint8_t>(whole));
    default: return device::Argument::of(static_cast<std::int32_t>(whole));
  }
}

void check_input(const GuardedBuffer& buffer, const Operation::Parameter& parameter,
                 const std::vector<std::byte>& before, const std::string& kernel) {
  const std::vector<std::byte> after = buffer.copy_out();
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
  if (changed == 0) return;
  throw ExperimentFailed{{ErrorCode::input_changed,
                          {{"kernel", kernel},
                           {"name", parameter.name},
                           {"count", std::to_string(changed)},
                           {"index", std::to_string(first)}},
                          {}},
                         {}};
}

const Rung& rung_named(const Operation& operation, std::string_view name) {
  std::vector<std::string> known;
  for (const Rung& rung : operation.rungs) {
    if (rung.name == name) return rung;
    known.push_back(rung.name);
  }
  throw ExperimentFailed{{ErrorCode::unknown_name,
                          {{"kind", "rung of " + operation.name},
                           {"name", std::string(name)},
                           {"known", listed(known)}},
                          {}},
                         {}};
}

}  // namespace

device::Expected<Operation> load_operation(const std::string& root, std::string_view name) {
  Operation operation;
  operation.name = name;
  const std::string folder = "kernels/" + operation.name;
  const std::string file = folder + "/operation.toml";
  const auto text = device::read_file(fs::path(root) / file, 1u << 20);
  if (!text) return tl::unexpected(text.error());
  const auto table = parse_toml(*text, file);
  if (!table) return tl::unexpected(table.error());

  TomlReader reader("operation.toml", *table, file);
  operation.tolerance = reader.text("tolerance");
  for (const TomlValue* parameter : reader.tables("parameter")) {
    operation.parameters.push_back(read_parameter(*parameter, reader));
  }
  if (operation.parameters.empty())
    reader.refuse("parameter", "absent", "[[parameter]] once a parameter of the kernel");
  if (auto error = reader.finish()) return tl::unexpected(std::move(*error));

  auto rungs = load_rungs(root, folder);
  if (!rungs) return tl::unexpected(rungs.error());
  operation.rungs = std::move(*rungs);
  return operation;
}

RungResult run_rung(Lab& lab, const Operation& operation, std::string_view name,
                    const RungArguments& arguments) {
  const Rung& rung = rung_named(operation, name);
  const std::string toml = "kernels/" + operation.name + "/operation.toml";

  // Names: the scalars, the defines with what overrides them, and the block's extents once they are known.
  Names names = arguments.scalars;
  std::vector<std::pair<std::string, std::string>> defines;
  for (const auto& [define, initial] : rung.defines) {
    const auto overridden = arguments.scalars.find(define);
    const std::string value =
        overridden == arguments.scalars.end() ? initial : std::to_string(overridden->second);
    names[define] = value_of(value, {}, rung.path);
    defines.emplace_back(define, value);
  }
  device::Launch launch;
  launch.kernel = rung.kernel;
  launch.block = extent_of(rung.block, names, rung.path);
  if (!names.contains("block")) names["block"] = launch.block.x;
  names.insert(
      {{"block_x", launch.block.x}, {"block_y", launch.block.y}, {"block_z", launch.block.z}});
  launch.grid = extent_of(rung.grid, names, rung.path);
  if (!rung.shared.empty()) {
    launch.dynamic_shared = static_cast<std::uint32_t>(value_of(rung.shared, names, rung.path));
  }

  std::map<std::string, GuardedBuffer> buffers;
  std::map<std::string, std::vector<std::uint64_t>> shapes;
  for (const Operation::Parameter& parameter : operation.parameters) {
    if (parameter.kind == Kind::scalar) {
      launch.arguments.push_back(scalar_argument(parameter, arguments, operation.name));
      continue;
    }
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shapes[parameter.name] = shape_of(parameter, names, toml))
      count *= extent;
    GuardedBuffer buffer(lab, parameter.name, parameter.type, count);
    if (parameter.kind == Kind::input) {
      const auto given = arguments.inputs.find(parameter.name);
      if (given == arguments.inputs.end() || given->second.size() != buffer.bytes()) {
        throw ExperimentFailed{{ErrorCode::bad_value,
                                {{"key", parameter.name},
                                 {"what", operation.name},
                                 {"got", given == arguments.inputs.end()
                                             ? "absent"
                                             : std::to_string(given->second.size()) + " bytes"},
                                 {"expected", std::to_string(buffer.bytes()) + " bytes"}},
                                {}},
                               {}};
      }
      buffer.copy_in(given->second);
    }
    launch.arguments.push_back(device::Argument::pointer(buffer.address()));
    buffers.emplace(parameter.name, std::move(buffer));
  }

  RungResult result;
  const std::string kernel = rung.kernel.empty() ? operation.name : rung.kernel;
  if (launch.grid.count() != 0) {
    const std::string source = require(read_source_file(lab.context().root, rung.path));
    launch.module =
        lab.compile_source(fs::path(rung.path).filename().string(), source, std::move(defines));
    result.record = lab.launch(std::move(launch));
  }
  for (const Operation::Parameter& parameter : operation.parameters) {
    if (parameter.kind == Kind::scalar) continue;
    const GuardedBuffer& buffer = buffers.at(parameter.name);
    if (auto damage = buffer.damage(kernel)) throw ExperimentFailed{std::move(*damage), {}};
    if (parameter.kind == Kind::input) {
      check_input(buffer, parameter, arguments.inputs.at(parameter.name), kernel);
    } else {
      result.outputs[parameter.name] = {
          parameter.name, parameter.type, shapes[parameter.name], buffer.copy_out(), {}};
    }
  }
  return result;
}

}  // namespace warpbook::lab
