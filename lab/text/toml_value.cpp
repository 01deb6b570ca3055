#include "lab/text/toml_value.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;

// Values are shifted to the lines of the file that the text stands in.
TomlValue convert(const toml::node& node, std::uint32_t shift) {
  TomlValue result;
  result.line = node.source().begin.line + shift;
  if (const auto* text = node.as_string()) {
    result.value = text->get();
  } else if (const auto* integer = node.as_integer()) {
    result.value = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    result.value = real->get();
  } else if (const auto* truth = node.as_boolean()) {
    result.value = truth->get();
  } else if (const auto* array = node.as_array()) {
    TomlArray values;
    for (const toml::node& entry : *array) values.push_back(convert(entry, shift));
    result.value = std::move(values);
  } else if (const auto* table = node.as_table()) {
    TomlTable values;
    for (const auto& [key, entry] : *table)
      values.push_back({std::string(key.str()), convert(entry, shift)});
    // toml++ keeps keys sorted by name; the writer's order is that of the lines.
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.value.line < b.value.line; });
    result.value = std::move(values);
  } else {
    result.value = std::string();  // dates and times: nothing here takes them
  }
  return result;
}

// toml++ follows a key's dots by recursion, so the number of them in a line is bounded by the line's length.
constexpr std::size_t kLongestLine = 16u << 10;

/// The first line that is longer, from 1; 0 where none is.
std::uint32_t line_too_long(std::string_view text) {
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end - at > kLongestLine) return line;
    at = end + 1;
  }
  return 0;
}

}  // namespace

std::optional<std::string> TomlValue::scalar_text() const {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  return std::nullopt;
}

device::Expected<TomlValue> parse_toml(std::string_view text, const std::string& file,
                                       std::uint32_t first_line) {
  if (const auto line = line_too_long(text); line != 0) {
    return device::failure(ErrorCode::toml_syntax, {{"why", toml_phrase("long-line")}},
                           {file, line + first_line - 1, 0});
  }
  try {
    TomlValue value = convert(toml::parse(text), first_line - 1);
    value.line = first_line;
    return value;
  } catch (const toml::parse_error& error) {
    const std::uint32_t line = error.source().begin.line + first_line - 1;
    return device::failure(ErrorCode::toml_syntax, {{"why", std::string(error.description())}},
                           {file, line, error.source().begin.column});
  }
}

device::Message toml_phrase(std::string_view name, device::MessageArguments arguments) {
  return {"phrase.toml." + std::string(name), std::move(arguments), {}};
}

device::Message in_quotes(std::string_view text) {
  return device::Message::plain("\"" + std::string(text) + "\"");
}

device::Message one_of_quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(in_quotes(text).text);
  return toml_phrase("one-of", {{"known", listed(all)}});
}

device::Message describe(const TomlValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return in_quotes(*text);
  if (auto number = value.scalar_text()) return device::Message::plain(std::move(*number));
  return toml_phrase(std::holds_alternative<TomlArray>(value.value) ? "list" : "table");
}

namespace {

device::Message list_with(const TomlValue& entry) {
  return toml_phrase("list-with", {{"entry", describe(entry)}});
}

}  // namespace

device::Message listed(const std::vector<std::string>& names) {
  if (names.empty()) return {"phrase.words.nothing", {}, {}};
  std::vector<device::Message> parts;
  for (const std::string& name : names) parts.push_back(device::Message::plain(name));
  return device::Message::list_of("list.names", std::move(parts));
}

TomlReader::TomlReader(std::string what, const TomlValue& table, std::string file)
    : what_(std::move(what)), file_(std::move(file)), table_(&table) {}

device::Message TomlReader::known() const { return listed(taken_); }

const TomlValue* TomlReader::take(std::string_view key, bool needed) {
  if (std::ranges::find(taken_, key) == taken_.end()) taken_.emplace_back(key);
  if (const auto* table = std::get_if<TomlTable>(&table_->value)) {
    for (const auto& [name, value] : *table) {
      if (name == key) return &value;
    }
  }
  if (needed) needed_but_absent_.emplace_back(key);
  return nullptr;
}

template <class T>
const T* TomlReader::take_as(std::string_view key, bool needed, const device::Message& expected) {
  const TomlValue* value = take(key, needed);
  if (!value) return nullptr;
  if (const T* wanted = std::get_if<T>(&value->value)) return wanted;
  refuse(key, describe(*value), expected);
  return nullptr;
}

std::string TomlReader::text(std::string_view key) {
  const auto* value = take_as<std::string>(key, true, toml_phrase("text"));
  if (value && value->empty()) refuse(key, toml_phrase("empty"), toml_phrase("text"));
  return value ? *value : std::string();
}

std::string TomlReader::optional_text(std::string_view key) {
  const auto* value = take_as<std::string>(key, false, toml_phrase("text"));
  return value ? *value : std::string();
}

std::string TomlReader::scalar(std::string_view key) {
  const TomlValue* value = take(key, true);
  if (!value) return {};
  const auto text = value->scalar_text();
  if (!text || text->empty())
    refuse(key, text ? toml_phrase("empty") : describe(*value), toml_phrase("scalar"));
  return text.value_or("");
}

