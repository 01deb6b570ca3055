#include "lab/exhibits/spaces/journey_of.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "device/gpu_table.hpp"
#include "device/sectors.hpp"
#include "lab/exhibits/spaces/spaces.hpp"
#include "lab/model/ptx_words.hpp"

namespace warpbook::lab {
namespace {

using device::Access;
using device::AccessKind;
using Box = SpacesExhibit::Box;
using Journey = SpacesExhibit::Journey;
using Station = SpacesExhibit::Station;

constexpr std::size_t kMostStations = 12,
                      kMostPlaces = 6;  ///< more places have no stations

/// A value in the trace: the access that read or wrote it, and its own address there.
struct Seen {
  std::size_t at = 0;  ///< index into the trace
  std::uint64_t address = 0;
};

bool touches(const Access& access, std::uint64_t address, std::uint64_t bytes) {
  return access.address < address + bytes && access.address + access.bytes > address;
}
bool same_thread(const Access& a, const Access& b) {
  return a.block == b.block && a.thread == b.thread;
}

/// A place in memory where the value stands, and what became of it there.
struct Whereabouts {
  device::Space space = device::Space::global;
  std::uint64_t address = 0;
  std::optional<std::size_t> stored;  ///< by which access; none: it stands there before the launch
  std::optional<std::size_t> read;    ///< the first load of it
  std::vector<std::string> held;      ///< registers that have it from that load
  bool copies = false;                ///< that load is an asynchronous copy
  std::set<std::pair<std::uint32_t, std::uint32_t>> threads, requests;  ///< that load it
  std::uint64_t loads = 0;
  bool overwritten = false, passed_on = false, lost = false;  ///< lost: the registers hold another
};

class Walk {
 public:
  Walk(const device::LaunchRecord& record, const Followed& followed, const device::Properties& gpu)
      : record_(record), followed_(followed), rates_(device::rates_of(gpu)) {
    for (const auto& instruction : record.instructions)
      words_.push_back(ptx_words(instruction.text));
  }

  Journey take() {
    journey_.name = followed_.name();
    journey_.value = followed_.value;
    watch();
    if (from_constant_ && from_constant_->front().read) {
      tell_constant(*from_constant_);
    } else if (from_global_.front().read) {
      tell_global(from_global_);
    } else if (followed_.textured) {
      from_texture();
    }
    return std::move(journey_);
  }

 private:
  /// Where the value stands first, and the places that it is stored to, each from the one before.
  using Chain = std::vector<Whereabouts>;

  /// Goes through the trace, once.
  void watch() {
    const std::uint64_t sector = first_sector();
    from_global_ = {Whereabouts{device::Space::global, followed_.address}};
    if (followed_.constant)
      from_constant_ = {Whereabouts{device::Space::constant, *followed_.constant}};
    for (std::size_t i = 0; i < record_.trace.size(); ++i) {
      const Access& a = record_.trace[i];
      if (!fetches_ && a.space == device::Space::global && a.kind == AccessKind::load &&
          touches(a, sector, device::kSectorBytes))
        fetches_ = i;
      see(from_global_, i);
      if (from_constant_) see(*from_constant_, i);
    }
  }

  void see(Chain& chain, std::size_t at) const {
    // What this access stores stands there from the next one on.
    const std::size_t known = chain.size();
    for (std::size_t p = 0; p < known; ++p) {
      if (auto next = see_store(chain[p], at); next && chain.size() < kMostPlaces)
        chain.push_back(std::move(*next));
      see_load(chain[p], at);
    }
  }

  void see_load(Whereabouts& place, std::size_t at) const {
    const Access& a = record_.trace[at];
    if (place.overwritten || a.space != place.space ||
        !touches(a, place.address, followed_.bytes) || !reaches(a, place))
      return;
    if (a.kind == AccessKind::store || (place.stored && a.kind != AccessKind::load)) {
      place.overwritten = place.stored.has_value();
      return;
    }
    place.threads.emplace(a.block, a.thread);
    place.requests.emplace(a.block, a.request);
    ++place.loads;
    if (place.read || a.kind != AccessKind::load) return;
    place.read = at;
    place.copies = words_[a.instruction].opcode.starts_with("cp.async");
    if (!place.copies) place.held = holders_of(register_of({at, place.address}));
  }

