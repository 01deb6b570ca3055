#include "training/step.hpp"

#include <algorithm>

namespace warpbook::training {

Samples rows_of(const Samples& samples, std::int64_t begin, std::int64_t end) {
  const auto part = [&](const std::optional<Tensor>& all) -> std::optional<Tensor> {
    if (!all) return std::nullopt;
    return all->sliced(0, begin, end);
  };
  return {samples.x.sliced(0, begin, end), part(samples.labels), part(samples.target),
          samples.classes};
}

Samples batch_of(const Preset& preset, const Samples& training, std::uint64_t step) {
  const std::int64_t size = std::min(preset.batch, training.count());
  const auto batches = static_cast<std::uint64_t>(training.count() / size);
  const std::int64_t begin = static_cast<std::int64_t>(step % batches) * size;
  return rows_of(training, begin, begin + size);
}

Losses losses_of(Tape& tape, const Network& network, const Samples& samples) {
  const Variable answer = network.forward(tape, tape.data("x", samples.x));
  const Engine::LayerScope layer(tape.engine(), "loss");
  if (samples.target) {
    Variable loss = tape.mean_square_error(answer, *samples.target);
    if (!samples.labels) return {std::move(loss), std::nullopt};
    return {std::move(loss), nearest_number_hits(tape.engine(), answer.value(), *samples.labels,
                                                 samples.classes)};
  }
  Tape::Classified classified = tape.cross_entropy(answer, *samples.labels);
  return {std::move(classified.loss), std::move(classified.hits)};
}

}  // namespace warpbook::training
