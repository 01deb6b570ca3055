// Every visible string: a key, its arguments, and the language in which it is shown. Reports hold Messages, not
// sentences, so that a change of language needs no new run.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/error.hpp"
#include "device/wire/fields.hpp"
#include "lab/text/wording.hpp"

namespace warpbook::lab {

enum class Language : std::uint8_t { english, chinese };
std::string_view code_of(Language language);  ///< "en", "zh"
bool parse_language(std::string_view code, Language& language);
Language language_of_locale();  ///< from LC_ALL, LC_MESSAGES, LANG

/// A string to be translated where it is shown. `text` instead of a key is shown as it stands (a name, a number).
struct Message {
  std::string
      key;  ///< "report.nothing"; a chapter's own keys begin with its slug: "first-kernel.wires"
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string text;

  static Message plain(std::string text) { return {{}, {}, std::move(text)}; }
  [[nodiscard]] bool empty() const { return key.empty() && text.empty(); }
  friend bool operator==(const Message&, const Message&) = default;
};
template <class V>
void fields(V&& visit, device::Is<Message> auto& v) {
  visit("key", v.key);
  visit("arguments", v.arguments);
  visit("text", v.text);
}

/// The strings of one language: lang/<code>.toml and lessons/<slug>/strings.<code>.toml, exercises/<id>/strings.<code>.toml.
/// Plurals: a key with .one beside .other, chosen by the argument "count".
class Strings {
 public:
  /// Reads the tables below `root`; the error names file and line.
  static device::Expected<std::shared_ptr<const Strings>> load(Language language,
                                                               const std::string& root);

  [[nodiscard]] Language language() const { return language_; }
  /// The sentence; a key that is missing comes back as "<key>", which a test looks for.
  [[nodiscard]] std::string operator()(
      std::string_view key,
      const std::vector<std::pair<std::string, std::string>>& arguments = {}) const;
  [[nodiscard]] std::string operator()(const Message& message) const;
  /// An error in this language (key error.<name>), led by its place.
  [[nodiscard]] std::string operator()(const device::Error& error) const;
  /// What code says in English as the argument `argument` ("device": "H200, simulated"), in this language; the
  /// arguments of sentences go through it unasked.
  [[nodiscard]] std::string said(std::string_view argument, std::string_view text) const;
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& all() const {
    return table_;
  }

 private:
  /// A sentence with its holes filled by the arguments as they are.
  [[nodiscard]] std::string filled(
      std::string_view key, std::vector<std::pair<std::string, std::string>> arguments) const;

  Language language_ = Language::english;
  std::map<std::string, std::string, std::less<>> table_;
  Wording wording_;  // empty in English
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
