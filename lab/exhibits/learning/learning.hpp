// How networks learn: the loss by step, of one training or several, and what the steps launched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/types.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// How the loss, and the share of right answers where there is one, went from step to step. A point is the network before that step.
struct LearningExhibit {
  static constexpr std::string_view kKind = "learning";
  /// The three parts of a step.
  enum class Pass : std::uint8_t { forward, backward, update };
  struct Launch {
    std::string layer;      ///< empty: of the network as a whole
    std::string operation;  ///< "sgemm_strided"
    std::string kernel;     ///< the file below the root that was launched
    Pass pass = Pass::forward;
    std::uint64_t blocks = 0, warp_instructions = 0;
    std::uint64_t bytes = 0;                ///< of the sectors of global memory that moved at L1
    double seconds = 0, low = 0, high = 0;  ///< estimated; 0: there is no estimate
    friend bool operator==(const Launch&, const Launch&) = default;
  };
  struct Point {
    std::uint64_t step = 0;
    double loss = 0;
    std::optional<double> accuracy;  ///< 0 to 1
    std::vector<Launch>
        launches;  ///< of the step that begins here, in order, where it was observed
    friend bool operator==(const Point&, const Point&) = default;
  };
  struct Run {
    Message name;
    std::vector<Point> points;  ///< by step
    friend bool operator==(const Run&, const Run&) = default;
  };
  std::vector<Run> runs;
  std::uint64_t steps = 0;  ///< of the whole training, which may not be over yet
  /// The parameter that says which launch is looked into; empty: there is none.
  std::string opens;
  friend bool operator==(const LearningExhibit&, const LearningExhibit&) = default;
};
constexpr auto enum_names(LearningExhibit::Pass) {
  return device::checked_names<LearningExhibit::Pass>("forward", "backward", "update");
}

template <class V>
void fields(V&& visit, Is<LearningExhibit::Launch> auto& v) {
  visit("layer", v.layer);
  visit("operation", v.operation);
  visit("kernel", v.kernel);
  visit("pass", v.pass);
  visit("blocks", v.blocks);
  visit("warp_instructions", v.warp_instructions);
  visit("bytes", v.bytes);
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
}

template <class V>
void fields(V&& visit, Is<LearningExhibit::Point> auto& v) {
  visit("step", v.step);
  visit("loss", v.loss);
  visit("accuracy", v.accuracy);
  visit("launches", v.launches);
}

template <class V>
void fields(V&& visit, Is<LearningExhibit::Run> auto& v) {
  visit("name", v.name);
  visit("points", v.points);
}

template <class V>
void fields(V&& visit, Is<LearningExhibit> auto& v) {
  visit("runs", v.runs);
  visit("steps", v.steps);
  visit("opens", v.opens);
}
/// Points go forwards and are numbers.
bool valid(const LearningExhibit& v);

std::string sentence_of(const LearningExhibit& learning, const Strings& strings);
void text_body(const LearningExhibit& learning, const Strings& strings, Page& page);
std::string html_body(const LearningExhibit& learning, const LearningExhibit* beside,
                      const Strings& strings, const std::string& caption);
Table table_of(const LearningExhibit& learning, const Strings& strings);
void compare(const LearningExhibit& a, const LearningExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
