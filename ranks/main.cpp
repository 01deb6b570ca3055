// One of several processes that train a network together, each on a simulated GPU of its own: `warpbook train PRESET --ranks N`
// starts them by mpiexec. A program of its own, so that nothing else of Warpbook needs MPI.
#include <mpi.h>

#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "device/assembly/worker_main.hpp"
#include "device/platform.hpp"
#include "lab/text/unicode.hpp"
#include "ranks/mpi_ring.hpp"
#include "training/parallel/together.hpp"

namespace warpbook::ranks {
namespace {

/// The words that `warpbook train` passes on, in this order.
struct Words {
  std::string preset, steps, seed, gpu, checks, language;
};

lab::Lab::Context context_for(const Words& words) {
  static const lab::Inputs no_inputs;
  lab::Lab::Context context;
  context.device = lab::require(device::open_device("simulator", words.gpu));
  context.compiler = std::make_shared<device::Compiler>();
  context.inputs = &no_inputs;
  context.root = device::root_folder().string();
  context.checks = lab::require(device::parse_checks(words.checks));
  return context;
}

void train(const Words& words, training::Place place, const lab::Strings& strings) {
  lab::Lab lab(context_for(words));
  training::Engine engine(lab);
  const training::Preset& preset = *lab::require(training::find_preset(words.preset));
  training::Replica replica(engine, preset, std::stoull(words.seed), place);
  training::Together together;
  together.preset = preset.name;
  together.members = place.of;
  together.processes = true;
  together.steps = std::stoull(words.steps);
  for (std::uint64_t step = 0; step < together.steps; ++step) {
    replica.compute(step);
    together.bytes_sent = ring_all_reduce(engine, replica.sums(), place);
    if (replica.hits()) together.bytes_sent += ring_all_reduce(engine, *replica.hits(), place);
    const training::CurvePoint point = replica.point(step);
    together.loss = point.loss;
    if (place.index == 0 && step % preset.point_every == 0)
      fmt::print(stderr, "{}\n", training::point_text(point, strings));
    replica.update(step);
    engine.finish();
  }
  together.weights = training::weights_checksum(replica);
  std::uint64_t least = 0, most = 0;
  MPI_Allreduce(&together.weights, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&together.weights, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  together.equal = least == most;
  if (place.index == 0) fmt::print("{}", training::text_of(together, strings));
}

/// A rank that fails would leave the others waiting for it: it ends them, too.
int run(const Words& words) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto strings = lab::Strings::load(words.language, device::root_folder().string());
  if (!strings) {
    fmt::print(stderr, "warpbook: {}\n", strings.error().english());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  try {
    train(words, {static_cast<std::size_t>(rank), static_cast<std::size_t>(ranks)}, **strings);
  } catch (const lab::ExperimentFailed& failed) {
    fmt::print(stderr, "warpbook: {}\n", lab::printable((**strings)(failed.error)));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace warpbook::ranks

int main(int argc, char** argv) {
  // Its compiler is a worker process, which is this program again.
  if (argc > 1 && std::string_view(argv[1]) == "worker")
    return warpbook::device::worker_main(std::span(argv + 2, static_cast<std::size_t>(argc - 2)));
  constexpr int kWords = 6;
  if (argc != kWords + 1) {
    fmt::print(stderr, "warpbook-ranks is started by `warpbook train PRESET --ranks N`\n");
    return EXIT_FAILURE;
  }
  MPI_Init(nullptr, nullptr);
  const int code = warpbook::ranks::run({argv[1], argv[2], argv[3], argv[4], argv[5], argv[6]});
  MPI_Finalize();
  return code;
}