  /// Whether an access means the same memory: each block has shared memory of its own, each thread local memory.
  [[nodiscard]] bool reaches(const Access& a, const Whereabouts& place) const {
    if (!place.stored || place.space == device::Space::global) return true;
    const Access& by = record_.trace[*place.stored];
    return place.space == device::Space::shared ? a.block == by.block : same_thread(a, by);
  }

  /// Where the access stores the value that its thread has from `place`; none where it does not.
  [[nodiscard]] std::optional<Whereabouts> see_store(Whereabouts& place, std::size_t at) const {
    if (!place.read || place.passed_on || place.lost) return {};
    const Access &a = record_.trace[at], &by = record_.trace[*place.read];
    if (!same_thread(a, by)) return {};
    const bool same = a.instruction == by.instruction;
    std::optional<std::uint64_t> address;
    if (place.copies) {
      if (same && a.space == device::Space::shared && a.kind == AccessKind::store)
        address = a.address + (place.address - by.address);
    } else if (same && a.kind == AccessKind::load) {
      place.lost = true;
    } else if (a.kind == AccessKind::store) {
      address = stored_from(a, place.held);
    }
    if (!address) return {};
    place.passed_on = true;
    return Whereabouts{a.space, *address, at};
  }

  /// Where a store puts what is in one of the registers.
  [[nodiscard]] std::optional<std::uint64_t> stored_from(
      const Access& a, const std::vector<std::string>& held) const {
    const PtxWords& words = words_[a.instruction];
    if (held.empty() || words.operands.size() < 2) return {};
    const auto& values = words.operands[1];
    const auto found = std::ranges::find_first_of(values, held);
    if (found == values.end()) return {};
    return a.address +
           static_cast<std::uint64_t>(found - values.begin()) * (a.bytes / values.size());
  }

  /// Those accesses of the same kind that one warp made at once with it; they stand together in the trace.
  [[nodiscard]] std::span<const Access> lanes_of(std::size_t at) const {
    const Access& one = record_.trace[at];
    const auto same = [&](const Access& a) {
      return a.block == one.block && a.request == one.request;
    };
    std::size_t first = at, last = at + 1;
    while (first > 0 && same(record_.trace[first - 1])) --first;
    while (last < record_.trace.size() && same(record_.trace[last])) ++last;
    return std::span(record_.trace).subspan(first, last - first);
  }

  [[nodiscard]] std::uint64_t first_sector() const {
    return followed_.address / device::kSectorBytes * device::kSectorBytes;
  }

  [[nodiscard]] std::uint32_t line_of(std::uint32_t instruction) const {
    const auto& one = record_.instructions[instruction];
    return one.inlined_at.empty() ? one.place.line : one.inlined_at.back().line;
  }

  Station& add(Box box, Message says) {
    journey_.stations.push_back({box, std::move(says), {}, 0, {}, {}});
    return journey_.stations.back();
  }
  Station& add(Box box, const Access& by, const std::string& key, MessageArguments arguments = {}) {
    arguments.emplace_back("thread", std::to_string(by.thread));
    arguments.emplace_back("block", std::to_string(by.block));
    Station& made = add(box, {"journey." + key, std::move(arguments), {}});
    made.line = line_of(by.instruction);
    made.block = by.block;
    made.thread = by.thread;
    return made;
  }
  static Message clocks(double count) {
    return {"spaces.clocks", {{"clocks", number(count, 4)}}, {}};
  }
  static Message count_of(const char* key, std::uint64_t count) {
    return {key, {{"count", grouped(count)}}, {}};
  }

  /// Who asks for the value where it stands first.
  void tell_readers(const Whereabouts& place) {
    journey_.readers = place.threads.size();
    journey_.requests = place.requests.size();
  }

