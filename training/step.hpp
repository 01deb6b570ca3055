// What a training step begins with: the samples of its batch, and what the network loses on them.
#pragma once

#include <cstdint>
#include <optional>

#include "training/presets.hpp"

namespace warpbook::training {

/// Samples `begin` to `end` (which is left out): views.
Samples rows_of(const Samples& samples, std::int64_t begin, std::int64_t end);

/// Batches follow each other through the samples, over and over; what is left at the end of a round is not enough for one.
Samples batch_of(const Preset& preset, const Samples& training, std::uint64_t step);

struct Losses {
  Variable loss;               ///< the mean over the samples
  std::optional<Tensor> hits;  ///< {1}, i32: how many labels were answered; of a classifier
};
Losses losses_of(Tape& tape, const Network& network, const Samples& samples);

}  // namespace warpbook::training
