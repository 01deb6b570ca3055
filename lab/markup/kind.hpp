// What each kind of exhibit has in its folder. A kind X is a plain struct with, beside it:
//
//   X::kKind                                 its name in JSON, and of its CSS class: "wb-<kind>"
//   fields(visit, x)                         its members by name (device/wire/fields.hpp); bool valid(x) where not all values
//                                            make sense. Its binary form, its JSON and its JSON schema come from these.
//   sentence_of(x, strings)                  what its data shows, in a sentence or two
//   text_body(x, strings, page)              for a terminal: what follows title and sentence
//   html_body(x, strings, caption)           the same for HTML; the caption is the sentence, which a picture has as its
//                                            alternative text. With `const X* beside` as its second argument where two
//                                            pictures beside each other share their axes.
//   table_of(x, strings)                     the whole of its data as rows and columns, nothing drawn
//   compare(a, b, comparer)                  what two runs' values have in common and what not
//
// and, where it needs them:
//
//   extras(json, x), extras(json, part, x)   what readers of the JSON profit from beside the fields
//   style_of(std::type_identity<X>)          its rules of CSS
//   markdown_of(x, strings)                  where a table alone says too little
//
// lab/exhibits/exhibit.hpp requires all of it of every kind, and gui/exhibits/panels.hpp a panel.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "device/wire/fields.hpp"
#include "lab/markup/table.hpp"
#include "lab/markup/terminal.hpp"
#include "lab/model/comparer.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

class JsonExtras;
using device::Is;
using device::name_of;

template <class X>
concept ExhibitKind = requires(const X& x, const Strings& strings, Page& page, Comparer& comparer) {
  { X::kKind } -> std::convertible_to<std::string_view>;
  fields([](std::string_view, const auto&) {}, x);
  { sentence_of(x, strings) } -> std::same_as<std::string>;
  text_body(x, strings, page);
  { table_of(x, strings) } -> std::same_as<Table>;
  compare(x, x, comparer);
}
&&(
    requires(const X& x, const Strings& strings, const std::string& caption) {
      { html_body(x, strings, caption) } -> std::same_as<std::string>;
    } ||
    requires(const X& x, const Strings& strings, const std::string& caption) {
      { html_body(x, &x, strings, caption) } -> std::same_as<std::string>;
    });

}  // namespace warpbook::lab
