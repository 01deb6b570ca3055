#include "device/simulator/isa/issue.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <utility>

#include "device/simulator/isa/key.hpp"

namespace warpbook::device::isa {
namespace {

using ptx::Operand;
using ptx::StateSpace;

/// The number of low bits of a value that are known to be zero. 64: the value is zero, or not written yet.
using Zeros = std::uint8_t;
constexpr Zeros kAll = 64;

Zeros zeros_of(std::uint64_t value) {
  return value == 0 ? kAll : static_cast<Zeros>(std::countr_zero(value));
}

/// Finds the known zero bits of addresses by following every definition of a register through the function, to a fixed point.
class Alignments {
 public:
  Alignments(const ptx::Module& module, const ptx::Function& function, const SharedLayout& shared)
      : module_(module),
        function_(function),
        shared_(shared),
        of_(function.registers.size(), kAll) {
    bool changed = true;
    for (int pass = 0; changed && pass < kPasses; ++pass) {
      changed = false;
      for (const ptx::Instruction& i : function.instructions) changed |= apply(i);
    }
    if (changed) std::ranges::fill(of_, Zeros{0});
  }

  /// The code of compilers settles in a few passes. A text that was written to be slow is not followed to its end.
  static constexpr int kPasses = 16;

  [[nodiscard]] Zeros of(const Operand& o) const {
    switch (o.kind) {
      case Operand::Kind::reg: return o.negated || o.component == 0xff ? of_[o.index] : Zeros{0};
      case Operand::Kind::immediate: return o.is_float ? Zeros{0} : zeros_of(o.bits);
      case Operand::Kind::symbol:
        return o.count != 0 ? Zeros{0} : std::min(of_symbol(o), zeros_of(o.bits));
      default: return 0;
    }
  }
  /// The alignment of an address without its addend.
  [[nodiscard]] Zeros of_base(const Operand& address) const {
    switch (address.base) {
      case Operand::Kind::reg: return of_[address.index];
      case Operand::Kind::symbol: return of_symbol(address);
      default: return kAll;
    }
  }

 private:
  [[nodiscard]] Zeros of_symbol(const Operand& o) const {
    const ptx::Variable* v = o.home == Operand::Home::variable ? &function_.variables[o.index]
                             : o.home == Operand::Home::module_variable
                                 ? &module_.variables[o.index]
                                 : nullptr;
    if (!v) return 0;
    // The offsets of fixed shared arrays are known when the kernel is assembled. Of the others only the declared alignment is.
    if (v->space == StateSpace::shared && v->bytes != 0) return zeros_of(shared_.offset_of(v));
    return zeros_of(v->alignment);
  }

  bool apply(const ptx::Instruction& i) {
    const auto ops = module_.operands_of(i);
    if (ops.empty()) return false;
    if (ops[0].kind == Operand::Kind::vector) {
      bool changed = false;
      for (const Operand& o : std::span(module_.operands).subspan(ops[0].first, ops[0].count))
        changed |= lower(o, 0);
      return changed;
    }
    if (ops[0].kind != Operand::Kind::reg) return false;
    return lower(ops[0], result(i, ops));
  }

  bool lower(const Operand& destination, Zeros zeros) {
    if (destination.kind != Operand::Kind::reg || of_[destination.index] <= zeros) return false;
    of_[destination.index] = zeros;
    return true;
  }

