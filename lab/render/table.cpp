#include <string>
#include <variant>

#include "lab/markup/phrases.hpp"
#include "lab/render/render.hpp"

namespace warpbook::lab {

Table table_of(const Exhibit& exhibit, const Strings& strings) {
  return std::visit([&](const auto& value) { return table_of(value, strings); }, exhibit.value);
}

std::string to_markdown(const Exhibit& exhibit, const Strings& strings) {
  std::string text = "**" + strings(exhibit.title) + "**";
  if (exhibit.evidence)
    text += " (" + evidence_name(strings, exhibit.evidence->kind) + ", " +
            strings(exhibit.evidence->on) + ")";
  text += "\n\n";
  const std::string body = std::visit(
      [&](const auto& value) {
        if constexpr (requires { markdown_of(value, strings); })
          return markdown_of(value, strings);
        else
          return to_markdown(table_of(value, strings));
      },
      exhibit.value);
  // The sentence of a text is the text itself.
  if (std::holds_alternative<TextExhibit>(exhibit.value)) return text + body;
  return text + sentence(exhibit, strings) + "\n\n" + body;
}

}  // namespace warpbook::lab
