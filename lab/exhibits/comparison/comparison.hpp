// Two runs in relation, A and B: what was set, counted, timed, computed and written in each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/exhibits/check/check.hpp"
#include "lab/exhibits/source/source.hpp"
#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// Two runs in relation, A and B: what was set, counted, timed, computed and written in each.
struct ComparisonExhibit {
  static constexpr std::string_view kKind = "comparison";
  struct Side {
    Message name;  ///< "An array of structures"; empty: its letter alone
    Message device;
    std::uint64_t inputs_hash = 0;
    std::vector<device::Error> errors;
    friend bool operator==(const Side&, const Side&) = default;
  };
  /// What the runs were given that is not the same: a parameter, or "gpu", "device", "seed".
  struct Setting {
    std::string name, a, b;
    friend bool operator==(const Setting&, const Setting&) = default;
  };
  /// The exhibit of both runs that something is from.
  struct Subject {
    std::string id;
    Message title;
    friend bool operator==(const Subject&, const Subject&) = default;
  };
  /// A figure that a run has and that is not 0 in both.
  struct Figure {
    Subject of;
    std::string
        name;     ///< a counter's in JSON, or "blocks", "requests": key comparison.figure.<name>
    Message row;  ///< which of several alike; may be empty
    device::EvidenceKind evidence = device::EvidenceKind::counted;
    std::optional<double> a, b;  ///< none: that run does not have it
    friend bool operator==(const Figure&, const Figure&) = default;
  };
  struct Time {
    struct Span {
      double seconds = 0, low = 0, high = 0;
      Message on;  ///< the device
      friend bool operator==(const Span&, const Span&) = default;
    };
    Subject of;
    Message row;
    device::EvidenceKind evidence = device::EvidenceKind::measured;  ///< the same of both
    std::optional<Span> a, b;  ///< none: no such time in that run
    friend bool operator==(const Time&, const Time&) = default;
  };
  /// An array that both runs left behind, element by element. Two NaN are the same, and so are 0 and -0.
  struct Output {
    struct Element {
      std::uint64_t index = 0;
      std::string a, b;
      double difference = 0;
      friend bool operator==(const Element&, const Element&) = default;
    };
    Subject of;
    std::string name;
    std::string shape_a, shape_b;  ///< "4 x 4"
    std::uint64_t compared = 0;    ///< elements; 0 also where the shapes differ
    std::uint64_t differing = 0;   ///< of them
    /// Of these, NaN or infinite in one run: no number says how far apart they are.
    std::uint64_t incomparable = 0;
    std::optional<Element> absolute;  ///< the greatest difference that is a number
    std::optional<Element> relative;  ///< the same as a share of the larger of the two; 0 to 2
    std::optional<Element> first_incomparable;
    friend bool operator==(const Output&, const Output&) = default;
  };
  /// Something that was checked in at least one of the runs.
  struct Check {
    Subject of;
    Message sentence;
    std::optional<CheckExhibit::State> a, b;
    friend bool operator==(const Check&, const Check&) = default;
  };
  /// Words that are not the same.
  struct Words {
    Subject of;
    Message a, b;
    bool code = false;
    friend bool operator==(const Words&, const Words&) = default;
  };
  /// A source whose text or costs are not the same.
  struct Source {
    struct Line {
      enum class Kind : std::uint8_t { same, removed, added, gap };
      Kind kind = Kind::same;
      std::uint32_t a = 0,
                    b = 0;  ///< from 1; 0: not in that run. Of a gap: a lines of both are left out
      std::string text;
      friend bool operator==(const Line&, const Line&) = default;
    };
    Subject of;
    std::uint64_t removed = 0, added = 0;  ///< lines, also where they are not among `lines`
    bool least = true;        ///< false: the texts are too far apart for the fewest changes
    bool cut = false;         ///< not all that differs is among `lines`
    std::vector<Line> lines;  ///< what differs in text or costs, with its neighbours
    std::vector<SourceExhibit::Line> costs_a, costs_b;  ///< of `lines`
    friend bool operator==(const Source&, const Source&) = default;
  };
  /// An exhibit that one run has and the other has not, or has of another kind.
  struct Only {
    Subject of;
    bool in_b = false;
    friend bool operator==(const Only&, const Only&) = default;
  };
  Side a, b;
  std::vector<Setting> settings;
  std::vector<Figure> figures;
  std::vector<Time> times;
  std::vector<Output> outputs;
  std::vector<Check> checks;
  std::vector<Words> words;
  std::vector<Source> sources;
  std::vector<Only> only;
  friend bool operator==(const ComparisonExhibit&, const ComparisonExhibit&) = default;
};

