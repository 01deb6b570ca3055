#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>

#include "device/simulator/state/access.hpp"
#include "lab/exhibits/tile/tile.hpp"
#include "lab/model/global_accesses.hpp"
#include "lab/model/ptx_words.hpp"

namespace warpbook::lab {
namespace {

/// Steps that are kept; a kernel may loop over its barriers for long.
constexpr std::size_t kMostSteps = 64;

using Tile = TileExhibit;

/// One warp instruction of the trace: its lanes' offsets, as the counting of passes takes them.
struct SharedRequest {
  std::array<std::uint64_t, device::kLanes> offset{};
  std::uint32_t lanes = 0;
  std::uint8_t bytes = 0;
};

class TileMaker {
 public:
  TileMaker(const device::LaunchRecord& record, const WantedTile& wanted)
      : record_(record), wanted_(wanted) {
    made_.rows = wanted.rows;
    made_.columns = wanted.columns;
    made_.block = wanted.block;
    made_.grid = record.grid;
    made_.threads = record.block;
    made_.followed = wanted.followed;
    for (const device::InstructionCounters& instruction : record.instructions)
      words_.push_back(ptx_words(instruction.text));
    for (const PtxWords& words : words_) {
      if (words.operands.empty() || !writes_register(words)) continue;
      for (const std::string& name : words.operands[0]) ++definitions_[name];
    }
  }

  Tile make() {
    for (const device::Access& access : record_.trace) {
      if (access.block != wanted_.block) continue;
      if (access.barriers >= kMostSteps) {
        made_.cut = true;
        break;
      }
      see(access);
    }
    end_request();
    made_.stopped = stopped_by_budget(record_);
    made_.cut = made_.cut || made_.stopped || is_cut_by_trace();
    for (std::size_t step = 0; step < cells_.size(); ++step) {
      for (auto& [place, cell] : cells_[step]) {
        std::ranges::sort(cell.readers);
        const auto repeated = std::ranges::unique(cell.readers);
        cell.readers.erase(repeated.begin(), repeated.end());
        made_.steps[step].cells.push_back(std::move(cell));
      }
    }
    return std::move(made_);
  }

 private:
  /// The trace ends with this block or before it.
  [[nodiscard]] bool is_cut_by_trace() const {
    return record_.trace_cut &&
           (record_.trace.empty() || record_.trace.back().block <= wanted_.block);
  }

  void see(const device::Access& access) {
    if (access.barriers >= made_.steps.size()) {
      end_request();
      made_.steps.resize(access.barriers + std::size_t{1});
      cells_.resize(made_.steps.size());
    }
    if (access.request != request_) {
      end_request();
      request_ = access.request;
      begin_request(access);
    }
    if (access.space == device::Space::global && access.kind == device::AccessKind::load)
      see_load(access);
    if (access.space == device::Space::shared) see_shared(access);
  }

  void begin_request(const device::Access& access) {
    step_ = access.barriers;
    if (access.space != device::Space::global) return;
    const bool loads = access.kind == device::AccessKind::load;
    ++(loads ? made_.steps[step_].global_loads : made_.steps[step_].global_stores);
  }

  void end_request() {
    if (shared_.lanes != 0) {
      Tile::Step& step = made_.steps[step_];
      ++step.shared_requests;
      step.shared_passes +=
          device::count_wavefronts(shared_.offset.data(), shared_.lanes, shared_.bytes).taken;
    }
    shared_ = {};
  }

  /// The element that the thread has in a register from now on.
  void see_load(const device::Access& access) {
    const PtxWords& words = words_[access.instruction];
    if (words.operands.empty() || words.operands[0].empty()) return;
    const auto home = std::ranges::find_if(record_.allocations, [&](const auto& allocation) {
      return access.address >= allocation.address &&
             access.address < allocation.address + allocation.bytes;
    });
    if (home == record_.allocations.end()) return;
    const std::uint64_t size = size_of(home->type),
                        each = std::max<std::uint64_t>(1, access.bytes / words.operands[0].size());
    const std::uint32_t array = array_named(home->name);
    for (std::size_t i = 0; i < words.operands[0].size(); ++i) {
      const std::uint64_t offset = access.address - home->address + i * each;
      held_[{access.thread, words.operands[0][i]}] = {array,
                                                      static_cast<std::int64_t>(offset / size)};
    }
  }

  std::uint32_t array_named(const std::string& name) {
    const auto found = std::ranges::find(made_.arrays, name);
    if (found == made_.arrays.end()) {
      made_.arrays.push_back(name);
      return static_cast<std::uint32_t>(made_.arrays.size() - 1);
    }
    return static_cast<std::uint32_t>(found - made_.arrays.begin());
  }

  /// Every element of the access that lies in the tile.
  void see_shared(const device::Access& access) {
    const std::uint64_t places = std::uint64_t{wanted_.rows} * wanted_.columns,
                        end = wanted_.offset + places * wanted_.bytes;
    bool inside = false;
    for (std::uint64_t i = 0; i * wanted_.bytes < access.bytes; ++i) {
      const std::uint64_t at = access.address + i * wanted_.bytes;
      if (at < wanted_.offset || at >= end) continue;
      inside = true;
      const auto place = static_cast<std::uint32_t>((at - wanted_.offset) / wanted_.bytes);
      Tile::Cell& cell = cells_[access.barriers][place];
      cell.place = place;
      touch(cell, access, i);
    }
    if (!inside) return;
    const std::uint32_t lane = access.thread % device::kLanes;
    shared_.offset[lane] = access.address;
    shared_.lanes |= 1u << lane;
    shared_.bytes = access.bytes;
  }

  void touch(Tile::Cell& cell, const device::Access& access, std::uint64_t element) {
    if (access.kind != device::AccessKind::store) {
      ++cell.reads;
      cell.readers.push_back(access.thread);
    }
    if (access.kind == device::AccessKind::load) return;
    ++cell.writes;
    cell.writer = access.thread;
    cell.source = stored_by(access, element);
  }

  /// Where the stored value came from: the register must have been written by one load and by nothing else.
  [[nodiscard]] std::optional<Tile::Source> stored_by(const device::Access& access,
                                                      std::uint64_t element) const {
    const PtxWords& words = words_[access.instruction];
    if (!words.opcode.starts_with("st.") || words.operands.size() < 2 ||
        element >= words.operands[1].size())
      return {};
    const std::string& name = words.operands[1][element];
    const auto written = definitions_.find(name);
    if (written == definitions_.end() || written->second != 1) return {};
    const auto found = held_.find({access.thread, name});
    return found == held_.end() ? std::nullopt : std::optional(found->second);
  }

  const device::LaunchRecord& record_;
  const WantedTile& wanted_;
  std::vector<PtxWords> words_;                            // by instruction
  std::unordered_map<std::string, unsigned> definitions_;  // instructions that write a register
  std::map<std::pair<std::uint32_t, std::string>, Tile::Source> held_;  // by thread and register
  std::vector<std::map<std::uint32_t, Tile::Cell>> cells_;              // by step, then by place
  std::uint32_t request_ = ~0u;
  std::size_t step_ = 0;  // of the request
  SharedRequest shared_;
  Tile made_;
};

}  // namespace

TileExhibit tile_of(const device::LaunchRecord& record, const WantedTile& wanted) {
  return TileMaker(record, wanted).make();
}

}  // namespace warpbook::lab
