#include "lab/operation/operation.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "device/platform.hpp"
#include "lab/operation/rung_block.hpp"
#include "lab/operation/tolerance.hpp"
#include "lab/text/files_read.hpp"
#include "lab/text/source_text.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
namespace fs = std::filesystem;
using OperationParameter = Operation::Parameter;
using ParameterKind = OperationParameter::Kind;

/// phrase.operation.NAME
device::Message operation_phrase(std::string_view name, device::MessageArguments arguments = {}) {
  return {"phrase.operation." + std::string(name), std::move(arguments), {}};
}

void read_shape(OperationParameter& parameter, const Operation& operation, TomlReader& reader) {
  const std::string like = reader.optional_text("like");
  const std::string type = reader.optional_text("type");
  parameter.shape = reader.texts("shape");
  if (!like.empty()) {
    const OperationParameter* other = operation.parameter(like);
    if (!other) {
      reader.refuse("like", in_quotes(like), operation_phrase("earlier-parameter"));
    } else if (!type.empty() || !parameter.shape.empty()) {
      reader.refuse("like", operation_phrase("like-beside"), operation_phrase("like-alone"));
    } else {
      parameter.type = other->type;
      parameter.shape = other->shape;
    }
  } else if (!device::parse_element_type(type, parameter.type)) {
    reader.refuse("type", type.empty() ? toml_phrase("absent") : in_quotes(type),
                  operation_phrase("element-type"));
  }
  if (parameter.kind == ParameterKind::scalar && !parameter.shape.empty())
    reader.refuse("shape", operation_phrase("of-scalar"), listed({}));
  if (parameter.kind != ParameterKind::scalar && parameter.shape.empty()) {
    reader.refuse("shape", toml_phrase("absent"),
                  operation_phrase("extents", {{"example", "[\"rows\", \"columns\"]"}}));
  }
}

void check_tolerance(const std::string& text, bool needed, TomlReader& reader) {
  if ((needed || !text.empty()) && !parse_tolerance(text))
    reader.refuse("tolerance", in_quotes(text), tolerance_forms());
}

OperationParameter read_parameter(const TomlValue& table, const Operation& operation,
                                  TomlReader& outer) {
  TomlReader reader("parameter", table, outer.file());
  OperationParameter parameter;
  parameter.name = reader.text("name");
  const std::string kind = reader.text("kind");
  if (kind == "input") {
    parameter.kind = ParameterKind::input;
  } else if (kind == "output") {
    parameter.kind = ParameterKind::output;
  } else if (kind != "scalar" && !kind.empty()) {
    reader.refuse("kind", in_quotes(kind), one_of_quoted({"scalar", "input", "output"}));
  }
  read_shape(parameter, operation, reader);
  const std::vector<std::string> range = reader.texts("range");
  if (range.size() == 2 && parameter.kind == ParameterKind::input) {
    parameter.lowest = range[0];
    parameter.highest = range[1];
  } else if (!range.empty()) {
    reader.refuse("range", operation_phrase("range-texts", {{"number", range.size()}}),
                  operation_phrase("range", {{"example", "[\"0\", \"bins - 1\"]"}}));
  }
  parameter.edges = reader.reals("edges");
  parameter.tolerance = reader.optional_text("tolerance");
  check_tolerance(parameter.tolerance, false, reader);
  parameter.value = reader.optional_text("value");
  if (parameter.kind != ParameterKind::scalar && !parameter.value.empty())
    reader.refuse("value", operation_phrase("of-array"), operation_phrase("value"));
  if (auto error = reader.finish()) outer.keep(std::move(*error));
  return parameter;
}

/// One number of a case into the scalar that it is of.
bool set_scalar(OperationCase& size, const OperationParameter& parameter, const TomlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.value)) {
    if (parameter.type == device::ElementType::f32 || parameter.type == device::ElementType::f64)
      size.real_scalars[parameter.name] = static_cast<double>(*integer);
    else
      size.scalars[parameter.name] = *integer;
    return true;
  }
  const auto* real = std::get_if<double>(&value.value);
  if (!real ||
      (parameter.type != device::ElementType::f32 && parameter.type != device::ElementType::f64)) {
    return false;
  }
  size.real_scalars[parameter.name] = *real;
  return true;
}

