// The hidden verbs in which children of our own run: `worker` (NVIDIA's code) and `check-worker` (a submission's check).
#include "cli/command.hpp"
#include "device/platform.hpp"
#include "device/worker/worker_main.hpp"
#include "exercises/catalogue.hpp"
#include "lab/exercise.hpp"

namespace warpbook::cli {

void add_workers(CLI::App& app, Action& action) {
  auto kind = std::make_shared<std::string>();
  CLI::App* worker = app.add_subcommand("worker", "")->group("");
  worker->add_option("kind", *kind)->required();
  worker->callback([kind, &action] {
    action = [kind] {
      char* words[] = {kind->data()};
      return device::worker_main(words);
    };
  });
  CLI::App* check = app.add_subcommand("check-worker", "")->group("");
  check->callback([&action] {
    action = [] {
      return lab::check_worker_main(exercises::catalogue(), device::root_folder().string());
    };
  });
}

}  // namespace warpbook::cli
