#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "lab/exhibits/product/product.hpp"
#include "lab/model/global_accesses.hpp"
#include "lab/model/ptx_words.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kFloat = 4;  ///< bytes

/// An element of one of the factors.
struct Factor {
  bool of_b = false;
  std::uint32_t element = 0;
};

/// What a thread has done so far.
struct Seen {
  std::set<std::uint32_t> results;
  std::array<std::set<std::uint32_t>, 2> used, loaded;  ///< of a and of b
  /// Elements that are in a register straight from global memory. One that goes on into shared memory was not loaded to be
  /// computed with by this thread.
  std::map<std::string, Factor, std::less<>> held;

  void use(const Factor& factor) { used[factor.of_b ? 1 : 0].insert(factor.element); }
  void hold(const std::string& name, const Factor& factor) {
    if (const auto before = held.find(name); before != held.end()) use(before->second);
    held.insert_or_assign(name, factor);
  }
};

class ProductMaker {
 public:
  ProductMaker(const device::LaunchRecord& record, const WantedProduct& wanted)
      : record_(record), wanted_(wanted) {
    for (const device::InstructionCounters& instruction : record.instructions) {
      words_.push_back(ptx_words(instruction.text));
      const PtxWords& words = words_.back();
      const bool copies = words.opcode.starts_with("mov.") || words.opcode.starts_with("cvt.");
      if (!copies || words.operands.size() < 2 || words.operands[1].size() != 1) continue;
      for (const std::string& name : words.operands[0])
        copied_from_[name].push_back(words.operands[1][0]);
    }
  }

  ProductExhibit make() {
    for (const device::Access& access : record_.trace) {
      if (access.block == wanted_.block) see(access);
    }
    const bool stopped = stopped_by_budget(record_);
    ProductExhibit made{wanted_.rows,     wanted_.columns,
                        wanted_.depth,    wanted_.block,
                        record_.grid,     {},
                        wanted_.followed, stopped || is_cut_by_trace(),
                        stopped};
    const auto list = [](const std::set<std::uint32_t>& elements) {
      return std::vector<std::uint32_t>(elements.begin(), elements.end());
    };
    for (auto& [thread, seen] : threads_) {
      for (const auto& [name, factor] : seen.held) seen.use(factor);
      made.threads.push_back({thread, list(seen.results), list(seen.used[0]), list(seen.used[1]),
                              list(seen.loaded[0]), list(seen.loaded[1])});
    }
    return made;
  }

 private:
  /// The trace ends with this block or before it.
  [[nodiscard]] bool is_cut_by_trace() const {
    return record_.trace_cut &&
           (record_.trace.empty() || record_.trace.back().block <= wanted_.block);
  }

  void see(const device::Access& access) {
    const bool loads = access.kind == device::AccessKind::load;
    if (access.space == device::Space::global) {
      if (loads)
        see_load(access);
      else
        see_result(access);
    } else if (access.space == device::Space::shared) {
      if (loads)
        see_shared_load(access);
      else
        see_shared_store(access);
    }
  }

  /// Number of the access's first element in the allocation of that name, if it is there.
  [[nodiscard]] std::optional<std::uint32_t> element_in(const char* name,
                                                        const device::Access& access) const {
    const auto home = std::ranges::find(record_.allocations, name, &device::AllocationInfo::name);
    if (home == record_.allocations.end() || access.address < home->address ||
        access.address + access.bytes > home->address + home->bytes)
      return {};
    return static_cast<std::uint32_t>((access.address - home->address) / kFloat);
  }

  void see_load(const device::Access& access) {
    const auto of_a = element_in("a", access), of_b = element_in("b", access);
    if (!of_a && !of_b) return;
    const PtxWords& words = words_[access.instruction];
    Seen& thread = threads_[access.thread];
    for (std::uint32_t i = 0; i * kFloat < access.bytes; ++i) {
      const Factor factor{of_b.has_value(), (of_b ? *of_b : *of_a) + i};
      thread.loaded[factor.of_b ? 1 : 0].insert(factor.element);
      if (!words.operands.empty() && i < words.operands[0].size())
        thread.hold(words.operands[0][i], factor);
    }
  }

  void see_result(const device::Access& access) {
    const auto first = element_in("c", access);
    if (!first) return;
    for (std::uint32_t i = 0; i * kFloat < access.bytes; ++i)
      threads_[access.thread].results.insert(*first + i);
  }

  void see_shared_store(const device::Access& access) {
    const PtxWords& words = words_[access.instruction];
    for (std::uint32_t i = 0; i * kFloat < access.bytes; ++i) {
      places_.erase(access.address + i * kFloat);
      if (words.operands.size() < 2 || i >= words.operands[1].size()) continue;
      if (const auto factor = taken(threads_[access.thread], words.operands[1][i]))
        places_[access.address + i * kFloat] = *factor;
    }
  }

  /// The element in a register, or in one that it was copied from; it is not held any more from now on. A copy of a copy is
  /// followed so far, and no further: registers may be copied in circles.
  std::optional<Factor> taken(Seen& thread, const std::string& name, int copies = 4) const {
    if (const auto found = thread.held.find(name); found != thread.held.end()) {
      const Factor factor = found->second;
      thread.held.erase(found);
      return factor;
    }
    const auto sources = copied_from_.find(name);
    if (sources == copied_from_.end() || copies == 0) return {};
    for (const std::string& source : sources->second) {
      if (const auto factor = taken(thread, source, copies - 1)) return factor;
    }
    return {};
  }

  void see_shared_load(const device::Access& access) {
    for (std::uint32_t i = 0; i * kFloat < access.bytes; ++i) {
      const auto place = places_.find(access.address + i * kFloat);
      if (place != places_.end()) threads_[access.thread].use(place->second);
    }
  }

  const device::LaunchRecord& record_;
  const WantedProduct& wanted_;
  std::vector<PtxWords> words_;  // by instruction
  std::unordered_map<std::string, std::vector<std::string>> copied_from_;
  std::map<std::uint32_t, Seen> threads_;
  std::unordered_map<std::uint64_t, Factor> places_;  // of shared memory, by address
};

}  // namespace

ProductExhibit product_of(const device::LaunchRecord& record, const WantedProduct& wanted) {
  return ProductMaker(record, wanted).make();
}

}  // namespace warpbook::lab
