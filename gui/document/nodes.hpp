// Sets the nodes of a document on a flow. Every kind of lab::DocumentNode has one function here.
#pragma once

#include "gui/controls/spans.hpp"
#include "gui/document/flow.hpp"
#include "lab/document/document.hpp"

namespace warpbook::gui {

/// What setting a node needs to know of the document around it.
struct NodeContext {
  const lab::Document& document;
  /// The number of this question among the document's, from 1, and how many there are.
  std::size_t predict = 0, predicts = 0;
  /// The question that keys 1 to 9 answer: the first open one in view.
  std::string keyed;
  std::size_t node = 0;     ///< its place in the document
  bool beside_lab = false;  ///< the lab is on screen, too
  bool lettered = false;    ///< choices have letters, by which a class votes
};

void set_node(Flow& flow, const lab::DocumentNode& node, const NodeContext& context);

void set_predict(Flow& flow, const lab::PredictDirective& predict, const NodeContext& context);
void set_index(Flow& flow, const lab::IndexDirective& index);
void set_compare(Flow& flow, const lab::CompareDirective& compare, const NodeContext& context);
void set_exercise(Flow& flow, const lab::ExerciseDirective& exercise);
/// Code with coloured tokens, on a ground of its own.
void set_code(Flow& flow, const std::string& language, std::string_view text);

/// The space between two nodes.
inline constexpr float kNodeGap = 16;

}  // namespace warpbook::gui