  void tell_global(const Chain& chain) {
    const Whereabouts& first = chain.front();
    const std::uint64_t before = (first.address - first_sector()) / followed_.bytes,
                        begin = followed_.index - std::min(followed_.index, before),
                        end = std::min(followed_.count, followed_.index - before +
                                                            device::kSectorBytes / followed_.bytes);
    const auto element = [&](std::uint64_t i) {
      return followed_.array + "[" + std::to_string(i) + "]";
    };
    const Access& fetches = record_.trace[*fetches_];
    std::set<std::uint64_t> sectors;
    std::uint64_t lanes = 0;
    for (const Access& a : lanes_of(*fetches_)) {
      if (a.kind != fetches.kind) continue;
      const device::SectorRange touched = device::sectors_of(a.address, a.bytes);
      for (std::uint64_t s = touched.first; s <= touched.last; ++s) sectors.insert(s);
      ++lanes;
    }
    tell_readers(first);
    journey_.sectors = sectors.size();
    add(Box::global, {"journey.stands-global",
                      {{"name", journey_.name}, {"from", element(begin)}, {"to", element(end - 1)}},
                      {}});
    add(Box::l2, fetches, "fetched", {{"lanes", grouped(lanes)}}).cost =
        count_of("sectors.count", sectors.size());
    const Access& reader = record_.trace[*first.read];
    const bool cached = through_l1(reader.instruction);
    if (cached) add(Box::l1, fetches, "kept-l1");
    if (!first.copies) {
      const bool cold = reader.block == fetches.block && reader.request == fetches.request,
                 near = cached && reader.block == fetches.block;
      add(Box::registers, reader, "held",
          {{"name", journey_.name}, {"bytes", std::to_string(followed_.bytes)}})
          .cost = clocks(cold   ? rates_.dram_latency
                         : near ? rates_.l1_latency
                                : rates_.l2_latency);
    }
    go_on(chain);
  }

  /// Loads that ask L2 at once, or whose order other threads may rely on, pass L1 by.
  [[nodiscard]] bool through_l1(std::uint32_t instruction) const {
    const PtxWords& words = words_[instruction];
    return !words.has("cg") && !words.has("cv") && !words.has("volatile");
  }

  void tell_constant(const Chain& chain) {
    const Access& reader = record_.trace[*chain.front().read];
    const auto lanes =
        std::ranges::count(lanes_of(*chain.front().read), reader.address, &Access::address);
    tell_readers(chain.front());
    add(Box::constant, {"journey.stands-constant", {{"name", journey_.name}}, {}});
    add(Box::l2, {"journey.constant-l2", {}, {}});
    add(Box::constant_cache, reader, "constant-cache");
    add(Box::registers, reader, "constant-held",
        {{"count", grouped(static_cast<std::uint64_t>(lanes))}})
        .cost = count_of("spaces.passes", 1);
    go_on(chain);
  }

  /// Textures are counted, but no lane of theirs is traced: what is known is where the kernel asks the unit, and how many
  /// lanes do.
  void from_texture() {
    std::uint64_t lanes = 0;
    std::optional<std::uint32_t> asks;
    for (std::size_t i = 0; i < record_.instructions.size(); ++i) {
      const device::Counters& counters = record_.instructions[i].counters;
      if (counters.texture_requests == 0) continue;
      lanes += counters.thread_instructions;
      if (!asks) asks = static_cast<std::uint32_t>(i);
    }
    if (!asks) return;
    add(Box::texture, {"journey.stands-texture", {{"name", journey_.name}}, {}});
    add(Box::l2, {"journey.texture-l2", {}, {}});
    add(Box::l1, {"journey.texture-l1", {}, {}}).line = line_of(*asks);
    Station& held = add(Box::registers, {"journey.texture-held", {{"lanes", grouped(lanes)}}, {}});
    held.line = line_of(*asks);
    held.cost = count_of("spaces.requests", record_.total.texture_requests);
    const PtxWords& words = words_[*asks];
    if (!words.operands.empty() && !words.operands[0].empty())
      add_use(holders_of(words.operands[0][0]));
  }

  /// From the first load on: each store, and the loads of what it stored.
  void go_on(const Chain& chain) {
    for (std::size_t p = 0; p < chain.size(); ++p) {
      if (journey_.stations.size() + 3 > kMostStations) return;
      if (p + 1 == chain.size()) {
        if (!chain[p].copies) add_use(chain[p].held);
        return;
      }
      const Whereabouts& next = chain[p + 1];
      chain[p].copies ? add_copied(next) : add_store(next);
      if (!next.read) return;
      add_read(next);
    }
  }

  void add_copied(const Whereabouts& place) {
    add(Box::shared, record_.trace[*place.stored], "copied-shared",
        {{"offset", grouped(place.address)}})
        .cost = clocks(rates_.dram_latency);
  }

