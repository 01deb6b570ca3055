// The main of every test program that links device: it is its own worker. What is tested starts its
// own binary anew as `warpbook worker KIND` (device/worker), and in a test that binary is the test
// program.
#include <catch2/catch_session.hpp>

#include <span>
#include <string_view>

#include "device/assembly/worker_main.hpp"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "worker") {
    return warpbook::device::worker_main(std::span(argv + 2, static_cast<std::size_t>(argc - 2)));
  }
  return Catch::Session().run(argc, argv);
}