  [[nodiscard]] Zeros result(const ptx::Instruction& i, std::span<const Operand> ops) const {
    const auto has = [&](Word word) {
      return std::ranges::find(module_.modifiers_of(i), word) != module_.modifiers_of(i).end();
    };
    const auto sum = [](Zeros a, Zeros b) {
      return static_cast<Zeros>(std::min(a + b, int{kAll}));
    };
    switch (i.opcode) {
      case Word::mov:
      case Word::cvta:
      case Word::cvt:
        return ops.size() == 2 && !has(Word::f32) && !has(Word::f64) && !has(Word::f16) ? of(ops[1])
                                                                                        : Zeros{0};
      case Word::add:
      case Word::sub:
      case Word::or_:
      case Word::xor_:
      case Word::min:
      case Word::max: return ops.size() == 3 ? std::min(of(ops[1]), of(ops[2])) : Zeros{0};
      case Word::and_: return ops.size() == 3 ? std::max(of(ops[1]), of(ops[2])) : Zeros{0};
      case Word::selp: return ops.size() == 4 ? std::min(of(ops[1]), of(ops[2])) : Zeros{0};
      case Word::mul:
        return ops.size() == 3 && (has(Word::lo) || has(Word::wide)) ? sum(of(ops[1]), of(ops[2]))
                                                                     : Zeros{0};
      case Word::mad:
        return ops.size() == 4 && (has(Word::lo) || has(Word::wide))
                   ? std::min(sum(of(ops[1]), of(ops[2])), of(ops[3]))
                   : Zeros{0};
      case Word::shl:
        if (ops.size() != 3) return 0;
        return ops[2].kind == Operand::Kind::immediate
                   ? sum(of(ops[1]), static_cast<Zeros>(std::min<std::uint64_t>(ops[2].bits, 64)))
                   : of(ops[1]);
      default: return 0;
    }
  }

  const ptx::Module& module_;
  const ptx::Function& function_;
  const SharedLayout& shared_;
  std::vector<Zeros> of_;
};

/// An access that may be joined with others.
struct Candidate {
  std::uint32_t instruction = 0;
  std::int64_t offset = 0;
  std::uint32_t bytes = 0;
};

/// Accesses to one space relative to one base, with nothing between them that could interfere.
struct Run {
  StateSpace space{};
  bool store = false;
  Operand base;
  std::vector<Candidate> members;
};

struct AccessForm {
  StateSpace space{};
  bool store = false;
  std::uint32_t bytes = 0;  ///< of the whole access; 0: it is never joined
};

std::optional<AccessForm> form_of(const ptx::Module& module, const ptx::Instruction& i) {
  if (i.opcode != Word::ld && i.opcode != Word::st) return std::nullopt;
  AccessForm form;
  form.space = StateSpace::generic;
  form.store = i.opcode == Word::st;
  std::uint32_t elements = 1;
  bool weak = true;
  for (const Word w : module.modifiers_of(i)) {
    switch (w) {
      case Word::shared:
      case Word::shared_cta: form.space = StateSpace::shared; break;
      case Word::global: form.space = StateSpace::global; break;
      case Word::local: form.space = StateSpace::local; break;
      case Word::param:
      case Word::const_: return std::nullopt;
      case Word::v2: elements = 2; break;
      case Word::v4: elements = 4; break;
      case Word::weak: break;
      default:
        if (const Type type = type_of(w); type != Type::none)
          form.bytes = ptx::bytes_of(type);
        else
          weak = false;  // volatile, scopes and cache operators keep accesses apart
    }
  }
  form.bytes *= elements;
  if (!weak || i.guarded || form.space == StateSpace::generic) form.bytes = 0;
  return form;
}

class Joiner {
 public:
  Joiner(const ptx::Module& module, const ptx::Function& function, const Alignments& alignments)
      : module_(module), alignments_(alignments), with_(function.instructions.size()) {
    for (std::uint32_t i = 0; i < with_.size(); ++i) with_[i].leader = i;
  }

  void instruction(std::uint32_t index, const ptx::Instruction& i) {
    const auto ops = module_.operands_of(i);
    const auto form = form_of(module_, i);
    if (form && ops.size() >= 2) {
      const Operand& address = form->store ? ops[0] : ops[1];
      // A load must not move behind a store to the same bytes, nor a store before a load of them.
      close([&](const Run& run) { return run.store != form->store && run.space == form->space; });
      if (form->bytes != 0 && address.kind == Operand::Kind::address && address.count == 0)
        open(*form, address)
            .members.push_back({index, static_cast<std::int64_t>(address.bits), form->bytes});
      else if (form->store)
        close([&](const Run& run) { return run.space == form->space; });
    } else if (orders(i.opcode)) {
      close([](const Run&) { return true; });
    }
    if (form && form->store) return;
    // A register that is written again is another base.
    for (const Operand& o : ops.subspan(0, std::min<std::size_t>(ops.size(), 1))) {
      if (o.kind == Operand::Kind::vector) {
        for (const Operand& part : std::span(module_.operands).subspan(o.first, o.count))
          written(part);
      } else {
        written(o);
      }
    }
  }
  void end_block() {
    close([](const Run&) { return true; });
  }
  std::vector<Issue> take() { return std::move(with_); }

