// The tables themselves: both languages say the same things, the sources use every key, and every key that they use is
// there.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_adapters.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::string_tables_test {
namespace {

namespace fs = std::filesystem;

std::string without_plural(const std::string& key) {
  for (const std::string_view form : {".one", ".other"}) {
    if (key.ends_with(form)) return key.substr(0, key.size() - form.size());
  }
  return key;
}

std::set<std::string> arguments_of(std::string_view text) {
  static const std::regex argument(R"(\{([a-z_]+)\})");
  std::set<std::string> names;
  const std::string copy(text);
  for (std::sregex_iterator match(copy.begin(), copy.end(), argument), end; match != end; ++match) {
    names.insert((*match)[1]);
  }
  return names;
}

/// Key without its plural form -> the arguments that any of its forms takes.
std::map<std::string, std::set<std::string>> keys_of(const std::string& language) {
  std::map<std::string, std::set<std::string>> keys;
  const auto strings = sample::strings(language);
  for (const auto& [key, text] : strings->all())
    keys[without_plural(key)].merge(arguments_of(text));
  return keys;
}

/// The sources of the rooms that show something, by their paths.
const std::map<std::string, std::string>& sources() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> found;
    const fs::path root = WARPBOOK_SOURCE_DIR;
    for (const char* room : {"device", "lab", "training", "lessons", "exercises", "gui", "cli"}) {
      for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".cpp" && extension != ".hpp" && extension != ".inc") continue;
        std::ifstream stream(entry.path());
        found[entry.path().lexically_relative(root).string()] = {
            std::istreambuf_iterator<char>(stream), {}};
      }
    }
    return found;
  }();
  return all;
}

