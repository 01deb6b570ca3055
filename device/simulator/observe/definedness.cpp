// initcheck: which lanes of which register hold what nobody wrote. Runs only while some register of the frame does.
#include <algorithm>
#include <bit>
#include <cstring>

#include "device/simulator/machine/async.hpp"
#include "device/simulator/machine/worker.hpp"

namespace warpbook::device {
namespace {

using isa::Reach;

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
std::uint64_t address_of(const Operation& o, const Context& c, int lane, bool narrow) {
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

/// The space that an access reached; a generic address becomes an offset in it.
Space space_of(Reach reach, std::uint64_t& address) {
  switch (reach) {
    case Reach::shared: return Space::shared;
    case Reach::local: return Space::local;
    case Reach::constant: return Space::constant;
    case Reach::generic: {
      const Pointer window = address / kWindowBytes * kWindowBytes;
      if (window != kSharedWindow && window != kLocalWindow) return Space::global;
      address %= kWindowBytes;
      return window == kSharedWindow ? Space::shared : Space::local;
    }
    default: return Space::global;
  }
}

}  // namespace

/// Keeps where the lanes read what nobody wrote, for the report that may follow.
void Worker::remember_reads(const Operation& o, std::uint32_t lanes) {
  const isa::CodeInstruction& info = code_.instructions[o.index];
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    std::uint64_t at = o.a == kNone ? 0 : address_of(o, context, i, info.narrow_address);
    const Space space = space_of(info.reach, at);
    const std::uint32_t writer = space == Space::shared && context.block->async
                                     ? writer_at(context, at, info.access_bytes)
                                     : kNone;
    recorder.undefined_reads[static_cast<std::size_t>(i)] = {o.index, at, space, info.access_bytes,
                                                             writer};
  }
}

/// Undefined values go on into shared and local memory; in global memory they are a finding.
void Worker::store_undefined(const Operation& o, std::uint32_t lanes) {
  const isa::CodeInstruction& info = code_.instructions[o.index];
  std::uint32_t global = 0;
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    std::uint64_t at = address_of(o, context, i, info.narrow_address);
    switch (space_of(info.reach, at)) {
      case Space::shared:
        if (at + info.access_bytes <= context.shared_bytes)
          forget(context.shared_valid, 1, at, info.access_bytes);
        break;
      case Space::local:
        if (at + info.access_bytes <= context.local_bytes)
          forget(context.local_valid + i, kLanes, at, info.access_bytes);
        break;
      default: global |= 1u << i; break;
    }
  }
  if (global != 0) report_undefined(o.index, context, global);
}

void Worker::propagate(const Operation& operation) {
  Context& c = context;
  const isa::Dependence& d = code_.dependences[operation.index];
  const std::uint32_t all = c.mask;
  std::uint32_t lanes = all;
  const Operation* o = &operation;
  if (operation.guard != kNone && operation.full == operation.masked &&
      code_.instructions[operation.index].source->guarded) {
    std::uint32_t guard = mask_at(c, operation.guard);
    lanes &= operation.guard_negated ? ~guard : guard;
    o = reinterpret_cast<const Operation*>(static_cast<std::intptr_t>(operation.immediate));
  }
  if (lanes == 0) return;
  std::uint32_t undefined = 0;
  for (const std::uint32_t at : d.reads) undefined |= mask_at(c, at);
  undefined &= lanes;
  const std::uint32_t address = d.address == kNone ? 0 : mask_at(c, d.address) & lanes;
  if (address != 0) {
    report_undefined(operation.index, c, address);
    set_mask(c, d.address, lanes, 0);
  }
  using Kind = isa::Dependence::Kind;
  switch (d.kind) {
    case Kind::load:
      undefined = c.undefined & lanes;
      c.undefined = 0;
      remember_reads(*o, undefined);
      break;
    case Kind::store:
      if (undefined != 0) store_undefined(*o, undefined);
      break;
    case Kind::atomic: {
      const std::uint32_t read = c.undefined & lanes;
      c.undefined = 0;
      remember_reads(*o, read);
      const std::uint32_t decided =
          undefined | (code_.instructions[o->index].reach == Reach::shared ? 0 : read);
      if (decided != 0) report_undefined(operation.index, c, decided);
      undefined = read & ~decided;
      break;
    }
    case Kind::fetch:
      // The handler has noted which texel it was.
      undefined |= c.undefined & lanes;
      c.undefined = 0;
      break;
    case Kind::put:
      if (undefined != 0) report_undefined(operation.index, c, undefined);
      undefined = 0;
      break;
    case Kind::plain: break;
  }
  for (const std::uint32_t at : d.writes) set_mask(c, at, lanes, undefined);
  // Once nothing is undefined any more, operations run as if nobody had asked.
  if (undefined == 0) {
    const isa::CodeFunction& f = code_.functions[code_.instructions[operation.index].function];
    std::uint32_t left = 0;
    for (std::uint32_t at = f.defined_begin; at < f.defined_end; at += 4) left |= mask_at(c, at);
    c.tainted = left != 0;
  }
}

/// A branch, a barrier or a call through a register that depends on what nobody wrote.
void Worker::decide_exit(const CodeBlock& b, const Fragment& f) {
  const auto index = static_cast<std::size_t>(&b - code_.blocks.data());
  std::uint32_t undefined = 0;
  for (const std::uint32_t at : code_.exits[index].reads) {
    if (at == kNone) continue;
    undefined |= mask_at(context, at) & f.mask;
    set_mask(context, at, f.mask, 0);
  }
  if (undefined == 0) return;
  report_undefined(b.first_instruction + b.instructions - 1, context, undefined);
}

}  // namespace warpbook::device
