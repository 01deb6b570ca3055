#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "lab/exhibits/sectors/sectors.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/model/global_accesses.hpp"

namespace warpbook::lab {
namespace {

/// Requests that are kept lane by lane, shared out among the places.
constexpr std::size_t kMostRequests = 256;

using Sectors = SectorsExhibit;

/// The kind of an instruction that the trace does not show.
device::AccessKind kind_of(std::string_view ptx) {
  const std::string_view operation =
      ptx.starts_with('@') ? ptx.substr(std::min(ptx.size(), ptx.find(' ') + 1)) : ptx;
  if (operation.starts_with("ld")) return device::AccessKind::load;
  return operation.starts_with("atom") || operation.starts_with("red") ? device::AccessKind::atomic
                                                                       : device::AccessKind::store;
}

class SectorsMaker {
 public:
  explicit SectorsMaker(const device::LaunchRecord& record) : record_(record) {
    made_.grid = record.grid;
    made_.block = record.block;
    made_.stopped = stopped_by_budget(record);
  }

  Sectors make(const WantedRequest& wanted) {
    read_trace();
    for (std::size_t i = 0; i < record_.instructions.size(); ++i)
      count(static_cast<std::uint32_t>(i));
    keep();
    choose(wanted);
    return std::move(made_);
  }

 private:
  std::uint32_t array_at(const device::AllocationInfo* home) {
    const auto [found, fresh] =
        array_of_.try_emplace(home, static_cast<std::uint32_t>(made_.arrays.size()));
    if (fresh) {
      if (home)
        made_.arrays.push_back(
            {home->name, home->bytes, static_cast<std::uint32_t>(home->address % kLineBytes)});
      else
        made_.arrays.emplace_back();
    }
    return found->second;
  }

  Sectors::Lane lane_of(const device::Access& access) {
    // Neighbours in the trace mostly reach the same allocation.
    const auto within = [&](const device::AllocationInfo* a) {
      return a && access.address >= a->address && access.address - a->address < a->bytes;
    };
    if (!within(home_)) {
      const auto found = std::ranges::find_if(
          record_.allocations, [&](const device::AllocationInfo& a) { return within(&a); });
      home_ = found == record_.allocations.end() ? nullptr : &*found;
    }
    return {static_cast<std::uint8_t>(access.thread % device::kLanes), array_at(home_),
            access.address - (home_ ? home_->address : 0)};
  }

  std::uint32_t place_at(std::uint32_t line, device::AccessKind kind, std::uint32_t array,
                         std::uint32_t bytes) {
    const auto same = [&](const Sectors::Place& p) {
      return p.line == line && p.kind == kind && p.array == array && p.bytes == bytes;
    };
    const auto at = std::ranges::find_if(made_.places, same) - made_.places.begin();
    if (at == std::ssize(made_.places)) made_.places.push_back({line, array, kind, bytes, 0, 0, 0});
    return static_cast<std::uint32_t>(at);
  }

  void read_trace() {
    place_of_.resize(record_.instructions.size(), kNowhere);
    std::uint32_t request = 0;
    bool open = false;
    for (const device::Access& access : record_.trace) {
      if (access.space != device::Space::global || access.instruction >= place_of_.size()) continue;
      const Sectors::Lane lane = lane_of(access);
      if (!open || access.request != request) {
        std::uint32_t& place = place_of_[access.instruction];
        if (place == kNowhere)
          place = place_at(record_.instructions[access.instruction].place.line, access.kind,
                           lane.array, access.bytes);
        made_.requests.push_back({place, access.block, access.thread / device::kLanes, {}});
        request = access.request;
        open = true;
      }
      made_.requests.back().lanes.push_back(lane);
    }
    // Where the trace was cut, its last request may lack lanes.
    if (record_.trace_cut && !made_.requests.empty()) made_.requests.pop_back();
  }

  void count(std::uint32_t instruction) {
    const device::InstructionCounters& counted = record_.instructions[instruction];
    if (counted.counters.global_requests == 0) return;
    if (place_of_[instruction] == kNowhere) {
      const device::AccessKind kind = kind_of(counted.text);
      const auto like = std::ranges::find_if(made_.places, [&](const Sectors::Place& p) {
        return p.line == counted.place.line && p.kind == kind;
      });
      place_of_[instruction] = like == made_.places.end()
                                   ? place_at(counted.place.line, kind, array_at(nullptr), 0)
                                   : static_cast<std::uint32_t>(like - made_.places.begin());
    }
    Sectors::Place& place = made_.places[place_of_[instruction]];
    place.requests += counted.counters.global_requests;
    place.sectors += counted.counters.global_sectors;
    place.bytes_asked += counted.counters.global_bytes_asked;
  }

  /// The same number of each place, so that none has only others' room.
  void keep() {
    const std::size_t each =
        std::max<std::size_t>(1, kMostRequests / std::max<std::size_t>(1, made_.places.size()));
    std::vector<std::size_t> kept(made_.places.size());
    std::erase_if(made_.requests,
                  [&](const Sectors::Request& request) { return ++kept[request.place] > each; });
  }

  void choose(const WantedRequest& wanted) {
    const auto found = std::ranges::find_if(made_.requests, [&](const Sectors::Request& request) {
      const Sectors::Place& place = made_.places[request.place];
      return request.block == wanted.block && request.warp == wanted.warp &&
             (wanted.line == 0 || (place.line == wanted.line && place.kind == wanted.kind));
    });
    if (found != made_.requests.end())
      made_.chosen = static_cast<std::uint32_t>(found - made_.requests.begin());
  }

  static constexpr std::uint32_t kNowhere = ~0u;
  const device::LaunchRecord& record_;
  const device::AllocationInfo* home_ = nullptr;
  std::unordered_map<const device::AllocationInfo*, std::uint32_t> array_of_;
  std::vector<std::uint32_t> place_of_;  // by instruction
  Sectors made_;
};

}  // namespace

SectorsExhibit sectors_of(const device::LaunchRecord& record, const WantedRequest& wanted) {
  return SectorsMaker(record).make(wanted);
}

}  // namespace warpbook::lab
