// initcheck: tracks which lanes of which registers are undefined, that is, hold a value that comes from memory that was never written. It
// runs only while some register of the running call frame is undefined.
#include "device/simulator/observe/definedness.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {
namespace {

using isa::StateSpace;

std::uint32_t mask_at(const Context& c, std::uint32_t at) {
  std::uint32_t m;
  std::memcpy(&m, c.frame + at, sizeof m);
  return m;
}

void set_mask(const Context& c, std::uint32_t at, std::uint32_t lanes, std::uint32_t value) {
  std::uint32_t m = mask_at(c, at);
  m = (m & ~lanes) | (value & lanes);
  std::memcpy(c.frame + at, &m, sizeof m);
}

/// The address of a memory operation in one lane.
std::uint64_t address_of(const DecodedInstruction& o, const Context& c, int lane, bool narrow) {
  if (narrow) {
    std::uint32_t a;
    std::memcpy(&a, c.frame + o.a + 4 * lane, sizeof a);
    return static_cast<std::uint32_t>(a + static_cast<std::uint32_t>(o.immediate));
  }
  std::uint64_t a;
  std::memcpy(&a, c.frame + o.a + 8 * lane, sizeof a);
  return a + static_cast<std::uint64_t>(o.immediate);
}

void forget(std::uint8_t* valid, std::uint64_t granule_stride, std::uint64_t address,
            std::uint32_t bytes) {
  for (std::uint32_t k = 0; k < bytes; ++k) {
    valid[(address + k) / 4 * granule_stride] &=
        static_cast<std::uint8_t>(~(1u << ((address + k) % 4)));
  }
}

/// The state space that an access reached. A generic address becomes an offset in that space.
Space space_of(StateSpace state_space, std::uint64_t& address) {
  switch (state_space) {
    case StateSpace::shared: return Space::shared;
    case StateSpace::local: return Space::local;
    case StateSpace::constant: return Space::constant;
    case StateSpace::generic: {
      const Pointer window = address / kWindowBytes * kWindowBytes;
      if (window != kSharedWindow && window != kLocalWindow) return Space::global;
      address %= kWindowBytes;
      return window == kSharedWindow ? Space::shared : Space::local;
    }
    default: return Space::global;
  }
}

}  // namespace

/// An undefined value may be stored to shared and local memory, whose bytes become undefined. To store it to global memory is a finding.
void UndefinedTracker::store_undefined(const DecodedInstruction& o, const isa::Dependence& d,
                                       std::uint32_t lanes) {
  const isa::CodeInstruction& info = code_.instructions[o.index];
  const std::uint32_t elements = o.memory.elements, bytes = info.access_bytes / elements;
  std::uint32_t guards = 0;
  for (std::size_t k = elements; k < d.reads.size(); ++k) guards |= mask_at(context_, d.reads[k]);
  std::uint32_t global = 0;
  for (std::uint32_t k = 0; k < elements; ++k) {
    const std::uint32_t own = d.reads[k] == kNone ? 0 : mask_at(context_, d.reads[k]);
    for (std::uint32_t m = lanes & (own | guards); m != 0; m &= m - 1) {
      const int i = std::countr_zero(m);
      std::uint64_t at = address_of(o, context_, i, info.narrow_address);
      const Space space = space_of(info.space, at);
      at += std::uint64_t{k} * bytes;
      if (space == Space::global)
        global |= 1u << i;
      else if (space == Space::shared && at + bytes <= context_.shared_bytes)
        forget(context_.shared_valid, 1, at, bytes);
      else if (space == Space::local && at + bytes <= context_.local_bytes)
        forget(context_.local_valid + i, kLanes, at, bytes);
    }
  }
  if (global != 0) report_undefined(o.index, context_, global);
}

/// Before an operation runs: finds the lanes of its result that will be undefined, if one operand alone may determine the result.
void UndefinedTracker::foresee(const DecodedInstruction& operation) {
  const isa::Dependence& d = code_.dependences[operation.index];
  if (d.kind != isa::Dependence::Kind::choose) return;
  const Context& c = context_;
  const isa::Choice& choice = code_.choices[d.choice];
  std::uint32_t undefined[3] = {}, all = 0;
  for (const std::uint32_t at : d.reads) all |= mask_at(c, at);
  for (int k = 0; k < 3; ++k)
    if (choice.mask[k] != kNone) undefined[k] = mask_at(c, choice.mask[k]);
  foreseen_ = all;
  if ((all & c.mask) == 0) return;
  const std::uint32_t guard = operation.guard == kNone ? 0 : mask_at(c, d.reads.back());
  const auto inverted = [&](int k) { return choice.negated[k] ? ~0u : 0u; };
  using Kind = isa::Choice::Kind;
  if (choice.kind == Kind::selection) {
    const std::uint32_t p = mask_at(c, choice.row[2]) ^ inverted(2);
    foreseen_ = guard | undefined[2] | (p & undefined[0]) | (~p & undefined[1]);
    return;
  }
  // A defined operand determines the result where it is all zeros in a conjunction, or all ones in a disjunction.
  const bool conjunction = choice.kind == Kind::conjunction;
  for (int k = 0; k < 2; ++k) {
    if (choice.row[k] == kNone) continue;
    const std::uint32_t known = all & ~undefined[k];
    if (choice.bytes == 0) {
      const std::uint32_t p = mask_at(c, choice.row[k]) ^ inverted(k);
      foreseen_ &= ~(known & (conjunction ? ~p : p));
      continue;
    }
    const std::uint64_t settling = conjunction ? 0 : ~std::uint64_t{0} >> (64 - 8 * choice.bytes);
    for (std::uint32_t m = known & c.mask; m != 0; m &= m - 1) {
      const int i = std::countr_zero(m);
      std::uint64_t value = 0;
      std::memcpy(&value, c.frame + choice.row[k] + choice.bytes * i, choice.bytes);
      if (value == settling) foreseen_ &= ~(1u << i);
    }
  }
  foreseen_ |= guard;
}

