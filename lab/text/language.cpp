#include "lab/text/language.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "device/platform.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestLanguage = 1u << 20;  // bytes

}  // namespace

device::Expected<Language> load_language(const std::string& code, const std::string& root) {
  const std::string file = "lang/" + code + "/language.toml";
  const auto text = device::read_file(fs::path(root) / file, kLargestLanguage);
  if (!text) return tl::unexpected(text.error());
  const auto table = parse_toml(*text, file);
  if (!table) return tl::unexpected(table.error());
  Language language;
  language.code = code;
  TomlReader reader("language.toml", *table, file);
  language.name = reader.text("name");
  language.html = reader.text("html");
  language.extra_leading = static_cast<float>(reader.optional_real("extra_leading").value_or(0));
  language.measure = static_cast<float>(reader.optional_real("measure").value_or(language.measure));
  language.han_marks = reader.optional_truth("han_marks").value_or(false);
  language.closes_up = reader.optional_truth("closes_up").value_or(false);
  if (auto error = reader.finish()) return tl::unexpected(std::move(*error));
  return language;
}

std::string language_name(const std::string& code, const std::string& root) {
  const auto language = load_language(code, root);
  return language ? language->name : code;
}

std::vector<std::string> language_codes(const std::string& root) {
  std::vector<std::string> codes;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(root) / "lang", ignored)) {
    if (fs::exists(entry.path() / "language.toml", ignored))
      codes.push_back(entry.path().filename().string());
  }
  std::ranges::sort(codes, {}, [](const std::string& code) {
    return std::pair(code != kEnglish, code);  // English leads
  });
  return codes;
}

std::vector<Language> known_languages(const std::string& root) {
  std::vector<Language> languages;
  for (const std::string& code : language_codes(root)) {
    if (auto language = load_language(code, root)) languages.push_back(std::move(*language));
  }
  return languages;
}

std::string language_of_locale(const std::string& root) {
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);  // "zh_CN.UTF-8"
    const std::string code(locale.substr(0, locale.find_first_of("_.@")));
    const std::vector<std::string> codes = language_codes(root);
    return std::ranges::find(codes, code) == codes.end() ? kEnglish : code;
  }
  return kEnglish;
}

}  // namespace warpbook::lab
