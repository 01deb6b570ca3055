// The graph that a tape has noted, as an exhibit: every tensor with its first elements, every operation with its launches.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/graph/graph.hpp"
#include "training/tape.hpp"

namespace warpbook::training {

/// What a reader is to call variables; the others keep their own names.
using GraphNames = std::vector<std::pair<Variable, std::string>>;

/// Of all nodes on the tape. Gradients are there after a backward() that kept them, launches where the engine keeps records.
/// Waits, and launches nothing: elements are picked from memory by their strides.
lab::GraphExhibit graph_of(Tape& tape, const GraphNames& names = {});

}  // namespace warpbook::training
