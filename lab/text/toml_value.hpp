// TOML as plain data with the line of every value, and a reader that takes the keys it expects and refuses all others. It reads
// directives, operation.toml and exercise.toml. Only toml_value.cpp includes toml++.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "device/error.hpp"

namespace warpbook::lab {

struct TomlValue;
struct TomlEntry;
using TomlArray = std::vector<TomlValue>;
using TomlTable = std::vector<TomlEntry>;  ///< in the order of the text

struct TomlValue {
  std::uint32_t line = 0;  ///< in the file, from 1
  std::variant<std::string, std::int64_t, double, bool, TomlArray, TomlTable> value;

  /// A scalar as text; empty where it is an array, a table or a date.
  [[nodiscard]] std::optional<std::string> scalar_text() const;
};

struct TomlEntry {
  std::string name;
  TomlValue value;
};

/// `first_line` is the line of `text`'s first line in `file`: errors and values count from there.
device::Expected<TomlValue> parse_toml(std::string_view text, const std::string& file,
                                       std::uint32_t first_line = 1);

/// Takes the keys of one table, strictly. The first thing wrong is kept as the error, later calls give empty values; so
/// a caller reads everything and asks once, with finish().
class TomlReader {
 public:
  /// `what` is how errors call the table: "predict", "exercise.toml". `table` must outlive the reader.
  TomlReader(std::string what, const TomlValue& table, std::string file);

  std::string text(std::string_view key);  ///< must be there, may not be empty
  std::string optional_text(std::string_view key);
  std::string scalar(std::string_view key);  ///< text, number or true/false, as text
  std::int64_t integer(std::string_view key);
  std::optional<std::int64_t> optional_integer(std::string_view key);
  std::optional<bool> optional_truth(std::string_view key);
  std::optional<double> optional_real(std::string_view key);  ///< also from an integer
  std::vector<double> reals(std::string_view key);            ///< a list of numbers; may be absent
  std::vector<std::string> texts(
      std::string_view key);  ///< a text stands for a list of one; may be absent
  std::map<std::string, std::string> scalars(std::string_view key);  ///< of a table; may be absent
  /// A table's scalars in the order of the text; may be absent.
  std::vector<std::pair<std::string, std::string>> ordered_scalars(std::string_view key);
  /// An array of tables ([[key]]); may be absent.
  std::vector<const TomlValue*> tables(std::string_view key);

  /// Whatever it is; null where it is absent.
  const TomlValue* any(std::string_view key) { return take(key, false); }

  /// Line of the key's value; the table's own where it is absent.
  [[nodiscard]] std::uint32_t line_of(std::string_view key) const;
  /// Keeps an error of the caller's own making: "`key` is `got`; write `expected`".
  void refuse(std::string_view key, device::Message got, device::Message expected);
  void keep(device::Error error);
  /// The first error, an unknown key included; nothing where all is well.
  [[nodiscard]] std::optional<device::Error> finish();
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  const TomlValue* take(std::string_view key, bool needed);
  [[nodiscard]] device::Message known() const;
  template <class T>
  const T* take_as(std::string_view key, bool needed, const device::Message& expected);

  std::string what_, file_;
  const TomlValue* table_;
  std::vector<std::string> taken_;
  std::vector<std::string> needed_but_absent_;
  std::optional<device::Error> error_;
};

/// phrase.toml.NAME
device::Message toml_phrase(std::string_view name, device::MessageArguments arguments = {});
/// The text in quotation marks.
device::Message in_quotes(std::string_view text);
/// "one of "a", "b" and "c""
device::Message one_of_quoted(const std::vector<std::string>& texts);
/// What a value is, for errors: "a table", "3", "\"name\"".
device::Message describe(const TomlValue& value);
/// "a, b and c"; "nothing" for none.
device::Message listed(const std::vector<std::string>& names);

}  // namespace warpbook::lab
