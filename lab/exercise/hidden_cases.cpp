#include "lab/exercise/hidden_cases.hpp"

#include "device/platform.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kLargestFile = 1u << 20;

/// Whatever is wrong with the file is the machine's failure to a check, so that it costs no student a point.
[[noreturn]] void give_up(const std::string& file, const Message& why) {
  throw ExperimentFailed{
      device::Error{device::ErrorCode::file_unreadable, {{"file", file}, {"why", why}}, {}}, {}};
}

HiddenCase read_case(const TomlValue& table, const std::string& file) {
  HiddenCase made;
  const auto* entries = std::get_if<TomlTable>(&table.value);
  if (!entries) give_up(file, {"phrase.exercise.hidden-form", {}, {}});
  for (const TomlEntry& entry : *entries) {
    const auto* number = std::get_if<std::int64_t>(&entry.value.value);
    if (!number) give_up(file, {"phrase.exercise.hidden-form", {}, {}});
    made.numbers[entry.name] = *number;
  }
  return made;
}

}  // namespace

std::int64_t HiddenCase::number(const std::string& name) const {
  const auto found = numbers.find(name);
  if (found == numbers.end())
    give_up("hidden.toml", {"phrase.exercise.hidden-number", {{"name", name}}, {}});
  return found->second;
}

std::filesystem::path hidden_cases_file(const std::filesystem::path& root, const std::string& id) {
  return root / "exercises" / id / "hidden.toml";
}

std::vector<HiddenCase> hidden_cases(const Checker& checker) {
  return hidden_cases_of(checker.lab.context().root, checker.text.id);
}

std::vector<HiddenCase> hidden_cases_of(const std::filesystem::path& root, const std::string& id) {
  const auto path = hidden_cases_file(root, id);
  std::error_code absent;
  if (!std::filesystem::exists(path, absent)) return {};
  const std::string file = path.string();
  const auto text = device::read_file(path, kLargestFile);
  if (!text) give_up(file, text.error().message());
  const auto table = parse_toml(*text, file);
  if (!table) give_up(file, table.error().message());
  TomlReader reader("hidden.toml", *table, file);
  std::vector<HiddenCase> cases;
  for (const TomlValue* each : reader.tables("case")) cases.push_back(read_case(*each, file));
  if (const auto error = reader.finish()) give_up(file, error->message());
  return cases;
}

}  // namespace warpbook::lab
