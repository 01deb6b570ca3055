// A list of things that hold or do not.
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

enum class CheckState : std::uint8_t { passed, failed, warning, waiting };

/// A list of things that hold or do not.
struct CheckExhibit {
  static constexpr std::string_view kKind = "check";
  using State = CheckState;
  struct Mismatch {
    std::uint64_t index = 0;
    std::string expected, got;
    Message written_by;  ///< "block 0, thread 3"; empty: nobody, or not known
    friend bool operator==(const Mismatch&, const Mismatch&) = default;
  };
  /// Some elements of an array, one after the other.
  struct Values {
    std::string array;                  ///< "x"
    std::uint64_t count = 0;            ///< elements of the array
    std::uint64_t first = 0;            ///< the index of the first that is shown
    std::vector<std::string> elements;  ///< those that are shown
    friend bool operator==(const Values&, const Values&) = default;
  };
  /// What goes into a case.
  struct Inputs {
    std::string name;                ///< of the case, "n = 33"
    std::vector<std::string> calls;  ///< "saxpy<<<2, 32>>>(33, 2.5, x, y)"
    std::vector<Values> arrays;      ///< as they are before the first call
    friend bool operator==(const Inputs&, const Inputs&) = default;
  };
  struct Case {
    std::string name;  ///< "n = 33"; empty: a hidden case
    bool passed = false;
    friend bool operator==(const Case&, const Case&) = default;
  };
  /// So many neighbouring elements of an array.
  struct Part {
    std::uint64_t count = 0, wrong = 0;
    std::uint64_t unwritten = 0;  ///< of the wrong ones: no thread wrote them
    friend bool operator==(const Part&, const Part&) = default;
  };
  /// Where the wrong elements of one array lie.
  struct Spread {
    std::string name, array;             ///< of the case, "n = 33"; "y"
    std::uint64_t count = 0, wrong = 0;  ///< elements
    std::vector<Part> parts;             ///< at most kMostParts, in the order of the elements
    friend bool operator==(const Spread&, const Spread&) = default;
  };
  static constexpr std::uint64_t kMostParts = 64;
  struct Item {
    /// "right", "safe", "written-once": stable, for scripts. What the checkers found is called "safe", or ends so: "slope-safe".
    std::string id;
    State state = State::waiting;
    Message sentence;        ///< "right at every size"
    Message got;             ///< "7 of 9 sizes"; what was got against what was asked
    Message advice;          ///< the one next thing; empty where it passed
    std::uint32_t line = 0;  ///< of the source, where one spends it
    std::vector<Case> cases;
    std::vector<Mismatch> mismatches;  ///< the first five
    Spread spread;  ///< of the largest case that is wrong and shown; without parts: none
    Inputs inputs;  ///< of the case that has these mismatches; without calls: none
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::vector<Item> items;
  [[nodiscard]] bool passed() const;
  friend bool operator==(const CheckExhibit&, const CheckExhibit&) = default;
};

constexpr auto enum_names(CheckState) {
  return device::checked_names<CheckState>("passed", "failed", "warning", "waiting");
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Mismatch> auto& v) {
  visit("index", v.index);
  visit("expected", v.expected);
  visit("got", v.got);
  visit("written_by", v.written_by);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Values> auto& v) {
  visit("array", v.array);
  visit("count", v.count);
  visit("first", v.first);
  visit("elements", v.elements);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Inputs> auto& v) {
  visit("name", v.name);
  visit("calls", v.calls);
  visit("arrays", v.arrays);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Case> auto& v) {
  visit("name", v.name);
  visit("passed", v.passed);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Part> auto& v) {
  visit("count", v.count);
  visit("wrong", v.wrong);
  visit("unwritten", v.unwritten);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Spread> auto& v) {
  visit("name", v.name);
  visit("array", v.array);
  visit("count", v.count);
  visit("wrong", v.wrong);
  visit("parts", v.parts);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit::Item> auto& v) {
  visit("id", v.id);
  visit("state", v.state);
  visit("sentence", v.sentence);
  visit("got", v.got);
  visit("advice", v.advice);
  visit("line", v.line);
  visit("cases", v.cases);
  visit("mismatches", v.mismatches);
  visit("spread", v.spread);
  visit("inputs", v.inputs);
}

template <class V>
void fields(V&& visit, Is<CheckExhibit> auto& v) {
  visit("items", v.items);
}

void extras(JsonExtras& json, const CheckExhibit& check);

/// What a part of an array looks like: all right, some wrong, all wrong, or wrong because no thread wrote there.
enum class PartLook : std::uint8_t { right, partly, wrong, unwritten };
PartLook look_of(const CheckExhibit::Part& part);
/// "y at n = 1025: 993 of 1,025 elements are wrong"
std::string spread_caption(const CheckExhibit::Spread& spread, const Strings& strings);

/// "x has 33 elements, from x[8] on: 2.5, -1.5, …"
std::string values_text(const CheckExhibit::Values& values, const Strings& strings);

/// Cases as they are listed: each by its name, or where they are many, the first wrong ones, and how many more are wrong and how
/// many right.
struct CaseLabel {
  std::string text;  ///< "n = 33", "a hidden case", "18 more"
  bool passed = false;
};
std::vector<CaseLabel> labels_of(const std::vector<CheckExhibit::Case>& cases,
                                 const Strings& strings);
std::string sentence_of(const CheckExhibit& check, const Strings& strings);
void text_body(const CheckExhibit& check, const Strings& strings, Page& page);
std::string html_body(const CheckExhibit& check, const Strings& strings,
                      const std::string& caption);
std::string_view style_of(std::type_identity<CheckExhibit> kind);
Table table_of(const CheckExhibit& check, const Strings& strings);
void compare(const CheckExhibit& a, const CheckExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
