// Figures as bars, in groups of one scale, each with what it means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/markup/kind.hpp"

namespace warpbook::lab {

struct BarsExhibit {
  static constexpr std::string_view kKind = "bars";
  struct Bar {
    Message label;
    double value = 0;
    std::string text;  ///< the value as people read it: "768 B"
    friend bool operator==(const Bar&, const Bar&) = default;
  };
  /// Bars that may be held against each other.
  struct Group {
    Message meaning;  ///< what is counted, and how its bars are to be read
    std::vector<Bar> bars;
    friend bool operator==(const Group&, const Group&) = default;
  };
  Message says;  ///< what the figures show
  std::vector<Group> groups;
  friend bool operator==(const BarsExhibit&, const BarsExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<BarsExhibit::Bar> auto& v) {
  visit("label", v.label);
  visit("value", v.value);
  visit("text", v.text);
}

template <class V>
void fields(V&& visit, Is<BarsExhibit::Group> auto& v) {
  visit("meaning", v.meaning);
  visit("bars", v.bars);
}

template <class V>
void fields(V&& visit, Is<BarsExhibit> auto& v) {
  visit("says", v.says);
  visit("groups", v.groups);
}
/// A bar's value is finite and not below 0.
bool valid(const BarsExhibit& v);

std::string sentence_of(const BarsExhibit& bars, const Strings& strings);
void text_body(const BarsExhibit& bars, const Strings& strings, Page& page);
std::string html_body(const BarsExhibit& bars, const BarsExhibit* beside, const Strings& strings,
                      const std::string& caption);
Table table_of(const BarsExhibit& bars, const Strings& strings);
void compare(const BarsExhibit& a, const BarsExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