std::vector<std::string> literals_in(const std::string& text) {
  static const std::regex literal(R"re("((?:[^"\\\n]|\\.)*)")re");
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), literal), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

const std::set<std::string>& literals() {
  static const std::set<std::string> all = [] {
    std::set<std::string> found;
    for (const auto& [path, text] : sources()) {
      for (std::string& literal : literals_in(text)) found.insert(std::move(literal));
    }
    return found;
  }();
  return all;
}

/// A function that makes a key of its first argument: the sources that call it begin with `where`.
struct KeyMaker {
  const char *where, *function, *section;
};
constexpr KeyMaker kKeyMakers[] = {
    {"lab/", "toml_phrase", "phrase.toml."},
    {"lab/operation/", "rung_phrase", "phrase.rung."},
    {"lab/operation/", "refuse_rung", "phrase.rung."},
    {"lab/operation/", "operation_phrase", "phrase.operation."},
    {"lab/operation/expression.cpp", "fail", "phrase.expression."},
    {"lab/exercise/", "exercise_phrase", "phrase.exercise."},
    {"lab/document/validate.cpp", "chapter_phrase", "phrase.chapter."},
    {"lab/document/validate.cpp", "differ_phrase", "phrase.differ."},
    {"lab/grading/", "handed_phrase", "phrase.handed."},
    {"lab/grading/", "regrade_phrase", "phrase.regrade."},
    {"device/simulator/ptx/", "syntax", "phrase.ptx-syntax."},
    {"device/simulator/ptx/", "expectation", "phrase.ptx-what."},
};

/// The names with which the sources call it; a name that is chosen between two literals counts as both.
std::set<std::string> names_of_calls(const KeyMaker& maker) {
  const std::regex call("\\b" + std::string(maker.function) + R"(\(([^,;{}()]*)[,)])");
  std::set<std::string> names;
  for (const auto& [path, text] : sources()) {
    if (!path.starts_with(maker.where)) continue;
    for (std::sregex_iterator match(text.begin(), text.end(), call), end; match != end; ++match) {
      for (const std::string& name : literals_in((*match)[1])) names.insert(name);
    }
  }
  return names;
}

bool is_used(const std::string& key) {
  if (literals().contains(key) || literals().contains(key.substr(key.find('.')))) return true;
  for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot + 1)) {
    const std::string beginning = key.substr(0, dot + 1);
    if (literals().contains(beginning) || literals().contains(beginning + "{}")) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("Strings: every language has the keys of English, which take the same arguments") {
  const auto english = keys_of(kEnglish);
  const auto languages = language_codes(WARPBOOK_SOURCE_DIR);
  const std::string language = GENERATE_COPY(from_range(languages));
  const auto translated = keys_of(language);
  CAPTURE(language);
  for (const auto& [key, arguments] : english) {
    CAPTURE(key);
    if (!translated.contains(key))
      FAIL_CHECK("it is missing");
    else
      CHECK(translated.at(key) == arguments);
  }
  for (const auto& [key, arguments] : translated) {
    CAPTURE(key);
    CHECK(english.contains(key));
  }
}

TEST_CASE("Strings: what the program says without files is lang/en, word for word") {
  for (const auto& [key, text] : sample::english().all()) {
    if (!key.starts_with("error.") && !key.starts_with("phrase.") && !key.starts_with("list."))
      continue;
    CAPTURE(key);
    CHECK(device::english_pattern(key) == text);
  }
}

TEST_CASE("Strings: a plural has both forms in English") {
  const auto strings = sample::strings("en");
  for (const auto& [key, text] : strings->all()) {
    CAPTURE(key);
    if (key.ends_with(".one")) CHECK(strings->all().contains(without_plural(key) + ".other"));
    if (key.ends_with(".other")) CHECK(strings->all().contains(without_plural(key) + ".one"));
  }
}

TEST_CASE("Strings: no plural stands in brackets in English") {
  static const std::regex brackets(R"([a-z]\(s\))");
  const auto strings = sample::strings("en");
  for (const auto& [key, text] : strings->all()) {
    CAPTURE(key, text);
    CHECK_FALSE(std::regex_search(text, brackets));
  }
}

TEST_CASE("Strings: every error has a sentence, and there is no other") {
  std::set<std::string> told;
  for (const auto& [key, arguments] : keys_of(kEnglish)) {
    if (key.starts_with("error.") && key.ends_with(".long")) told.insert(key);
  }
  std::set<std::string> errors;
  for (const device::ErrorCode code : device::all_error_codes())
    errors.insert("error." + std::string(name_of(code)) + ".long");
  CHECK(told == errors);
}

TEST_CASE("Strings: every key is used") {
  for (const auto& [key, arguments] : keys_of("en")) {
    CAPTURE(key);
    CHECK(is_used(key));
  }
}

TEST_CASE("Strings: every key that a source names is there") {
  const auto keys = keys_of("en");
  std::set<std::string> sections;
  for (const auto& [key, arguments] : keys) sections.insert(key.substr(0, key.find('.')));
  static const std::regex key(R"([a-z][a-z0-9-]*(\.[a-z][a-z0-9_-]*)+)");
  for (const std::string& literal : literals()) {
    if (!std::regex_match(literal, key) || !sections.contains(literal.substr(0, literal.find('.'))))
      continue;
    const std::string ending = literal.substr(literal.rfind('.') + 1);
    if (std::ranges::count(
            std::vector<std::string>{"toml", "json", "cu", "md", "cpp", "hpp", "html"}, ending) !=
        0)
      continue;
    CAPTURE(literal);
    CHECK(keys.contains(literal));
  }
}

TEST_CASE("Strings: every key that a source makes of a section and a name is there") {
  const auto keys = keys_of(kEnglish);
  for (const KeyMaker& maker : kKeyMakers) {
    const auto names = names_of_calls(maker);
    CAPTURE(maker.function);
    CHECK(names.size() > 2);
    for (const std::string& name : names) {
      CAPTURE(maker.section, name);
      CHECK(keys.contains(maker.section + name));
    }
  }
}

TEST_CASE("Strings: Chinese is written in Chinese, with its own punctuation") {
  // A Han character beside a Western comma, semicolon or question mark is a slip of the keyboard.
  static const std::regex slip("[\xe4-\xe9][\x80-\xbf][\x80-\xbf][,;?!]");
  const auto strings = sample::strings("zh");
  for (const auto& [key, text] : strings->all()) {
    CAPTURE(key, text);
    CHECK_FALSE(std::regex_search(text, slip));
  }
}

}  // namespace warpbook::lab::string_tables_test