std::int64_t TomlReader::integer(std::string_view key) {
  const auto* value = take_as<std::int64_t>(key, true, toml_phrase("whole-number"));
  return value ? *value : 0;
}

std::optional<std::int64_t> TomlReader::optional_integer(std::string_view key) {
  const auto* value = take_as<std::int64_t>(key, false, toml_phrase("whole-number"));
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<bool> TomlReader::optional_truth(std::string_view key) {
  const auto* value = take_as<bool>(key, false, toml_phrase("truth"));
  return value ? std::optional(*value) : std::nullopt;
}

std::vector<double> TomlReader::reals(std::string_view key) {
  const auto* array = take_as<TomlArray>(key, false, toml_phrase("numbers"));
  std::vector<double> result;
  if (!array) return result;
  for (const TomlValue& entry : *array) {
    if (const auto* integer = std::get_if<std::int64_t>(&entry.value)) {
      result.push_back(static_cast<double>(*integer));
    } else if (const auto* real = std::get_if<double>(&entry.value)) {
      result.push_back(*real);
    } else {
      refuse(key, list_with(entry), toml_phrase("numbers"));
      return {};
    }
  }
  return result;
}

std::optional<double> TomlReader::optional_real(std::string_view key) {
  const TomlValue* value = take(key, false);
  if (!value) return std::nullopt;
  if (const auto* integer = std::get_if<std::int64_t>(&value->value))
    return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value->value)) return *real;
  refuse(key, describe(*value), toml_phrase("number"));
  return std::nullopt;
}

std::vector<std::string> TomlReader::texts(std::string_view key) {
  const TomlValue* value = take(key, false);
  if (!value) return {};
  if (const auto* text = std::get_if<std::string>(&value->value)) return {*text};
  std::vector<std::string> result;
  if (const auto* array = std::get_if<TomlArray>(&value->value)) {
    for (const TomlValue& entry : *array) {
      const auto* text = std::get_if<std::string>(&entry.value);
      if (!text) {
        refuse(key, list_with(entry), toml_phrase("texts"));
        return {};
      }
      result.push_back(*text);
    }
    return result;
  }
  refuse(key, describe(*value), toml_phrase("texts"));
  return {};
}

std::vector<std::pair<std::string, std::string>> TomlReader::ordered_scalars(std::string_view key) {
  const auto expected = toml_phrase("table-such-as", {{"example", "{ n = 5 }"}});
  const auto* table = take_as<TomlTable>(key, false, expected);
  std::vector<std::pair<std::string, std::string>> result;
  if (!table) return result;
  for (const auto& [name, value] : *table) {
    const auto text = value.scalar_text();
    if (!text) {
      refuse(key, toml_phrase("table-with", {{"value", describe(value)}, {"name", name}}),
             expected);
      return {};
    }
    result.emplace_back(name, *text);
  }
  return result;
}

std::map<std::string, std::string> TomlReader::scalars(std::string_view key) {
  auto ordered = ordered_scalars(key);
  return {std::make_move_iterator(ordered.begin()), std::make_move_iterator(ordered.end())};
}

std::vector<const TomlValue*> TomlReader::tables(std::string_view key) {
  const auto expected = toml_phrase("above-each", {{"key", std::string(key)}});
  const auto* array = take_as<TomlArray>(key, false, expected);
  std::vector<const TomlValue*> result;
  if (!array) return result;
  for (const TomlValue& entry : *array) {
    if (!std::holds_alternative<TomlTable>(entry.value)) {
      refuse(key, list_with(entry), expected);
      return {};
    }
    result.push_back(&entry);
  }
  return result;
}

std::uint32_t TomlReader::line_of(std::string_view key) const {
  if (const auto* table = std::get_if<TomlTable>(&table_->value)) {
    for (const auto& [name, value] : *table) {
      if (name == key) return value.line;
    }
  }
  return table_->line;
}

void TomlReader::refuse(std::string_view key, device::Message got, device::Message expected) {
  keep({ErrorCode::bad_value,
        {{"key", std::string(key)},
         {"what", what_},
         {"got", std::move(got)},
         {"expected", std::move(expected)}},
        {file_, line_of(key), 0}});
}

void TomlReader::keep(device::Error error) {
  if (!error_) error_ = std::move(error);
}

std::optional<device::Error> TomlReader::finish() {
  // A key that is spelled wrong is unknown and leaves another one missing: the misspelling is the better thing to say.
  if (const auto* table = std::get_if<TomlTable>(&table_->value)) {
    for (const auto& [name, value] : *table) {
      if (std::find(taken_.begin(), taken_.end(), name) == taken_.end()) {
        return Error{ErrorCode::unknown_key,
                     {{"what", what_}, {"key", name}, {"known", known()}},
                     {file_, value.line, 0}};
      }
    }
  }
  if (error_) return error_;
  if (!needed_but_absent_.empty()) {
    return Error{ErrorCode::missing_key,
                 {{"what", what_}, {"key", needed_but_absent_.front()}, {"known", known()}},
                 {file_, table_->line, 0}};
  }
  return std::nullopt;
}

}  // namespace warpbook::lab
