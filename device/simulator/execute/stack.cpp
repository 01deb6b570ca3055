#include "device/simulator/execute/common_handlers.hpp"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "device/simulator/isa/decode.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/context.hpp"
#include "device/simulator/state/loaded_module.hpp"

namespace warpbook::device::isa::stack {
namespace {

std::uint64_t value(const Context& c, std::uint32_t row, std::uint32_t bytes, int lane) {
  std::uint64_t v = 0;
  std::memcpy(&v, c.frame + row + static_cast<std::uint32_t>(lane) * bytes, bytes);
  return v;
}
void put(Context& c, std::uint32_t row, std::uint32_t bytes, int lane, std::uint64_t v) {
  std::memcpy(c.frame + row + static_cast<std::uint32_t>(lane) * bytes, &v, bytes);
}

/// The begin of the stack in local memory.
std::uint32_t base(const Context& c) { return c.local_bytes - kAllocaBytes; }

void stop(const DecodedInstruction& o, Context& c, int lane, ErrorCode code, std::string_view key,
          std::uint64_t shown) {
  c.stop(Error{code,
               {{std::string(key), fmt::format("{}", shown)},
                {"thread", std::to_string(c.thread_of(lane))},
                {"block", std::to_string(c.block_index)}},
               place_of(c.module->parsed(), *c.code->instructions[o.index].source)});
}

}  // namespace

void save(const DecodedInstruction& o, Context& c) {
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    put(c, o.d, o.bytes, i, base(c) + c.warp->stack[static_cast<std::size_t>(i)]);
  }
}

void restore(const DecodedInstruction& o, Context& c) {
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    std::uint32_t& used = c.warp->stack[static_cast<std::size_t>(i)];
    const std::uint64_t to = value(c, o.a, o.bytes, i);
    if (to < base(c) || to - base(c) > used) {
      stop(o, c, i, ErrorCode::bad_stack_pointer, "address", to);
      return;
    }
    used = static_cast<std::uint32_t>(to - base(c));
  }
}

void allocate(const DecodedInstruction& o, Context& c) {
  const auto alignment = static_cast<std::uint64_t>(o.immediate);
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    std::uint32_t& used = c.warp->stack[static_cast<std::size_t>(i)];
    const std::uint64_t asked = value(c, o.a, o.bytes, i);
    const std::uint64_t at = (base(c) + used + alignment - 1) / alignment * alignment;
    if (at > c.local_bytes || asked > c.local_bytes - at) {
      stop(o, c, i, ErrorCode::stack_exhausted, "bytes", asked);
      return;
    }
    put(c, o.d, o.bytes, i, at);
    used = static_cast<std::uint32_t>(at + asked - base(c));
  }
}

}  // namespace warpbook::device::isa::stack
