#include "lab/exhibits/exhibit.hpp"

#include <algorithm>

#include "lab/markup/json.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {

Exhibit::Exhibit() = default;
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
