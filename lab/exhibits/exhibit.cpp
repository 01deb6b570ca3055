#include "lab/exhibits/exhibit.hpp"

#include <algorithm>

#include "lab/markup/json.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {

template <class Kind>
[[gnu::used]] ExhibitValue ExhibitValue::of(Kind value) {
  ExhibitValue made;
  made.kinds() = std::move(value);
  return made;
}
/// Mentions of() for each kind, so that all of them are compiled here.
template <class... Kinds>
consteval bool ExhibitValue::made_of(const std::variant<Kinds...>* /*kinds*/) {
  (static_cast<void>(&ExhibitValue::of<Kinds>), ...);
  return true;
}

ExhibitValue::ExhibitValue() { static_assert(made_of(static_cast<const ExhibitKinds*>(nullptr))); }
ExhibitValue::ExhibitValue(const ExhibitValue&) = default;
ExhibitValue::ExhibitValue(ExhibitValue&&) noexcept = default;
ExhibitValue& ExhibitValue::operator=(const ExhibitValue&) = default;
ExhibitValue& ExhibitValue::operator=(ExhibitValue&&) noexcept = default;
ExhibitValue::~ExhibitValue() = default;
bool operator==(const ExhibitValue& a, const ExhibitValue& b) { return a.kinds() == b.kinds(); }

Exhibit::Exhibit() = default;
Exhibit::Exhibit(std::string named, Message titled, std::optional<device::Evidence> shown_by,
                 ExhibitValue shown)
    : id(std::move(named)),
      title(std::move(titled)),
      evidence(std::move(shown_by)),
      value(std::move(shown)) {}
Exhibit::Exhibit(const Exhibit&) = default;
Exhibit::Exhibit(Exhibit&&) noexcept = default;
Exhibit& Exhibit::operator=(const Exhibit&) = default;
Exhibit& Exhibit::operator=(Exhibit&&) noexcept = default;
Exhibit::~Exhibit() = default;
bool operator==(const Exhibit&, const Exhibit&) = default;

std::string_view kind_of(const Exhibit& exhibit) {
  return std::visit([](const auto& value) -> std::string_view { return value.kKind; },
                    exhibit.value);
}

std::string sentence(const Exhibit& exhibit, const Strings& strings) {
  const auto speak = [&](const auto& value) { return sentence_of(value, strings); };
  std::string text = printable(std::visit(speak, exhibit.value));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

bool is_text(const Exhibit& exhibit) {
  const auto* text = std::get_if<TextExhibit>(&exhibit.value);
  return text != nullptr && !text->text.empty();
}

bool is_plain_text(const Exhibit& exhibit) {
  return is_text(exhibit) && !std::get<TextExhibit>(exhibit.value).code;
}

void extras(JsonExtras& json, const Exhibit& exhibit) {
  json("kind", [&] { return kind_of(exhibit); });
  json("sentence", [&](const Strings& english) { return sentence(exhibit, english); });
}

}  // namespace warpbook::lab
