// One library asked about one problem: what it has, what keeps to a cap on workspace, and how long each takes.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "device/libraries/client.hpp"

namespace warpbook::lab {

inline constexpr std::uint64_t kNoCap = ~std::uint64_t{0};

struct LibraryQuestion {
  device::libraries::Kind kind = device::libraries::Kind::cudnn;
  device::libraries::Problem problem;
  device::libraries::Target target;
  std::uint64_t workspace_cap = kNoCap;  ///< bytes
  bool times = false;
  bool time_references =
      true;            ///< also the plain loops that a library holds itself against, which are slow
  double longest = 2;  ///< seconds; what runs for longer is stopped
  device::TimeLimits limits;
};

struct LibraryAnswer {
  device::libraries::Kind kind = device::libraries::Kind::cudnn;
  std::optional<device::libraries::Identity> identity;
  std::optional<device::Error> error;
  std::string on;                                        ///< the device that times were measured on
  std::vector<device::libraries::Algorithm> algorithms;  ///< that keep to the cap
  std::vector<std::uint32_t> indices;                    ///< their places in the library's offer
  std::vector<bool> tried;  ///< to be timed; empty: times were not asked for
  std::vector<std::optional<device::Timing>> timings;  ///< of those; nothing: too slow
  std::uint32_t left_out = 0, refused = 0, over_cap = 0;
};

/// Asks `client`, which is the question's kind of library. `stop` ends its worker: error cancelled.
LibraryAnswer ask_library(const LibraryQuestion& question, device::libraries::Client& client,
                          const std::stop_token& stop = {});

}  // namespace warpbook::lab