void UndefinedTracker::propagate(const DecodedInstruction& operation) {
  Context& c = context_;
  const isa::Dependence& d = code_.dependences[operation.index];
  const std::uint32_t all = c.mask;
  std::uint32_t lanes = all;
  const DecodedInstruction* o = &operation;
  if (operation.guard != kNone && operation.full == operation.masked &&
      code_.instructions[operation.index].source->guarded) {
    std::uint32_t guard = mask_at(c, operation.guard);
    lanes &= operation.guard_negated ? ~guard : guard;
    o = reinterpret_cast<const DecodedInstruction*>(
        static_cast<std::intptr_t>(operation.immediate));
  }
  if (lanes == 0) return;
  using Kind = isa::Dependence::Kind;
  // Instructions that prepare an access (the address of a local variable or of an address window) have its index, but access nothing.
  if ((d.kind == Kind::load || d.kind == Kind::store || d.kind == Kind::atomic) && o->memo == kNone)
    return;
  std::uint32_t undefined = 0;
  for (const std::uint32_t at : d.reads)
    if (at != kNone) undefined |= mask_at(c, at);
  undefined &= lanes;
  const std::uint32_t address = d.address == kNone ? 0 : mask_at(c, d.address) & lanes;
  if (address != 0) {
    report_undefined(operation.index, c, address);
    set_mask(c, d.address, lanes, 0);
  }
  switch (d.kind) {
    case Kind::load:
      undefined = c.undefined & lanes;
      c.undefined = 0;
      if (d.writes.size() > 1 && undefined != 0) {
        for (std::size_t k = 0; k < d.writes.size(); ++k)
          if (d.writes[k] != kNone) set_mask(c, d.writes[k], lanes, c.undefined_elements[k]);
        return;
      }
      break;
    case Kind::store:
      if (undefined != 0) store_undefined(*o, d, undefined);
      break;
    case Kind::choose: undefined = foreseen_ & lanes; break;
    case Kind::atomic: {
      const std::uint32_t read = c.undefined & lanes;
      c.undefined = 0;
      const std::uint32_t decided =
          undefined | (code_.instructions[o->index].space == StateSpace::shared ? 0 : read);
      if (decided != 0) report_undefined(operation.index, c, decided);
      undefined = read & ~decided;
      break;
    }
    case Kind::fetch:
      // The handler has noted which texel was undefined.
      undefined |= c.undefined & lanes;
      c.undefined = 0;
      break;
    case Kind::put:
      if (undefined != 0) report_undefined(operation.index, c, undefined);
      undefined = 0;
      break;
    case Kind::plain: break;
  }
  for (const std::uint32_t at : d.writes)
    if (at != kNone) set_mask(c, at, lanes, undefined);
  // Once no register of the call frame is undefined, its operations need no tracking.
  if (undefined == 0) {
    const isa::CodeFunction& f = code_.functions[code_.instructions[operation.index].function];
    std::uint32_t left = 0;
    for (std::uint32_t at = f.defined_begin; at < f.defined_end; at += 4) left |= mask_at(c, at);
    c.tainted = left != 0;
  }
}

void note_undefined(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
                    std::uint32_t lanes, Space space, std::uint32_t elements) {
  const isa::CodeInstruction& info = c.code->instructions[o.index];
  const std::uint32_t bytes = info.access_bytes / elements;
  auto& reads = c.observer->undefined_reads;
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    const std::uint32_t writer = space == Space::shared && c.block->async
                                     ? writer_at(c, address[i], info.access_bytes)
                                     : kNone;
    reads[static_cast<std::size_t>(i)] = {o.index, address[i], space, info.access_bytes, writer};
    if (elements == 1) continue;
    const std::uint8_t* const valid = space == Space::shared  ? c.shared_valid
                                      : space == Space::local ? c.local_valid + i
                                                              : c.global_valid - kGlobalBase / 4;
    const std::uint64_t stride = space == Space::local ? kLanes : 1;
    for (std::uint32_t k = 0; k < elements; ++k) {
      std::uint32_t& element = c.undefined_elements[k];
      element &= ~(1u << i);
      for (std::uint64_t b = address[i] + k * bytes; b < address[i] + (k + 1) * bytes; ++b)
        if ((valid[b / 4 * stride] >> b % 4 & 1) == 0) element |= 1u << i;
    }
  }
  if (c.undefined == 0) {
    for (std::uint32_t& element : c.undefined_elements) element &= lanes;
  }
  c.undefined |= lanes;
  c.tainted = true;
}

/// A branch, a barrier or a call through a register: a finding if it depends on an undefined value.
void UndefinedTracker::decide_exit(const BasicBlock& b, std::uint32_t lanes) {
  const auto index = static_cast<std::size_t>(&b - code_.blocks.data());
  std::uint32_t undefined = 0;
  for (const std::uint32_t at : code_.exits[index].reads) {
    if (at == kNone) continue;
    undefined |= mask_at(context_, at) & lanes;
    set_mask(context_, at, lanes, 0);
  }
  if (undefined == 0) return;
  report_undefined(b.first_instruction + b.instructions - 1, context_, undefined);
}

}  // namespace warpbook::device
