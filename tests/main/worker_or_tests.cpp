// The main of every test program that links device: it is its own worker. What is tested starts its
// own binary anew as `warpbook worker KIND` (device/worker), and in a test that binary is the test
// program. One that checks submissions is the child in which they run, too: it defines check_worker().
#include <catch2/catch_session.hpp>

#include <span>
#include <string_view>

#include "device/assembly/worker_main.hpp"

namespace warpbook::tests {
/// `warpbook check-worker` of this test program; null where it has none.
[[gnu::weak]] int check_worker();
}  // namespace warpbook::tests

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "worker") {
    return warpbook::device::worker_main(std::span(argv + 2, static_cast<std::size_t>(argc - 2)));
  }
  if (argc > 1 && std::string_view(argv[1]) == "check-worker" && warpbook::tests::check_worker)
    return warpbook::tests::check_worker();
  return Catch::Session().run(argc, argv);
}
