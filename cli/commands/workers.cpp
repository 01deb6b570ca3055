// The hidden verbs in which children of our own run: `worker` (NVIDIA's code) and `check-worker` (a submission's check).
#include "cli/command.hpp"
#include "device/assembly/worker_main.hpp"
#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/exercise/exercise.hpp"

namespace warpbook::cli {

void add_workers(CommandLine& line) {
  auto kind = std::make_shared<std::string>();
  Verb worker = line.add("worker");
  worker.option("kind", *kind, "").required();
  worker.does([kind] {
    char* words[] = {kind->data()};
    return device::worker_main(words);
  });
  line.add("check-worker").does([] {
    return lab::check_worker_main(exercises::catalogue(), device::root_folder().string());
  });
}

}  // namespace warpbook::cli