 private:
  static constexpr std::size_t kRuns =
      32;  ///< open at once; ptxas does not have registers for more

  static bool orders(Word opcode) {
    switch (opcode) {
      case Word::bar:
      case Word::barrier:
      case Word::membar:
      case Word::fence:
      case Word::atom:
      case Word::red:
      case Word::call: return true;
      default: return false;
    }
  }
  static bool same_base(const Operand& a, const Operand& b) {
    return a.base == b.base && a.index == b.index && a.home == b.home;
  }
  Run& open(const AccessForm& form, const Operand& base) {
    for (Run& run : runs_) {
      if (run.space == form.space && run.store == form.store && same_base(run.base, base))
        return run;
    }
    if (runs_.size() == kRuns) {
      join(runs_.front());
      runs_.erase(runs_.begin());
    }
    runs_.push_back({form.space, form.store, base, {}});
    return runs_.back();
  }
  void written(const Operand& o) {
    if (o.kind != Operand::Kind::reg) return;
    close([&](const Run& run) {
      return run.base.base == Operand::Kind::reg && run.base.index == o.index;
    });
  }
  template <class Which>
  void close(Which&& which) {
    for (std::size_t k = 0; k < runs_.size();) {
      if (which(runs_[k])) {
        join(runs_[k]);
        runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
  }
  void join(Run& run) {
    std::vector<Candidate>& all = run.members;
    std::ranges::stable_sort(all, {}, &Candidate::offset);
    const Zeros base = alignments_.of_base(run.base);
    for (std::size_t k = 0; k < all.size();) {
      const Zeros zeros = std::min(base, zeros_of(static_cast<std::uint64_t>(all[k].offset)));
      std::size_t taken = 1;
      for (const std::uint32_t bytes : {16u, 8u, 4u}) {
        if ((1u << std::min<Zeros>(zeros, 4)) < bytes) continue;
        std::size_t last = k;
        std::int64_t reached = all[k].offset;
        while (last < all.size() && all[last].offset == reached && reached - all[k].offset < bytes)
          reached += all[last++].bytes;
        if (reached - all[k].offset != bytes || last - k < 2) continue;
        taken = last - k;
        break;
      }
      // The first one in the text leads.
      const auto group = std::span(all).subspan(k, taken);
      const Candidate& leader = *std::ranges::min_element(group, {}, &Candidate::instruction);
      for (const Candidate& c : group) with_[c.instruction].leader = leader.instruction;
      if (taken > 1) {
        Issue& whole = with_[leader.instruction];
        whole.offset = static_cast<std::int8_t>(group.front().offset - leader.offset);
        whole.bytes = static_cast<std::uint8_t>(group.back().offset + group.back().bytes -
                                                group.front().offset);
      }
      k += taken;
    }
  }

  const ptx::Module& module_;
  const Alignments& alignments_;
  std::vector<Run> runs_;
  std::vector<Issue> with_;
};

}  // namespace

std::vector<Issue> issued_with(const ptx::Module& module, const ptx::Function& function,
                               const Flow& flow, const SharedLayout& shared) {
  const Alignments alignments(module, function, shared);
  Joiner joiner(module, function, alignments);
  for (const FlowBlock& b : flow.blocks) {
    for (std::uint32_t i = b.first; i < b.end; ++i) joiner.instruction(i, function.instructions[i]);
    joiner.end_block();
  }
  return joiner.take();
}

}  // namespace warpbook::device::isa
