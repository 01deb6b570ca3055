// What connects GPUs, with published rates, and how long a message takes by it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "device/error.hpp"
#include "device/runtime/device_clock.hpp"

namespace warpbook::training {

using device::runtime::Duration;

struct Link {
  std::string_view name;    ///< "nvlink-4"
  std::string_view source;  ///< of its rate
  double rate = 0;          ///< bytes a second that a GPU can send, and as many that it can receive at the same time
  double latency = 0;       ///< seconds that a message takes before its first byte is there
};

std::span<const Link> links();
/// Error: unknown_name, with those there are.
device::Expected<const Link*> find_link(std::string_view name);

/// An estimate with its band: libraries reach about four fifths of a link's rate.
Duration message_time(const Link& link, double bytes);
/// All-reduce around a ring: 2 (n - 1) messages, one after the other, of an n-th of the bytes each.
Duration ring_time(const Link& link, std::size_t devices, double bytes);
/// Everybody sends to one device, which sends the sum back to all: it receives and sends (n - 1) times the bytes.
Duration star_time(const Link& link, std::size_t devices, double bytes);

}  // namespace warpbook::training
