// Every visible string: a key, its arguments, and the language in which it is shown. Reports hold Messages, not
// sentences, so that a change of language needs no new run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "device/error.hpp"
#include "device/message.hpp"
#include "lab/text/language.hpp"

namespace warpbook::lab {

using device::Message;
using device::MessageArgument;
using device::MessageArguments;

/// The strings of one language: lang/<code>/*.toml and lessons/<slug>/strings.<code>.toml, exercises/<id>/strings.<code>.toml.
/// Plurals: a key with .one beside .other, chosen by the argument "count".
class Strings {
 public:
  /// Reads the tables below `root`; the error names file and line.
  static device::Expected<std::shared_ptr<const Strings>> load(const std::string& language,
                                                               const std::string& root);

  [[nodiscard]] const Language& language() const { return language_; }
  /// The sentence; a key that is missing comes back as "<key>", which a test looks for.
  [[nodiscard]] std::string operator()(std::string_view key,
                                       const MessageArguments& arguments = {}) const;
  [[nodiscard]] std::string operator()(const Message& message) const;
  /// An error in this language (key error.<name>.long), led by its place.
  [[nodiscard]] std::string operator()(const device::Error& error) const;
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& all() const {
    return table_;
  }

 private:
  /// How figures are set: as in print, or as they were typed, which errors quote.
  enum class Figures : std::uint8_t { typeset, as_typed };
  [[nodiscard]] std::string say(std::string_view key, const MessageArguments& arguments,
                                Figures figures) const;
  [[nodiscard]] std::string say(const Message& message, Figures figures) const;
  [[nodiscard]] std::optional<std::string_view> pattern_of(std::string_view key) const;

  Language language_;
  std::map<std::string, std::string, std::less<>> table_;
};

/// 1234567 -> "1,234,567"; the same in both languages.
std::string grouped(std::uint64_t value);
/// A value as a person writes it: up to `digits` significant digits, no trailing zeros, nan and inf by name.
std::string number(double value, int digits = 6);
/// A number's text as people read it, with a minus sign (U+2212) for the hyphen that programs and parameters take: "−1.5e-7".
/// What is no number, or no list of them, stays as it is. Strings does so with the arguments of sentences.
std::string typeset(std::string text);
/// A value in a figure: typeset(number(value, digits)).
std::string figure(double value, int digits = 6);
/// 0.0000412 -> "41.2 µs"; SI steps from ns to s.
std::string duration(double seconds);
/// 1536 -> "1.5 KiB".
std::string byte_count(std::uint64_t bytes);
/// 1.23e12 -> "1.23 T", for a unit to follow: "FLOP/s".
std::string amount(double value);

}  // namespace warpbook::lab
