// What a reader may change. The GUI draws it, the command line sets it (--set stride=8), a test sweeps it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device/device.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

using Value = std::variant<std::int64_t, double, bool, std::string>;
std::string to_text(const Value& value);

struct Parameter {
  /// picture: a PNG or JPEG of the reader's own (lab/model/picture.hpp). Its value is the file's path, empty for the lesson's own.
  /// text: words of the reader's own, which the lesson's experiment reads.
  enum class Type : std::uint8_t { integer, real, toggle, choice, picture, text };
  std::string name;  ///< as the formulae spell it: "n", "block"
  Message label;     ///< a word or two
  Message unit;      ///< "elements", "threads"; may be empty
  Type type = Type::integer;
  Value initial;                              ///< the default
  double minimum = 0, maximum = 0, step = 1;  ///< of integer and real
  bool logarithmic = false;                   ///< the slider's scale
  std::vector<std::string> choices;           ///< of choice
};

/// Parameter values by name.
class Values {
 public:
  void set(std::string name, Value value) { values_[std::move(name)] = std::move(value); }
  [[nodiscard]] const Value* find(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(
      std::string_view name) const;  ///< throws std::logic_error where there is none
  [[nodiscard]] double real(std::string_view name) const;
  [[nodiscard]] bool toggle(std::string_view name) const;
  [[nodiscard]] const std::string& choice(std::string_view name) const;
  /// The path of a picture; empty: none was given.
  [[nodiscard]] const std::string& picture(std::string_view name) const { return choice(name); }
  [[nodiscard]] const std::map<std::string, Value, std::less<>>& all() const { return values_; }
  /// What the reader typed.
  [[nodiscard]] const std::string& text(std::string_view name) const { return choice(name); }
  friend bool operator==(const Values&, const Values&) = default;
  template <class V>
  friend void fields(V&& visit, device::Is<Values> auto& v) {
    visit("values", v.values_);
  }

 private:
  std::map<std::string, Value, std::less<>> values_;
};

struct Preset {
  std::string name;  ///< as --preset takes it: "four"
  Message label;
  Values values;  ///< only what differs from the defaults
};

/// All parameters at their defaults.
Values defaults(std::span<const Parameter> parameters);
/// "name=value" checked for name, type and range, put into `values`. The error names the range and the names there are.
device::Expected<device::Done> assign(std::span<const Parameter> parameters, Values& values,
                                      std::string_view assignment);
/// One value checked.
device::Expected<Value> parse(const Parameter& parameter, std::string_view text);

}  // namespace warpbook::lab
