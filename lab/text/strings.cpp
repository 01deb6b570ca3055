#include "lab/text/strings.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <toml++/toml.h>

namespace warpbook::lab {
namespace {

namespace fs = std::filesystem;
using device::ErrorCode;
using Words = std::map<std::string, std::string, std::less<>>;
struct Read {};

tl::unexpected<device::Error> damaged(const std::string& file, const toml::source_region& where,
                                      std::string why) {
  std::replace(why.begin(), why.end(), '\n', ' ');
  return device::failure(ErrorCode::strings_damaged, {{"why", std::move(why)}},
                         {file, where.begin.line, where.begin.column});
}

device::Expected<Read> flatten(const toml::table& from, const std::string& prefix,
                               const std::string& file, Words& into) {
  for (const auto& [name, node] : from) {
    const std::string key = prefix + std::string(name.str());
    if (const toml::table* inner = node.as_table()) {
      if (auto done = flatten(*inner, key + ".", file, into); !done) return done;
    } else if (const auto* text = node.as_string()) {
      if (!into.emplace(key, text->get()).second)
        return damaged(file, node.source(), key + " is there twice");
    } else {
      return damaged(file, node.source(), key + " is not a string");
    }
  }
  return Read{};
}

/// Adds the file's strings under `prefix`; `shown` is how errors name it.
device::Expected<Read> read_table(const fs::path& path, const std::string& shown,
                                  const std::string& prefix, Words& into) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return device::failure(ErrorCode::file_unreadable,
                           {{"file", shown}, {"why", "it cannot be opened"}});
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  try {
    return flatten(toml::parse(text, shown), prefix, shown, into);
  } catch (const toml::parse_error& error) {
    return damaged(shown, error.source(), std::string(error.description()));
  }
}

/// The strings of a room's folders, each below its folder's name.
device::Expected<Read> read_room(const fs::path& root, const std::string& room,
                                 const std::string& file_name, Words& into) {
  std::vector<std::string> folders;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root / room, ignored)) {
    if (fs::exists(entry.path() / file_name, ignored))
      folders.push_back(entry.path().filename().string());
  }
  std::sort(folders.begin(), folders.end());
  for (const std::string& folder : folders) {
    const std::string shown = room + "/" + folder + "/" + file_name;
    if (auto done = read_table(root / shown, shown, folder + ".", into); !done) return done;
  }
  return Read{};
}

// What a student wrote may stand in an argument; a message is one line all the same.
void keep_to_one_line(std::string& text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
}

// Chinese has no spaces between its characters: those that stand round a hole for Latin words and figures go where
// Chinese is put in. Bytes that lead a character of Chinese, or one of its marks:
bool leads_chinese(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0xE3 && byte <= 0xE9) || byte == 0xEF;
}
bool ends_chinese(std::string_view text) {
  return text.size() >= 3 && leads_chinese(text[text.size() - 3]);
}
/// The sentence without the spaces that would stand between `text`, put in for `name`, and Chinese on either side.
void close_up(std::string& sentence, const std::string& name, std::string_view text) {
  const std::string hole = "{" + name + "}";
  for (std::size_t at = sentence.find(hole); at != std::string::npos;
       at = sentence.find(hole, at)) {
    const std::size_t after = at + hole.size();
    if (ends_chinese(text) && after + 1 < sentence.size() && sentence[after] == ' ' &&
        leads_chinese(sentence[after + 1]))
      sentence.erase(after, 1);
    if (!text.empty() && leads_chinese(text.front()) && at > 0 && sentence[at - 1] == ' ' &&
        ends_chinese(std::string_view(sentence).substr(0, at - 1)))
      sentence.erase(--at, 1);
    at += hole.size();
  }
}

}  // namespace

std::string_view code_of(Language language) { return language == Language::chinese ? "zh" : "en"; }

bool parse_language(std::string_view code, Language& language) {
  if (code != "en" && code != "zh") return false;
  language = code == "zh" ? Language::chinese : Language::english;
  return true;
}

Language language_of_locale() {
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    return std::string_view(value).substr(0, 2) == "zh" ? Language::chinese : Language::english;
  }
  return Language::english;
}

device::Expected<std::shared_ptr<const Strings>> Strings::load(Language language,
                                                               const std::string& root) {
  const std::string code(code_of(language));
  auto strings = std::make_shared<Strings>();
  strings->language_ = language;
  const std::string shared = "lang/" + code + "/exhibits.toml";
  if (auto done = read_table(fs::path(root) / shared, shared, "", strings->table_); !done) {
    return tl::unexpected(done.error());
  }
  for (const char* room : {"lessons", "exercises"}) {
    if (auto done = read_room(root, room, "strings." + code + ".toml", strings->table_); !done) {
      return tl::unexpected(done.error());
    }
  }
  if (language != Language::english) {
    // A root that has no English to match against still has its sentences.
    Words english;
    if (read_table(fs::path(root) / "lang/en/exhibits.toml", "lang/en/exhibits.toml", "", english))
      strings->wording_ = Wording(english, strings->table_);
  }
  return strings;
}

std::string Strings::said(std::string_view argument, std::string_view text) const {
  return wording_(argument, text);
}

bool Strings::has(std::string_view key) const {
  return table_.contains(key) || table_.contains(std::string(key) + ".other");
}

std::string Strings::filled(std::string_view key,
                            std::vector<std::pair<std::string, std::string>> arguments) const {
  auto row = table_.find(key);
  if (row == table_.end()) {
    const auto counted = std::find_if(arguments.begin(), arguments.end(), [](const auto& argument) {
      return argument.first == "count";
    });
    if (counted != arguments.end() && counted->second == "1")
      row = table_.find(std::string(key) + ".one");
    if (row == table_.end()) row = table_.find(std::string(key) + ".other");
  }
  if (row == table_.end()) return "<" + std::string(key) + ">";
  for (auto& [name, text] : arguments) text = said(name, text);
  if (language_ != Language::chinese) return device::fill(row->second, arguments);
  std::string sentence = row->second;
  for (const auto& [name, text] : arguments) close_up(sentence, name, text);
  return device::fill(sentence, arguments);
}

std::string Strings::operator()(
    std::string_view key, const std::vector<std::pair<std::string, std::string>>& arguments) const {
  auto figures = arguments;
  for (auto& [name, text] : figures) text = typeset(std::move(text));
  return filled(key, std::move(figures));
}

std::string Strings::operator()(const Message& message) const {
  return message.key.empty() ? message.text : (*this)(message.key, message.arguments);
}

std::string Strings::operator()(const device::Error& error) const {
  const std::string key = "error." + std::string(name_of(error.code));
  if (!has(key)) return error.english();
  std::string text;
  if (!error.place.file.empty()) text += error.place.file + ":";
  if (error.place.line != 0) text += std::to_string(error.place.line) + ":";
  if (error.place.line != 0 && error.place.column != 0)
    text += std::to_string(error.place.column) + ":";
  if (!text.empty()) text += " ";
  text += filled(key, error.arguments);  // it may quote what was typed
  keep_to_one_line(text);
  return text;
}

}  // namespace warpbook::lab
