#include "training/parallel/links.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "lab/text/toml_value.hpp"

namespace warpbook::training {
namespace {

// Latencies are of the order that nccl-tests shows for tiny messages: 6 us for an all-reduce of two GPUs over PCIe, which is two
// messages (pastebin.com/ne4ipn6K), and a few times as much where a message leaves the machine. The band allows for half and for
// four times as much.
constexpr double kInside = 3e-6, kOutside = 10e-6;

// "450GB/s is the line rate. With the protocol overhead (~20%) NCCL can get an effective NVLink bandwidth of 370GB/s"
// (github.com/NVIDIA/nccl-tests/issues/212). Others reach less: 208 of an A100's 300 GB/s (issues/178).
constexpr double kReached = 0.8, kMostReached = 0.9, kLeastReached = 0.5;
constexpr double kShortLatency = 0.5, kLongLatency = 4;

// Data sheets give the sum of both directions; here is one.
constexpr std::string_view kNvlink = "NVIDIA, NVLink and NVSwitch, table of generations";
constexpr std::array<Link, 7> kLinks{{
    {"nvlink-5", kNvlink, 900e9, kInside},
    {"nvlink-4", kNvlink, 450e9, kInside},
    {"nvlink-3", kNvlink, 300e9, kInside},
    {"pcie-5", "PCI-SIG, 32 GT/s over 16 lanes", 63e9, kInside},
    {"pcie-4", "PCI-SIG, 16 GT/s over 16 lanes", 31.5e9, kInside},
    {"infiniband", "NVIDIA, ConnectX-7, NDR, 400 Gb/s", 50e9, kOutside},
    {"ethernet", "IEEE 802.3, 100 Gb/s", 12.5e9, kOutside},
}};

/// `messages`, one after the other, of `bytes` in all.
Duration time_of(const Link& link, double messages, double bytes) {
  const auto at = [&](double reached, double latency) {
    return messages * latency * link.latency + bytes / (reached * link.rate);
  };
  return {at(kReached, 1), at(kMostReached, kShortLatency), at(kLeastReached, kLongLatency)};
}

}  // namespace

std::span<const Link> links() { return kLinks; }

device::Expected<const Link*> find_link(std::string_view name) {
  const auto found = std::ranges::find(kLinks, name, &Link::name);
  if (found != kLinks.end()) return &*found;
  std::vector<std::string> known;
  for (const Link& link : kLinks) known.emplace_back(link.name);
  return device::failure(device::ErrorCode::unknown_name,
                         {{"kind", device::Message{"phrase.kind.link", {}, {}}},
                          {"name", std::string(name)},
                          {"known", lab::listed(known)}});
}

Duration message_time(const Link& link, double bytes) { return time_of(link, 1, bytes); }

Duration ring_time(const Link& link, std::size_t devices, double bytes) {
  if (devices < 2) return {};
  const double n = static_cast<double>(devices), messages = 2 * (n - 1);
  return time_of(link, messages, messages / n * bytes);
}

Duration star_time(const Link& link, std::size_t devices, double bytes) {
  if (devices < 2) return {};
  const double others = static_cast<double>(devices) - 1;
  // What arrives and what goes out follow each other, because the sum has to be there first.
  return time_of(link, 2, 2 * others * bytes);
}

}  // namespace warpbook::training
