// Which operations of a device's streams are certain to be over when another one begins, whatever a GPU does first: by the order
// within a stream, events, the rules of the legacy default stream, and what the host has waited for. Two operations without such an
// order, of which one writes what the other uses, are a race between streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warpbook::device::runtime {

/// Numbers the operations in the order in which the host asks for them.
class StreamOrder {
 public:
  /// Of each stream, the number of its last operation that is certain to be over; all before it in that stream are, too.
  using Past = std::map<std::uint32_t, std::size_t>;

  /// A stream that neither waits for the legacy default stream nor is waited for.
  void make_independent(std::uint32_t stream) { independent_[stream] = true; }
  /// The next operation, in that stream; gives what is over when it begins. `host`: what the host had waited for when it asked, which
  /// may be earlier than now, since work is queued.
  Past add(std::uint32_t stream, const Past& host);
  Past add(std::uint32_t stream) { return add(stream, host_); }
  /// What is over when the next operation of the stream begins.
  [[nodiscard]] Past before(std::uint32_t stream, const Past& host) const;
  void record_event(std::uint32_t event, std::uint32_t stream);
  /// What comes next in the stream begins after what the event stands for; an event that was never recorded stands for nothing.
  void wait_for_event(std::uint32_t stream, std::uint32_t event);
  /// The host waits, so all that it asks for from now on comes later.
  void host_waits(std::uint32_t stream);
  void host_waits_for_event(std::uint32_t event);
  void host_waits_for_all();
  [[nodiscard]] const Past& host() const { return host_; }

 private:
  /// What a stream has behind it once all that is in it is done.
  [[nodiscard]] Past behind(std::uint32_t stream) const;
  [[nodiscard]] bool is_independent(std::uint32_t stream) const {
    return independent_.contains(stream);
  }

  std::size_t operations_ = 0;
  Past host_;
  std::map<std::uint32_t, Past> streams_, events_;
  std::map<std::uint32_t, bool> independent_;
};

/// Bytes from `begin` to before `end`.
struct Extent {
  std::uint64_t begin = 0, end = 0;
};
/// What an operation uses of memory.
struct Footprint {
  std::vector<Extent> reads, writes;
};
/// Sorted, and what touches is joined.
std::vector<Extent> joined(std::vector<Extent> extents);

/// An operation as races are looked for: the caller keeps all of it.
struct OrderedOperation {
  std::uint32_t stream = 0;
  const StreamOrder::Past* past = nullptr;
  const Footprint* footprint = nullptr;
};
/// A race: the numbers of two operations, the earlier one first, and a byte that both use.
struct StreamRace {
  std::size_t first = 0, second = 0;
  std::uint64_t address = 0;
};
/// All races. Of more operations than kMostCompared, each is only held against the kMostCompared before it.
std::vector<StreamRace> stream_races(std::span<const OrderedOperation> operations);
inline constexpr std::size_t kMostCompared = 1024;

}  // namespace warpbook::device::runtime
