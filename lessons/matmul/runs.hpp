// The chapter's runs: the rungs of kernels/sgemm whole at the reader's sizes, some blocks of each at a layer's real size, and the
// small launches of its pictures.
#pragma once

#include <string>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::matmul {

/// The rungs that multiply in one launch, by name: what the parameter "version" chooses among.
const std::vector<std::string>& versions();

/// Begins to compile all rungs.
void compile_rungs_soon(lab::Lab& lab);

/// Sizes, multiply-adds and bytes of the reader's product: "work". Large sizes of one layer: "layer".
void show_work(lab::Lab& lab);

/// The reader's kernel on small matrices: "reads" (who reads what), "check". Gives back what the host asked for.
lab::Message show_reads(lab::Lab& lab, const device::Evidence& counted);

/// All rungs at the reader's sizes: "counts", "small" (their times), "errors" and "rungs-check".
void show_ladder(lab::Lab& lab, const device::Evidence& counted);

/// Some blocks of each version at the layer's size: "roofline", and in figures "speeds".
void show_climb(lab::Lab& lab);

/// One instruction on tensor cores: "fragments", and what it rounded: "rounded".
void show_instruction(lab::Lab& lab, const device::Evidence& counted);

/// What Strassen saves and adds, by formula: "strassen".
void show_strassen(lab::Lab& lab);

}  // namespace warpbook::lessons::matmul
