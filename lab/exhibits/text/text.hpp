// Words: printf's output, an explanation, an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// Words: printf's output, an explanation, an error.
struct TextExhibit {
  static constexpr std::string_view kKind = "text";
  Message text;
  bool code = false;  ///< in the mono face, line breaks kept
  friend bool operator==(const TextExhibit&, const TextExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<TextExhibit> auto& v) {
  visit("text", v.text);
  visit("code", v.code);
}

std::string sentence_of(const TextExhibit& text, const Strings& strings);
void text_body(const TextExhibit& text, const Strings& strings, Page& page);
std::string html_body(const TextExhibit& text, const Strings& strings, const std::string& caption);
std::string_view style_of(std::type_identity<TextExhibit> kind);
Table table_of(const TextExhibit& text, const Strings& strings);
std::string markdown_of(const TextExhibit& text, const Strings& strings);
void compare(const TextExhibit& a, const TextExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
