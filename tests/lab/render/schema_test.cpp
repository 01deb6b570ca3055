// The committed JSON schemas are what the lists of fields say. Structure comes from the lists; a "description" is written by
// hand in the committed file, and stays where it is when the file is written anew: WARPBOOK_GOLDEN=write.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/source/source.hpp"
#include "lab/ladder/ladder_json.hpp"
#include "lab/markup/json.hpp"
#include "lab/render/launch_json.hpp"
#include "lab/render/render.hpp"

namespace warpbook::lab::schema_test {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kColumns = 120;

/// Each value in one line where it fits, else an entry a line.
std::string laid_out(const ordered_json& value, std::size_t indent = 0) {
  const bool holds_values = value.is_structured() && !value.empty();
  const std::string flat = value.dump(-1, ' ');
  if (!holds_values || indent + flat.size() <= kColumns - 20) {
    std::string spaced;
    bool quoted = false;
    for (std::size_t i = 0; i < flat.size(); ++i) {
      if (flat[i] == '"' && (i == 0 || flat[i - 1] != '\\')) quoted = !quoted;
      spaced += flat[i];
      const bool opens = flat[i] == '{' && flat[i + 1] != '}';
      if (!quoted && (flat[i] == ':' || flat[i] == ',' || opens)) spaced += ' ';
      if (!quoted && i + 1 < flat.size() && flat[i + 1] == '}' && flat[i] != '{') spaced += ' ';
    }
    return spaced;
  }
  const std::string inside(indent + 2, ' ');
  std::string text = value.is_object() ? "{\n" : "[\n";
  std::size_t left = value.size();
  for (const auto& [name, entry] : value.items()) {
    text += inside;
    if (value.is_object()) text += ordered_json(name).dump() + ": ";
    text += laid_out(entry, indent + 2) + (--left == 0 ? "\n" : ",\n");
  }
  return text + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

/// Takes the descriptions of `old` over to the same places of `made`.
void keep_descriptions(ordered_json& made, const ordered_json& old) {
  if (made.is_object() && old.is_object()) {
    for (auto& [name, entry] : made.items()) {
      if (old.contains(name)) keep_descriptions(entry, old[name]);
    }
    // A property may be called so, too; then it is an object.
    if (old.contains("description") && old["description"].is_string() &&
        !made.contains("description")) {
      ordered_json led = {{"description", old["description"]}};
      for (auto& [name, entry] : made.items()) led[name] = std::move(entry);
      made = std::move(led);
    }
  } else if (made.is_array() && old.is_array()) {
    for (std::size_t i = 0; i < std::min(made.size(), old.size()); ++i)
      keep_descriptions(made[i], old[i]);
  }
}

ordered_json read(const std::filesystem::path& file) {
  std::ifstream in(file);
  return ordered_json::parse(in);
}

/// Whether the committed file is what `make` makes of it; in the mode that writes, it is then.
template <class Make>
bool is_up_to_date(const std::string& name, const Make& make) {
  const std::filesystem::path file = std::filesystem::path(WARPBOOK_SOURCE_DIR) / "lab" / name;
  const ordered_json committed = read(file);
  ordered_json made = make(committed);
  keep_descriptions(made, committed);
  const char* mode = std::getenv("WARPBOOK_GOLDEN");
  if (mode != nullptr && std::string_view(mode) == "write") {
    std::ofstream(file) << laid_out(made) << "\n";
    return true;
  }
  return made.dump() == committed.dump();
}

/// What every document opens with, before its own properties.
void add_form(ordered_json& object, std::string_view form, int version) {
  ordered_json required = {"form", "version"};
  for (const auto& name : object["required"]) required.push_back(name);
  object["required"] = std::move(required);
  ordered_json properties = {{"form", {{"const", form}}}, {"version", {{"const", version}}}};
  for (auto& [name, entry] : object["properties"].items()) properties[name] = std::move(entry);
  object["properties"] = std::move(properties);
}

/// The document's own words about itself, then its structure and the definitions that it refers to.
ordered_json with_heading(const ordered_json& committed, const ordered_json& structure,
                          ordered_json definitions) {
  ordered_json made = ordered_json::object();
  for (const char* name : {"$schema", "$id", "title", "description"}) made[name] = committed[name];
  made.update(structure);
  made["$defs"] = std::move(definitions);
  return made;
}

template <class... Kinds>
ordered_json kind_rules(const std::variant<Kinds...>* /*value*/) {
  ordered_json rules = ordered_json::array();
  const auto add = [&](std::string_view kind) {
    rules.push_back(
        {{"if", {{"properties", {{"kind", {{"const", kind}}}}}}},
         {"then", {{"properties", {{"value", {{"$ref", "#/$defs/" + std::string(kind)}}}}}}}});
  };
  (add(Kinds::kKind), ...);
  return rules;
}

template <class... Kinds>
ordered_json kind_names(const std::variant<Kinds...>* /*value*/) {
  return {{"enum", {Kinds::kKind...}}};
}

ordered_json report_schema(const ordered_json& committed) {
  JsonSchema schema;
  ordered_json report = schema.of<Report>();
  add_form(report, "warpbook-report", kReportVersion);
  report["properties"]["inputs_hash"]["pattern"] = "^[0-9a-f]{16}$";
  ordered_json definitions = schema.definitions();
  ordered_json& exhibit = definitions["exhibit"];
  exhibit["properties"]["kind"] = kind_names(static_cast<const ExhibitKinds*>(nullptr));
  exhibit["properties"]["value"] = {{"type", "object"}};
  exhibit["allOf"] = kind_rules(static_cast<const ExhibitKinds*>(nullptr));
  return with_heading(committed, report, std::move(definitions));
}

/// The record and what it is made of; what the command adds is described by hand.
ordered_json launch_schema(const ordered_json& committed) {
  JsonSchema schema;
  schema.of<device::LaunchRecord>();
  schema.of<device::Sass>();
  ordered_json definitions = committed["$defs"];
  for (const auto& [name, made] : schema.definitions().items()) definitions[name] = made;
  add_form(definitions["record"], "warpbook-launch", kLaunchVersion);
  ordered_json& record = definitions["record"];
  record.erase("additionalProperties");  // the command adds its own
  // An estimate is there where it was asked for, and the command says its bottleneck.
  ordered_json required = ordered_json::array();
  for (const auto& name : record["required"]) {
    if (name != "estimate") required.push_back(name);
  }
  record["required"] = std::move(required);
  ordered_json estimate = record["properties"]["estimate"]["anyOf"][0];
  estimate["properties"]["bottleneck"] = {{"type", "string"}};
  record["properties"]["estimate"] = std::move(estimate);
  definitions["refused"]["properties"]["version"]["const"] = kLaunchVersion;
  ordered_json made = committed;
  made["$defs"] = std::move(definitions);
  return made;
}

/// All but what libraries have, which is an exhibit, and a refusal.
ordered_json ladder_schema(const ordered_json& committed) {
  JsonSchema schema;
  schema.of<LadderDocument>();
  ordered_json definitions = committed["$defs"];
  const ordered_json libraries = definitions["ladder"]["properties"]["libraries"];
  for (const auto& [name, made] : schema.definitions().items()) definitions[name] = made;
  ordered_json& ladder = definitions["ladder"];
  add_form(ladder, "warpbook-ladder", LadderDocument::kVersion);
  ladder["required"].push_back("libraries");
  ladder["properties"]["libraries"] = libraries;
  definitions["refused"]["properties"]["version"]["const"] = LadderDocument::kVersion;
  ordered_json made = committed;
  made["$defs"] = std::move(definitions);
  return made;
}

}  // namespace

TEST_CASE("Schema: the ladder's is what its lists of fields say") {
  CHECK(is_up_to_date("render/ladder.schema.json", ladder_schema));
}

TEST_CASE("Schema: the report's is what its lists of fields say") {
  CHECK(is_up_to_date("render/report.schema.json", report_schema));
}

TEST_CASE("Schema: the launch record's is what its lists of fields say") {
  CHECK(is_up_to_date("render/launch.schema.json", launch_schema));
}

}  // namespace warpbook::lab::schema_test
