#include "lab/journey_of.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "device/gpu_rates.hpp"
#include "lab/exhibits.hpp"
#include "lab/ptx_words.hpp"

namespace warpbook::lab {
namespace {

using device::Access;
using device::AccessKind;
using Box = SpacesExhibit::Box;
using Journey = SpacesExhibit::Journey;
using Station = SpacesExhibit::Station;

constexpr std::size_t kMostStations = 12;

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
    const auto in_constant = followed_.constant
                                 ? first_load(device::Space::constant, *followed_.constant, 0)
                                 : std::nullopt;
    const auto in_global = first_load(device::Space::global, followed_.address, 0);
    if (in_constant) {
      from_constant({*in_constant, *followed_.constant});
    } else if (in_global) {
      from_global({*in_global, followed_.address});
    } else if (followed_.textured) {
      from_texture();
    }
    return std::move(journey_);
  }

 private:
  [[nodiscard]] const Access& access(const Seen& seen) const { return record_.trace[seen.at]; }

  [[nodiscard]] std::optional<std::size_t> first_load(device::Space space, std::uint64_t address,
                                                      std::size_t from) const {
    for (std::size_t i = from; i < record_.trace.size(); ++i) {
      const Access& a = record_.trace[i];
      if (a.space == space && a.kind == AccessKind::load && touches(a, address, followed_.bytes))
        return i;
    }
    return {};
  }

  [[nodiscard]] std::uint32_t line_of(std::uint32_t instruction) const {
    const auto& one = record_.instructions[instruction];
    return one.inlined_at.empty() ? one.place.line : one.inlined_at.back().line;
  }

  Station& add(Box box, Message says) {
    journey_.stations.push_back({box, std::move(says), {}, 0, {}, {}});
    return journey_.stations.back();
  }
  Station& add(Box box, const Access& by, const std::string& key,
               std::vector<std::pair<std::string, std::string>> arguments = {}) {
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
  void count_readers(device::Space space, std::uint64_t address) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> threads, requests;
    for (const Access& a : record_.trace) {
      if (a.space != space || a.kind == AccessKind::store || !touches(a, address, followed_.bytes))
        continue;
      threads.emplace(a.block, a.thread);
      requests.emplace(a.block, a.request);
    }
    journey_.readers = threads.size();
    journey_.requests = requests.size();
  }

  void from_global(const Seen& first) {
    const std::uint64_t sector = first.address / device::kSectorBytes * device::kSectorBytes;
    const std::uint64_t before = (first.address - sector) / followed_.bytes,
                        begin = followed_.index - std::min(followed_.index, before),
                        end = std::min(followed_.count, followed_.index - before +
                                                            device::kSectorBytes / followed_.bytes);
    const auto element = [&](std::uint64_t i) {
      return followed_.array + "[" + std::to_string(i) + "]";
    };
    const Access& fetches = *std::ranges::find_if(record_.trace, [&](const Access& a) {
      return a.space == device::Space::global && a.kind == AccessKind::load &&
             touches(a, sector, device::kSectorBytes);
    });
    std::set<std::uint64_t> sectors;
    std::uint64_t lanes = 0;
    for (const Access& a : record_.trace) {
      if (a.block != fetches.block || a.request != fetches.request || a.kind != fetches.kind)
        continue;
      sectors.insert(a.address / device::kSectorBytes);
      ++lanes;
    }
    count_readers(device::Space::global, first.address);
    journey_.sectors = sectors.size();
    add(Box::global, {"journey.stands-global",
                      {{"name", journey_.name}, {"from", element(begin)}, {"to", element(end - 1)}},
                      {}});
    add(Box::l2, fetches, "fetched", {{"lanes", grouped(lanes)}}).cost =
        count_of("sectors.count", sectors.size());
    const Access& reader = access(first);
    const bool cached = through_l1(reader.instruction);
    if (cached) add(Box::l1, fetches, "kept-l1");
    const bool cold = reader.block == fetches.block && reader.request == fetches.request,
               near = cached && reader.block == fetches.block;
    if (words_[reader.instruction].opcode.starts_with("cp.async")) {
      from_copy(first);
      return;
    }
    add(Box::registers, reader, "held",
        {{"name", journey_.name}, {"bytes", std::to_string(followed_.bytes)}})
        .cost = clocks(cold   ? rates_.dram_latency
                       : near ? rates_.l1_latency
                              : rates_.l2_latency);
    go_on(first);
  }

  /// Loads that ask L2 at once, or whose order other threads may rely on, pass L1 by.
  [[nodiscard]] bool through_l1(std::uint32_t instruction) const {
    const PtxWords& words = words_[instruction];
    return !words.has("cg") && !words.has("cv") && !words.has("volatile");
  }

  void from_constant(const Seen& first) {
    const Access& reader = access(first);
    std::uint64_t lanes = 0;
    for (const Access& a : record_.trace) {
      lanes += a.block == reader.block && a.request == reader.request && a.address == reader.address
                   ? 1
                   : 0;
    }
    count_readers(device::Space::constant, first.address);
    add(Box::constant, {"journey.stands-constant", {{"name", journey_.name}}, {}});
    add(Box::l2, {"journey.constant-l2", {}, {}});
    add(Box::constant_cache, reader, "constant-cache");
    add(Box::registers, reader, "constant-held", {{"count", grouped(lanes)}}).cost =
        count_of("spaces.passes", 1);
    go_on(first);
  }

