// The chapter's runs: a district's sum by the reader's kernel, lanes that hand on their values, all rungs on a whole country, and what
// rounding and order make of a sum. They read like the host side of a CUDA program.
#pragma once

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::reduction {

/// Begins to compile what the runs after the first need.
void compile_soon(lab::Lab& lab);
/// Of it, what rounding and order need.
void compile_numbers_soon(lab::Lab& lab);

/// Households of the country whose times are estimated and whose ones are counted: 2^25.
inline constexpr std::int64_t kCountry = 1 << 25;
/// Threads of a block in what the book runs beside the reader's kernel.
inline constexpr std::int64_t kBookBlock = 256;

/// The kernel that the reader sees and edits, on a district. Gives back what the host asked for until the sum was there.
lab::Message district(lab::Lab& lab, const device::Evidence& counted);
/// 32 lanes that hand on their values by shuffles, down and crosswise.
void exchanges(lab::Lab& lab, const device::Evidence& counted);
/// Every rung of kernels/reduction at the size of the country.
void ladder(lab::Lab& lab, const device::Evidence& counted);

/// Ones counted in line and by a tree, in the type that the reader chose.
void count_ones(lab::Lab& lab, const device::Evidence& counted);
/// How the error of a sum grows with the number of its values.
void errors(lab::Lab& lab, const device::Evidence& counted);
/// A sum of squares with and without a rounding after each multiplication.
void squares(lab::Lab& lab, const device::Evidence& counted);
/// One sum under many schedules: by atomic additions, and by a tree whose order is fixed.
void orders(lab::Lab& lab, const device::Evidence& counted);

}  // namespace warpbook::lessons::reduction
