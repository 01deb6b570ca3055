// The blocks of a document, each set on a flow. Every kind of lab::Block has one function here.
#pragma once

#include "gui/controls/spans.hpp"
#include "gui/document/flow.hpp"
#include "lab/document/document.hpp"

namespace warpbook::gui {

/// What blocks share beyond the flow.
struct BlockContext {
  const lab::Document& document;
  /// Number of this predict among the document's, from 1, and how many there are.
  std::size_t predict = 0, predicts = 0;
  /// The question that keys 1 to 9 answer: the first open one in view.
  std::string keyed;
  std::size_t block = 0;    ///< its place in the document
  bool beside_lab = false;  ///< the lab can be seen, too
};

void set_block(Flow& flow, const lab::Block& block, const BlockContext& context);

void set_predict(Flow& flow, const lab::PredictDirective& predict, const BlockContext& context);
void set_index(Flow& flow, const lab::IndexDirective& index);
void set_compare(Flow& flow, const lab::CompareDirective& compare, const BlockContext& context);
void set_exercise(Flow& flow, const lab::ExerciseDirective& exercise);
/// Code that is shown: a well with coloured lines.
void set_code(Flow& flow, const std::string& language, std::string_view text);

/// The space between two blocks.
inline constexpr float kBlockGap = 16;

}  // namespace warpbook::gui