  /// Textures are counted, but no lane of theirs is traced: what is known is where the kernel asks the unit.
  void from_texture() {
    const auto asks = std::ranges::find_if(record_.instructions, [](const auto& instruction) {
      return instruction.counters.texture_requests != 0;
    });
    if (asks == record_.instructions.end()) return;
    const auto instruction = static_cast<std::uint32_t>(asks - record_.instructions.begin());
    add(Box::texture, {"journey.stands-texture", {{"name", journey_.name}}, {}});
    add(Box::l2, {"journey.texture-l2", {}, {}});
    add(Box::l1, {"journey.texture-l1", {}, {}}).line = line_of(instruction);
    Station& held = add(Box::registers, {"journey.texture-held", {}, {}});
    held.line = line_of(instruction);
    held.cost = count_of("spaces.requests", record_.total.texture_requests);
    const PtxWords& words = words_[instruction];
    if (!words.operands.empty() && !words.operands[0].empty())
      add_use(holders_of(words.operands[0][0]));
  }

  void from_copy(const Seen& load) {
    const Access& from = access(load);
    for (std::size_t i = load.at; i < record_.trace.size(); ++i) {
      const Access& a = record_.trace[i];
      if (a.instruction != from.instruction || !same_thread(a, from) ||
          a.space != device::Space::shared || a.kind != AccessKind::store)
        continue;
      const Seen stored{i, a.address + (load.address - from.address)};
      add(Box::shared, a, "copied-shared", {{"offset", grouped(stored.address)}}).cost =
          clocks(rates_.dram_latency);
      if (const auto read = read_again(stored)) go_on(*read);
      return;
    }
  }

  /// From a load into registers on: stores of what they hold, and loads of what was stored.
  void go_on(Seen load) {
    while (journey_.stations.size() + 3 <= kMostStations) {
      const std::vector<std::string> held = holders_of(register_of(load));
      const auto stored = store_of(load, held);
      if (!stored) {
        add_use(held);
        return;
      }
      add_store(*stored);
      const auto read = read_again(*stored);
      if (!read) return;
      load = *read;
    }
  }

  /// Which register of a load the value is in; empty where that is not known.
  [[nodiscard]] std::string register_of(const Seen& load) const {
    const Access& a = access(load);
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
  static bool writes_register(const PtxWords& words) {
    return !words.opcode.starts_with("st.") && !words.opcode.starts_with("red.") &&
           !words.opcode.starts_with("cp.") && !words.opcode.starts_with("bar");
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

  /// The next store of those registers by the thread that loaded them, before it loads anew.
  [[nodiscard]] std::optional<Seen> store_of(const Seen& load,
                                             const std::vector<std::string>& held) const {
    const Access& by = access(load);
    for (std::size_t i = load.at + 1; !held.empty() && i < record_.trace.size(); ++i) {
      const Access& a = record_.trace[i];
      if (!same_thread(a, by)) continue;
      if (a.kind == AccessKind::load && a.instruction == by.instruction) return {};
      const PtxWords& words = words_[a.instruction];
      if (a.kind != AccessKind::store || words.operands.size() < 2) continue;
      const auto& values = words.operands[1];
      const auto found = std::ranges::find_first_of(values, held);
      if (found == values.end()) continue;
      const auto part = static_cast<std::uint64_t>(found - values.begin());
      return Seen{i, a.address + part * (a.bytes / values.size())};
    }
    return {};
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

  void add_store(const Seen& stored) {
    const Access& by = access(stored);
    const Message once = count_of("journey.stores", 1);
    if (by.space == device::Space::global) {
      const std::string element = element_at(stored.address);
      add(Box::l2, by, "store-l2", {{"element", element}}).cost = once;
      add(Box::global, {"journey.store-global", {{"element", element}}, {}});
      return;
    }
    const bool shared = by.space == device::Space::shared;
    add(shared ? Box::shared : Box::l1, by, shared ? "store-shared" : "store-local",
        {{"offset", grouped(stored.address)}})
        .cost = once;
  }

  /// The first load of what was stored, before it is overwritten; its station tells how many there are.
  std::optional<Seen> read_again(const Seen& stored) {
    const Access& by = access(stored);
    std::optional<Seen> first;
    std::set<std::pair<std::uint32_t, std::uint32_t>> threads;
    std::uint64_t loads = 0;
    for (std::size_t i = stored.at + 1; i < record_.trace.size(); ++i) {
      const Access& a = record_.trace[i];
      const bool reaches = by.space == device::Space::global ||
                           (by.space == device::Space::shared && a.block == by.block) ||
                           same_thread(a, by);
      if (a.space != by.space || !reaches || !touches(a, stored.address, followed_.bytes)) continue;
      if (a.kind != AccessKind::load) break;
      if (!first) first = Seen{i, stored.address};
      threads.emplace(a.block, a.thread);
      ++loads;
    }
    if (!first) return {};
    const bool local = by.space == device::Space::local, global = by.space == device::Space::global;
    Station& read = add(Box::registers, access(*first),
                        local    ? "read-local"
                        : global ? "read-global"
                                 : "read-shared",
                        {{"count", grouped(threads.size())}});
    read.cost = local ? clocks(rates_.l1_latency) : count_of("journey.loads", loads);
    return first;
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
  Journey journey_;
};

}  // namespace

std::string Followed::name() const { return array + "[" + std::to_string(index) + "]"; }

SpacesExhibit::Journey journey_of(const device::LaunchRecord& record, const Followed& followed,
                                  const device::Properties& gpu) {
  return Walk(record, followed, gpu).take();
}

}  // namespace warpbook::lab
