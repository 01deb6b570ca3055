#include "device/runtime/stream_order.hpp"

#include <algorithm>

namespace warpbook::device::runtime {
namespace {

void join(StreamOrder::Past& past, const StreamOrder::Past& other) {
  for (const auto& [stream, operation] : other) {
    const auto [found, fresh] = past.try_emplace(stream, operation);
    if (!fresh) found->second = std::max(found->second, operation);
  }
}

/// A byte that two sorted lists share.
std::optional<std::uint64_t> shared_byte(const std::vector<Extent>& a,
                                         const std::vector<Extent>& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const std::uint64_t begin = std::max(i->begin, j->begin);
    if (begin < std::min(i->end, j->end)) return begin;
    if (i->end < j->end)
      ++i;
    else
      ++j;
  }
  return {};
}

std::optional<std::uint64_t> collision(const Footprint& a, const Footprint& b) {
  if (const auto byte = shared_byte(a.writes, b.writes)) return byte;
  if (const auto byte = shared_byte(a.writes, b.reads)) return byte;
  return shared_byte(a.reads, b.writes);
}

}  // namespace

StreamOrder::Past StreamOrder::behind(std::uint32_t stream) const {
  Past past;
  const auto take = [&](std::uint32_t other) {
    if (const auto found = streams_.find(other); found != streams_.end()) join(past, found->second);
  };
  take(stream);
  if (is_independent(stream)) return past;
  if (stream != 0) {
    take(0);
    return past;
  }
  for (const auto& [other, its] : streams_) {
    if (!is_independent(other)) join(past, its);
  }
  return past;
}

StreamOrder::Past StreamOrder::before(std::uint32_t stream, const Past& host) const {
  Past past = behind(stream);
  join(past, host);
  return past;
}

StreamOrder::Past StreamOrder::add(std::uint32_t stream, const Past& host) {
  Past past = before(stream, host);
  Past& now = streams_[stream];
  now = past;
  now[stream] = operations_++;
  return past;
}

void StreamOrder::record_event(std::uint32_t event, std::uint32_t stream) {
  events_[event] = behind(stream);
}

void StreamOrder::wait_for_event(std::uint32_t stream, std::uint32_t event) {
  if (const auto found = events_.find(event); found != events_.end())
    join(streams_[stream], found->second);
}

void StreamOrder::host_waits(std::uint32_t stream) { join(host_, behind(stream)); }

void StreamOrder::host_waits_for_event(std::uint32_t event) {
  if (const auto found = events_.find(event); found != events_.end()) join(host_, found->second);
}

void StreamOrder::host_waits_for_all() {
  for (const auto& [stream, past] : streams_) join(host_, past);
}

std::vector<Extent> joined(std::vector<Extent> extents) {
  std::ranges::sort(extents, {}, &Extent::begin);
  std::vector<Extent> made;
  for (const Extent& extent : extents) {
    if (!made.empty() && extent.begin <= made.back().end)
      made.back().end = std::max(made.back().end, extent.end);
    else
      made.push_back(extent);
  }
  return made;
}

std::vector<StreamRace> stream_races(std::span<const OrderedOperation> operations) {
  std::vector<StreamRace> races;
  for (std::size_t j = 0; j < operations.size(); ++j) {
    const OrderedOperation& later = operations[j];
    for (std::size_t i = j - std::min(j, kMostCompared); i < j; ++i) {
      const OrderedOperation& earlier = operations[i];
      if (earlier.stream == later.stream) continue;
      const auto over = later.past->find(earlier.stream);
      if (over != later.past->end() && over->second >= i) continue;
      if (const auto byte = collision(*earlier.footprint, *later.footprint))
        races.push_back({i, j, *byte});
    }
  }
  return races;
}

}  // namespace warpbook::device::runtime