/// The cases that one table stands for: as many as its lists are long.
std::vector<OperationCase> read_cases(const TomlValue& table, const std::string& what,
                                      const Operation& operation, TomlReader& outer) {
  TomlReader reader(what, table, outer.file());
  OperationCase common;
  if (what == "case") {
    const std::string label = reader.optional_text("label");
    if (label == "quick") {
      common.label = OperationCase::Label::quick;
    } else if (label == "long") {
      common.label = OperationCase::Label::full;
    } else if (!label.empty() && label != "ci") {
      reader.refuse("label", in_quotes(label), one_of_quoted({"quick", "ci", "long"}));
    }
    const std::int64_t offset = reader.optional_integer("offset").value_or(0);
    if (offset < 0 || offset > 64) {
      reader.refuse("offset", device::Message::plain(std::to_string(offset)),
                    toml_phrase("between", {{"least", 0}, {"most", 64}}));
    }
    common.offset = static_cast<std::uint64_t>(std::clamp<std::int64_t>(offset, 0, 64));
  }
  std::vector<std::pair<const OperationParameter*, const TomlArray*>> lists;
  std::size_t length = 1;
  for (const OperationParameter& parameter : operation.parameters) {
    if (parameter.kind != ParameterKind::scalar || !parameter.value.empty()) continue;
    const TomlValue* value = reader.any(parameter.name);
    if (!value) continue;
    if (const auto* list = std::get_if<TomlArray>(&value->value)) {
      if (!lists.empty() && list->size() != length)
        reader.refuse(parameter.name, operation_phrase("list-length", {{"number", list->size()}}),
                      operation_phrase("equal-lengths"));
      length = list->size();
      lists.emplace_back(&parameter, list);
    } else if (!set_scalar(common, parameter, *value)) {
      reader.refuse(parameter.name, describe(*value), operation_phrase("numbers-of-type"));
    }
  }
  if (auto error = reader.finish()) {
    outer.keep(std::move(*error));
    return {};
  }
  std::vector<OperationCase> cases(length, common);
  for (const auto& [parameter, list] : lists) {
    for (std::size_t i = 0; i < length; ++i) {
      if (set_scalar(cases[i], *parameter, (*list)[i])) continue;
      outer.keep({ErrorCode::bad_value,
                  {{"key", parameter->name},
                   {"what", what},
                   {"got", describe((*list)[i])},
                   {"expected", operation_phrase("number-of-type")}},
                  {outer.file(), (*list)[i].line, 0}});
    }
  }
  for (OperationCase& size : cases) {
    if (auto error = add_values(operation, size.scalars)) {
      outer.keep(std::move(*error));
      return {};
    }
  }
  return cases;
}

}  // namespace

std::string OperationCase::text() const {
  std::vector<std::string> parts;
  for (const auto& [name, value] : scalars) parts.push_back(fmt::format("{} = {}", name, value));
  for (const auto& [name, value] : real_scalars)
    parts.push_back(fmt::format("{} = {}", name, value));
  if (offset != 0) parts.push_back(fmt::format("offset = {}", offset));
  return fmt::format("{}", fmt::join(parts, ", "));
}

const Operation::Parameter* Operation::parameter(std::string_view wanted) const {
  const auto found = std::ranges::find(parameters, wanted, &OperationParameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

std::optional<device::Error> add_values(const Operation& operation,
                                        std::map<std::string, std::int64_t>& scalars) {
  for (const OperationParameter& parameter : operation.parameters) {
    if (parameter.value.empty()) continue;
    const auto value = evaluate(parameter.value, scalars);
    if (!value) {
      device::Error error = value.error();
      error.place.file = "kernels/" + operation.name + "/operation.toml";
      return error;
    }
    scalars[parameter.name] = *value;
  }
  return std::nullopt;
}

std::vector<std::string> operation_names(const std::string& root) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(fs::path(root) / "kernels", failed)) {
    if (fs::exists(entry.path() / "operation.toml", failed))
      names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
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
      return device::failure(
          ErrorCode::bad_rung,
          {{"why", device::Message{"phrase.rung.same-name", {{"other", other.path}}, {}}}},
          {file, 0, 0});
    }
    rungs.push_back(std::move(*rung));
  }
  return rungs;
}

device::Expected<Operation> load_operation(const std::string& root, std::string_view name) {
  const std::vector<std::string> known = operation_names(root);
  if (std::ranges::find(known, name) == known.end()) {
    return device::failure(ErrorCode::unknown_name,
                           {{"kind", device::Message{"phrase.kind.operation", {}, {}}},
                            {"name", std::string(name)},
                            {"known", listed(known)}});
  }
  Operation operation;
  operation.name = name;
  const std::string folder = "kernels/" + operation.name;
  const std::string file = folder + "/operation.toml";
  const auto text = device::read_file(fs::path(root) / file, 1u << 20);
  if (!text) return tl::unexpected(text.error());
  FilesRead::note(fs::path(root) / file, *text);
  const auto table = parse_toml(*text, file);
  if (!table) return tl::unexpected(table.error());

  TomlReader reader("operation.toml", *table, file);
  operation.tolerance = reader.text("tolerance");
  check_tolerance(operation.tolerance, true, reader);
  operation.exact = reader.optional_truth("exact").value_or(true);
  for (const TomlValue* parameter : reader.tables("parameter")) {
    operation.parameters.push_back(read_parameter(*parameter, operation, reader));
  }
  if (operation.parameters.empty())
    reader.refuse("parameter", toml_phrase("absent"), operation_phrase("each-parameter"));
  if (const TomlValue* ladder = reader.any("ladder")) {
    const auto cases = read_cases(*ladder, "ladder", operation, reader);
    if (!cases.empty()) operation.ladder = cases.front();
  }
  if (const TomlValue* large = reader.any("large")) {
    const auto cases = read_cases(*large, "large", operation, reader);
    if (!cases.empty()) operation.large = cases.front();
  }
  for (const TomlValue* entry : reader.tables("case")) {
    for (OperationCase& size : read_cases(*entry, "case", operation, reader))
      operation.cases.push_back(std::move(size));
  }
  if (auto error = reader.finish()) return tl::unexpected(std::move(*error));

  auto rungs = load_rungs(root, folder);
  if (!rungs) return tl::unexpected(rungs.error());
  operation.rungs = std::move(*rungs);
  return operation;
}

}  // namespace warpbook::lab
