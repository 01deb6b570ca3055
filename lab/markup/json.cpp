#include "lab/markup/json.hpp"

#include <cmath>

#include <fmt/format.h>

#include "lab/text/unicode.hpp"

namespace warpbook::lab {

using nlohmann::json;
using nlohmann::ordered_json;

json json_text(std::string_view text) { return valid_utf8(text); }

json json_number(double value) { return std::isfinite(value) ? json(value) : json(number(value)); }

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

json to_json(const device::Error& error) {
  json arguments = json::object();
  for (const auto& [name, value] : error.arguments)
    arguments[valid_utf8(name)] = json_text(value.english());
  json place = nullptr;
  if (error.place != device::SourcePlace{}) {
    place = json::object();
    fields([&](const std::string& name, const auto& field) { place[name] = field; }, error.place);
    place["file"] = json_text(error.place.file);
  }
  return {{"code", device::name_of(error.code)},
          {"text", json_text(error.english())},
          {"arguments", std::move(arguments)},
          {"place", std::move(place)}};
}

bool JsonExtras::wants(const std::string& name) const {
  if (std::ranges::find(left_out_, name) != left_out_.end()) return false;
  return object_ != nullptr ? !object_->contains(name) : !properties_->contains(name);
}

void JsonExtras::add(const std::string& name, ordered_json schema) {
  (*properties_)[name] = std::move(schema);
}

ordered_json JsonSchema::reference(std::string_view name) const {
  return {{"$ref", "#/$defs/" + std::string(name)}};
}

ordered_json JsonSchema::of_type(const char* type) { return {{"type", type}}; }

ordered_json JsonSchema::list_of(ordered_json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

ordered_json JsonSchema::map_of(ordered_json entries) {
  return {{"type", "object"}, {"additionalProperties", std::move(entries)}};
}

ordered_json JsonSchema::object_of(ordered_json properties) {
  ordered_json required = ordered_json::array();
  for (const auto& [name, property] : properties.items()) required.push_back(name);
  return {{"type", "object"},
          {"required", std::move(required)},
          {"properties", std::move(properties)},
          {"additionalProperties", false}};
}

bool JsonSchema::begin_definition(const std::string& name) {
  return definitions_.emplace(name, nullptr).second;
}

void JsonSchema::define(const std::string& name, ordered_json schema) {
  definitions_[name] = std::move(schema);
}

ordered_json JsonSchema::either(ordered_json one, ordered_json other) {
  if (one.contains("anyOf")) {
    one["anyOf"].push_back(std::move(other));
    return one;
  }
  return {{"anyOf", ordered_json::array({std::move(one), std::move(other)})}};
}

ordered_json JsonSchema::number() {
  definitions_["number"] = {{"anyOf", {{{"type", "number"}}, {{"enum", {"nan", "inf", "-inf"}}}}}};
  return reference("number");
}

ordered_json JsonSchema::count() {
  definitions_["count"] = {{"type", "integer"}, {"minimum", 0}};
  return reference("count");
}

ordered_json JsonSchema::extent() {
  definitions_["extent"] = {
      {"type", "array"}, {"items", count()}, {"minItems", 3}, {"maxItems", 3}};
  return reference("extent");
}

ordered_json JsonSchema::error() {
  definitions_["error"] = {
      {"type", "object"},
      {"required", {"code", "text", "arguments", "place"}},
      {"properties",
       {{"code", {{"type", "string"}, {"pattern", "^[a-z0-9_]+$"}}},
        {"text", {{"type", "string"}}},
        {"arguments", {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}}},
        {"place", either(of<device::SourcePlace>(), {{"type", "null"}})}}},
      {"additionalProperties", false}};
  return reference("error");
}

}  // namespace warpbook::lab
