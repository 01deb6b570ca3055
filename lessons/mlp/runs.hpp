// The chapter's parts, each a run that shows its exhibits.
#pragma once

#include "lab/exhibits/learning/learning.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/mlp/networks.hpp"

namespace warpbook::lessons::mlp {

/// The training that the reader chose, which can be watched while it runs: "curve", in the plane "boundary"; and of its first step the
/// launch that the reader looks into: "kernel", "warp".
void train(lab::Lab& lab, const Setting& setting);

/// Its first steps alone, each a point of the curve, and nothing of their launches: "curve", and before and after them "boundary".
void train_a_little(lab::Lab& lab, const Setting& setting);

/// The smallest network, held against its formula ("formula", "check"), and trained at several rates ("rates").
void smallest(lab::Lab& lab, const Setting& setting);

/// A step with separate and with fused layers, launched one by one and as a graph: "savings"; the one that the reader chose as a
/// timeline: "timeline".
void savings(lab::Lab& lab, const Setting& setting);

/// A launch that the engine noted, as the exhibit has it.
lab::LearningExhibit::Launch launch_of(const training::NotedLaunch& noted);

}  // namespace warpbook::lessons::mlp
