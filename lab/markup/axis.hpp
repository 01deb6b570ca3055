// The round numbers along the axes of pictures.
#pragma once

#include <cstddef>
#include <vector>

namespace warpbook::lab {

/// The least of ..., 0.5, 1, 2, 5, 10, 20, ... that is not less than `least`, but for one part in 10^9. `least` is finite and positive.
double round_step(double least);

/// The multiples of `step` from `low` to `high`, in order. An end is a multiple, too, if one is within 10^-9 steps of it.
std::vector<double> multiples_of(double step, double low, double high);

/// Finite and above 0: a logarithmic axis has a place for it.
bool is_positive(double value);

/// Where `value` lies between `low` (0) and `high` (1) on a logarithmic axis.
double log_share(double value, double low, double high);

/// Powers of ten from low to high, at most `most`; none where an end is not positive.
std::vector<double> decades_of(double low, double high, std::size_t most);

/// 1, 2 and 5 times powers of ten from low to high; powers of ten alone where these are many. None as with decades_of.
std::vector<double> log_ticks(double low, double high);

}  // namespace warpbook::lab
