// The chapter's parts, each a run that reads like the host side of a program and shows its exhibits.
#pragma once

#include "lab/experiment/lesson.hpp"
#include "training/tape.hpp"

namespace warpbook::lessons::autograd {

/// z = y * y of y = 3 x + 2, and as many ways back as were asked for: "graph", "gradient". Gives back what the host asked for
/// meanwhile.
lab::Message square(lab::Lab& lab, training::Engine& engine, const device::Evidence& counted);

/// The chosen view of a table of 3 x 2, and the kernel that gathers it: "view", "wires", "gathered".
void view(lab::Lab& lab, training::Engine& engine, const device::Evidence& counted);

/// 3 x 3 and what is added to it: "operand", "sum-wires", "sum", "check".
void sum(lab::Lab& lab, training::Engine& engine, const device::Evidence& counted);

/// A line through three days, the error and its gradients: "fit", "fit-gradients".
void fit(lab::Lab& lab, training::Engine& engine, const device::Evidence& counted);

/// The reader's operation, and its backward pass held against differences of its forward pass: "slope-check", "steps".
void differences(lab::Lab& lab, training::Engine& engine, const device::Evidence& counted);

/// A square matrix copied as it lies and as its transpose: "reading".
void reading(lab::Lab& lab, training::Engine& engine, const device::Evidence& counted);

/// Overlapping windows of a signal as a view, and their way back: "windows".
void windows(lab::Lab& lab, training::Engine& engine, const device::Evidence& counted);

}  // namespace warpbook::lessons::autograd