  /// Which register of a load the value is in; empty where that is not known.
  [[nodiscard]] std::string register_of(const Seen& load) const {
    const Access& a = record_.trace[load.at];
    const PtxWords& words = words_[a.instruction];
    if (words.operands.empty() || words.operands[0].empty()) return {};
    const auto& registers = words.operands[0];
    const std::uint64_t each = std::max<std::uint64_t>(1, a.bytes / registers.size());
    const std::uint64_t at = load.address < a.address ? 0 : (load.address - a.address) / each;
    return at < registers.size() ? registers[at] : std::string();
  }

  [[nodiscard]] std::size_t definitions_of(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::count_if(words_, [&](const PtxWords& words) {
      return writes_register(words) && !words.operands.empty() &&
             std::ranges::find(words.operands[0], name) != words.operands[0].end();
    }));
  }
  /// The register and those that it is moved to, as far as each is written in one place only.
  [[nodiscard]] std::vector<std::string> holders_of(const std::string& first) const {
    if (first.empty() || definitions_of(first) != 1) return {};
    std::vector<std::string> held{first};
    for (std::size_t i = 0; i < held.size(); ++i) {
      for (const PtxWords& words : words_) {
        if (!words.opcode.starts_with("mov.") || words.operands.size() != 2 ||
            words.operands[0].size() != 1 || words.operands[1] != std::vector{held[i]})
          continue;
        const std::string& to = words.operands[0][0];
        if (definitions_of(to) == 1 && std::ranges::find(held, to) == held.end())
          held.push_back(to);
      }
    }
    return held;
  }

  /// "out[3]" of an allocation of the launch; otherwise the address.
  [[nodiscard]] std::string element_at(std::uint64_t address) const {
    for (const device::AllocationInfo& one : record_.allocations) {
      if (address < one.address || address >= one.address + one.bytes) continue;
      return one.name + "[" +
             std::to_string((address - one.address) /
                            std::max<std::uint64_t>(1, device::size_of(one.type))) +
             "]";
    }
    return std::to_string(address);
  }

  void add_store(const Whereabouts& stored) {
    const Access& by = record_.trace[*stored.stored];
    const Message once = count_of("journey.stores", 1);
    if (by.space == device::Space::global) {
      const std::string element = element_at(stored.address);
      add(Box::l2, by, "store-l2", {{"element", element}}).cost = once;
      add(Box::global, {"journey.store-global", {{"element", element}}, {}});
      return;
    }
    const bool shared = by.space == device::Space::shared;
    add(shared ? Box::shared : Box::local, by, shared ? "store-shared" : "store-local",
        {{"offset", grouped(stored.address)}})
        .cost = once;
  }

  /// The first load of what was stored; its station tells how many there are until it is overwritten.
  void add_read(const Whereabouts& place) {
    const bool local = place.space == device::Space::local,
               global = place.space == device::Space::global;
    Station& read = add(Box::registers, record_.trace[*place.read],
                        local    ? "read-local"
                        : global ? "read-global"
                                 : "read-shared",
                        {{"count", grouped(place.threads.size())}});
    read.cost = count_of("journey.loads", place.loads);
  }

  /// The first instruction that ran and computes with one of the registers.
  void add_use(const std::vector<std::string>& held) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const PtxWords& words = words_[i];
      if (record_.instructions[i].counters.warp_instructions == 0 ||
          words.opcode.starts_with("mov.") || !writes_register(words))
        continue;
      for (std::size_t o = 1; o < words.operands.size(); ++o) {
        if (std::ranges::find_first_of(words.operands[o], held) == words.operands[o].end())
          continue;
        Station& used = add(Box::registers, {"journey.used", {{"opcode", words.opcode}}, {}});
        used.line = line_of(static_cast<std::uint32_t>(i));
        return;
      }
    }
  }

  const device::LaunchRecord& record_;
  const Followed& followed_;
  device::GpuRates rates_;
  std::vector<PtxWords> words_;  ///< of record_.instructions
  Chain from_global_;
  std::optional<Chain> from_constant_;
  std::optional<std::size_t> fetches_;  ///< the first load of any of the value's first sector
  Journey journey_;
};

}  // namespace

std::string Followed::name() const { return array + "[" + std::to_string(index) + "]"; }

SpacesExhibit::Journey journey_of(const device::LaunchRecord& record, const Followed& followed,
                                  const device::Properties& gpu) {
  return Walk(record, followed, gpu).take();
}

}  // namespace warpbook::lab
