// Rows as nasty as softmax exercises allow, with their quotients: what stable-softmax and online-softmax are tried on.
#pragma once

#include <cstdint>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {

/// `rows` blocks of one warp, each with a row of `columns` elements: softmax(x, y, columns).
lab::Trial softmax_trial(std::int64_t rows, std::int64_t columns, std::uint64_t seed);

/// Runs no rows, and few rows of every telling number of columns.
void run_short_rows(lab::Trials& trials);

}  // namespace warpbook::exercises