/// How far two arrays are apart, element by element. `of` is left to the caller.
ComparisonExhibit::Output output_of(const TensorExhibit& a, const TensorExhibit& b);
/// Two texts by their lines, with three neighbours of what differs. At most 400 lines are kept.
ComparisonExhibit::Source source_of(const SourceExhibit& a, const SourceExhibit& b);

constexpr auto enum_names(ComparisonExhibit::Source::Line::Kind) {
  return device::checked_names<ComparisonExhibit::Source::Line::Kind>("same", "removed", "added",
                                                                      "gap");
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Side> auto& v) {
  visit("name", v.name);
  visit("device", v.device);
  visit("inputs_hash", v.inputs_hash);
  visit("errors", v.errors);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Setting> auto& v) {
  visit("name", v.name);
  visit("a", v.a);
  visit("b", v.b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Subject> auto& v) {
  visit("id", v.id);
  visit("title", v.title);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Figure> auto& v) {
  visit("of", v.of);
  visit("name", v.name);
  visit("row", v.row);
  visit("evidence", v.evidence);
  visit("a", v.a);
  visit("b", v.b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Time::Span> auto& v) {
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("on", v.on);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Time> auto& v) {
  visit("of", v.of);
  visit("row", v.row);
  visit("evidence", v.evidence);
  visit("a", v.a);
  visit("b", v.b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Output::Element> auto& v) {
  visit("index", v.index);
  visit("a", v.a);
  visit("b", v.b);
  visit("difference", v.difference);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Output> auto& v) {
  visit("of", v.of);
  visit("name", v.name);
  visit("shape_a", v.shape_a);
  visit("shape_b", v.shape_b);
  visit("compared", v.compared);
  visit("differing", v.differing);
  visit("incomparable", v.incomparable);
  visit("greatest", v.absolute);
  visit("greatest_relative", v.relative);
  visit("first_incomparable", v.first_incomparable);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Check> auto& v) {
  visit("of", v.of);
  visit("sentence", v.sentence);
  visit("a", v.a);
  visit("b", v.b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Words> auto& v) {
  visit("of", v.of);
  visit("a", v.a);
  visit("b", v.b);
  visit("code", v.code);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Source::Line> auto& v) {
  visit("kind", v.kind);
  visit("a", v.a);
  visit("b", v.b);
  visit("text", v.text);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Source> auto& v) {
  visit("of", v.of);
  visit("removed", v.removed);
  visit("added", v.added);
  visit("least", v.least);
  visit("cut", v.cut);
  visit("lines", v.lines);
  visit("costs_a", v.costs_a);
  visit("costs_b", v.costs_b);
}
/// Costs are of lines that the comparison holds.
bool valid(const ComparisonExhibit::Source& v);

template <class V>
void fields(V&& visit, Is<ComparisonExhibit::Only> auto& v) {
  visit("of", v.of);
  visit("in_b", v.in_b);
}

template <class V>
void fields(V&& visit, Is<ComparisonExhibit> auto& v) {
  visit("a", v.a);
  visit("b", v.b);
  visit("settings", v.settings);
  visit("figures", v.figures);
  visit("times", v.times);
  visit("outputs", v.outputs);
  visit("checks", v.checks);
  visit("words", v.words);
  visit("sources", v.sources);
  visit("only", v.only);
}

void extras(JsonExtras& json, const ComparisonExhibit& comparison);
void extras(JsonExtras& json, const ComparisonExhibit::Figure& figure);
void extras(JsonExtras& json, const ComparisonExhibit::Time& time);
void extras(JsonExtras& json, const ComparisonExhibit::Side& side);

std::string sentence_of(const ComparisonExhibit& comparison, const Strings& strings);
void text_body(const ComparisonExhibit& comparison, const Strings& strings, Page& page);
std::string html_body(const ComparisonExhibit& comparison, const Strings& strings,
                      const std::string& caption);
std::string_view style_of(std::type_identity<ComparisonExhibit> kind);
Table table_of(const ComparisonExhibit& comparison, const Strings& strings);
void compare(const ComparisonExhibit& a, const ComparisonExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
