// The chapter's parts, each a run that reads like the host side of a CUDA program and shows its exhibits.
#pragma once

#include <string>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::activations {

/// Begins to compile what they need; of it, what softmax() and what fusion() and million() need.
void compile_soon(lab::Lab& lab);
void compile_softmax_soon(lab::Lab& lab);
void compile_fusion_soon(lab::Lab& lab);

/// The chosen function and its slope as curves ("curve", "check", "geometry"), and a number's way through many layers of it and its
/// gradient's way back ("layers"). Gives back what the host asked for until the function's values were there.
lab::Message functions(lab::Lab& lab, const device::Evidence& counted);
/// Both forms of GELU: "forms".
void gelu_forms(lab::Lab& lab, const device::Evidence& counted);

/// A bias and the function behind it, in two kernels and in one: "fusion", "fusion-check", "fusion-time", "limits".
void fusion(lab::Lab& lab, const device::Evidence& counted);
/// A million elements through three functions, fused: "million".
void million(lab::Lab& lab);

/// Rows of logits through five versions of softmax: "softmax", "softmax-check", "exponentials", "versions", "same",
/// "steps"; and a warp's sum by shuffles: "rounds".
void softmax(lab::Lab& lab, const device::Evidence& counted);

// What they share.

constexpr const char* kVariants = "lessons/activations/variants/";

/// The chosen function as kernels and libraries have it without parameters: leaky ReLU as ReLU, both forms of GELU as one.
std::string plain_function(const lab::Lab& lab);
/// Numbers between -4 and 4, no two neighbours alike.
std::vector<float> uneven(std::int64_t count, std::int64_t step);

/// What the activation of the chapter's layer is given, where a filter has 1,024 pixels: sums with the bias.
std::vector<float> sums_of_layer();

device::CompileRequest request_of_variant(lab::Lab& lab, const std::string& file);
/// A file below kVariants, compiled.
std::shared_ptr<const device::Module> compile_variant(lab::Lab& lab, const std::string& file);
/// The module's only kernel on `threads` threads in blocks of `block`.
std::shared_ptr<const device::LaunchRecord> launch(lab::Lab& lab,
                                                   std::shared_ptr<const device::Module> module,
                                                   std::int64_t threads, std::int64_t block,
                                                   std::vector<device::Argument> arguments);

/// Holds `got` against `truth`, element by element (truth.hpp): the items "right" and "safe" of lessons/common.hpp.
lab::CheckExhibit check_close(const device::LaunchRecord& record, std::span<const float> got,
                              std::span<const double> truth);

}  // namespace warpbook::lessons::activations
