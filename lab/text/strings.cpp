#include "lab/text/strings.hpp"

#include <algorithm>
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
                           {{"file", shown}, {"why", Message{"phrase.why.not-opened", {}, {}}}});
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

/// The files of strings in a language's folder, in alphabetical order.
std::vector<std::string> tables_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".toml" && name != "language.toml") names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
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

device::Expected<std::shared_ptr<const Strings>> Strings::load(const std::string& language,
                                                               const std::string& root) {
  auto known = load_language(language, root);
  if (!known) return tl::unexpected(known.error());
  auto strings = std::make_shared<Strings>();
  strings->language_ = std::move(*known);
  const std::string folder = "lang/" + language;
  for (const std::string& name : tables_in(fs::path(root) / folder)) {
    const std::string shown = folder + "/" + name;
    if (auto done = read_table(fs::path(root) / shown, shown, "", strings->table_); !done)
      return tl::unexpected(done.error());
  }
  for (const char* room : {"lessons", "exercises"}) {
    if (auto done = read_room(root, room, "strings." + language + ".toml", strings->table_); !done)
      return tl::unexpected(done.error());
  }
  return strings;
}

bool Strings::has(std::string_view key) const {
  return table_.contains(key) || table_.contains(std::string(key) + ".other");
}

std::optional<std::string_view> Strings::pattern_of(std::string_view key) const {
  const auto row = table_.find(key);
  if (row == table_.end()) return std::nullopt;
  return row->second;
}

std::string Strings::say(std::string_view key, const MessageArguments& arguments,
                         Figures figures) const {
  const auto find = [this](std::string_view name) { return pattern_of(name); };
  const auto pattern = device::pattern_for(find, key, arguments);
  if (!pattern) return "<" + std::string(key) + ">";
  MessageArguments said;
  said.reserve(arguments.size());
  for (const MessageArgument& argument : arguments)
    said.emplace_back(argument.name, say(argument.value, figures));
  if (!language_.closes_up) return device::fill(*pattern, said);
  std::string sentence(*pattern);
  for (const auto& [name, value] : said) close_up(sentence, name, value.text);
  return device::fill(sentence, said);
}

std::string Strings::say(const Message& message, Figures figures) const {
  if (message.key.empty())
    return figures == Figures::typeset ? typeset(message.text) : message.text;
  if (!message.key.starts_with(device::kListKeys))
    return say(message.key, message.arguments, figures);
  const auto find = [this](std::string_view name) { return pattern_of(name); };
  std::string joined;
  for (std::size_t i = 0; i < message.arguments.size(); ++i) {
    joined += device::separator_of(find, message.key, i, message.arguments.size());
    joined += say(message.arguments[i].value, figures);
  }
  return joined;
}

std::string Strings::operator()(std::string_view key, const MessageArguments& arguments) const {
  return say(key, arguments, Figures::typeset);
}

std::string Strings::operator()(const Message& message) const {
  return message.key.empty() ? message.text : say(message, Figures::typeset);
}

std::string Strings::operator()(const device::Error& error) const {
  return device::led_by_place(error.place, say(error.message(), Figures::as_typed));
}

}  // namespace warpbook::lab
