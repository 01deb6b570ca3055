#include "cli/commands/train_together.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "training/parallel/together.hpp"

namespace warpbook::cli {

int train_on_devices(lab::Lab& lab, const TogetherRequest& request, std::uint64_t devices,
                     const lab::Strings& strings) {
  training::Cluster cluster(lab, devices);
  training::DataParallel training(cluster, request.preset, request.seed);
  training::Together together;
  together.preset = request.preset.name;
  together.members = devices;
  together.steps = request.steps;
  for (std::uint64_t step = 0; step < request.steps; ++step) {
    cluster.forget_traffic();
    const training::CurvePoint point = training.step();
    together.loss = point.loss;
    if (step % request.preset.point_every == 0)
      fmt::print(stderr, "{}\n", training::point_text(point, strings));
  }
  together.bytes_sent = training::bytes_sent(cluster.traffic(), 0);
  together.weights = training::weights_checksum(training.replica(0));
  for (std::size_t i = 1; i < devices; ++i)
    together.equal &= training::weights_checksum(training.replica(i)) == together.weights;
  fmt::print("{}", training::text_of(together, strings));
  return kDone;
}

int train_by_ranks(const TogetherRequest& request, std::uint64_t ranks, const std::string& gpu,
                   const std::string& checks, const lab::Strings& strings,
                   const std::string& language) {
  const auto program = device::executable_path().parent_path() / "warpbook-ranks";
  if (access(program.c_str(), X_OK) != 0) {
    fmt::print(stderr, "warpbook: {}\n", strings("training.together.no-mpi"));
    return kMissing;
  }
  std::vector<std::string> words{"mpiexec",
                                 "-n",
                                 std::to_string(ranks),
                                 program.string(),
                                 request.preset.name,
                                 std::to_string(request.steps),
                                 std::to_string(request.seed),
                                 gpu,
                                 checks,
                                 language};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  fmt::print(
      stderr, "warpbook: {}\n",
      strings("training.together.no-start", {{"why", std::generic_category().message(errno)}}));
  return kMissing;
}

}  // namespace warpbook::cli
