#include "device/simulator/execute/common_handlers.hpp"

#include <bit>
#include <cstring>
#include <mutex>

#include "device/simulator/isa/code.hpp"
#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/cluster.hpp"

namespace warpbook::device::isa {
namespace {
#include "device/narrow.inc"

using WideAtomicElement = WideAtomic::Element;
using Function = WideAtomic::Function;

struct Bits128 {
  std::uint64_t low = 0, high = 0;
  friend bool operator==(const Bits128&, const Bits128&) = default;
};

/// As min and max choose: numbers before NaN, -0 below +0.
template <class F>
std::uint16_t chosen(std::uint16_t a, std::uint16_t b, bool greater) {
  constexpr std::uint16_t kInfinity = ((1u << F::kExponentBits) - 1) << F::kFractionBits;
  const bool nan_a = (a & 0x7fff) > kInfinity, nan_b = (b & 0x7fff) > kInfinity;
  if (nan_a && nan_b) return F::kNan;
  if (nan_a || nan_b) return nan_a ? b : a;
  const auto order = [](std::uint16_t h) {
    return h & 0x8000 ? -static_cast<int>(h & 0x7fff) - 1 : static_cast<int>(h);
  };
  return (order(a) < order(b)) != greater ? a : b;
}

template <class F>
std::uint16_t narrow(Function f, std::uint16_t a, std::uint16_t b) {
  if (f == Function::add) return narrowed<F>(F::to_double(a) + F::to_double(b));
  return chosen<F>(a, b, f == Function::max);
}

template <class F>
std::uint32_t pair(Function f, std::uint32_t a, std::uint32_t b) {
  const auto half = [](std::uint32_t w) { return static_cast<std::uint16_t>(w); };
  return narrow<F>(f, half(a), half(b)) |
         static_cast<std::uint32_t>(narrow<F>(f, half(a >> 16), half(b >> 16))) << 16;
}

/// Global memory flushes subnormals of single precision, as the scalar form does.
std::uint32_t single_sum(std::uint32_t a, std::uint32_t b, bool flush) {
  const auto flushed = [&](std::uint32_t u) {
    return flush && (u & 0x7f800000) == 0 ? u & 0x80000000 : u;
  };
  const auto value = [&](std::uint32_t u) { return std::bit_cast<float>(flushed(u)); };
  const std::uint32_t sum = flushed(std::bit_cast<std::uint32_t>(value(a) + value(b)));
  return (sum & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : sum;
}

std::uint32_t combined(const WideAtomic& w, std::uint32_t old, std::uint32_t b, bool flush) {
  switch (w.element) {
    case WideAtomicElement::f32: return single_sum(old, b, flush);
    case WideAtomicElement::f16:
      return narrow<Half>(w.function, static_cast<std::uint16_t>(old),
                          static_cast<std::uint16_t>(b));
    case WideAtomicElement::bf16:
      return narrow<Brain>(w.function, static_cast<std::uint16_t>(old),
                           static_cast<std::uint16_t>(b));
    case WideAtomicElement::f16x2: return pair<Half>(w.function, old, b);
    case WideAtomicElement::bf16x2: return pair<Brain>(w.function, old, b);
    case WideAtomicElement::b128: break;
  }
  return old;
}

template <class T>
std::uint32_t exchange_element(const WideAtomic& w, std::byte* at, std::uint32_t b, bool flush,
                               bool& changed) {
  auto* word = reinterpret_cast<T*>(at);
  T old = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    const T next = static_cast<T>(combined(w, old, b, flush));
    if (__atomic_compare_exchange_n(word, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      changed |= next != old;
      return old;
    }
  }
}

/// Processors without a 16-byte exchange must do; only atom and red on 128 bits meet here.
Bits128 exchange_128(const WideAtomic& w, std::byte* at, Bits128 b, Bits128 swap, bool& changed) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  auto* words = reinterpret_cast<std::uint64_t*>(at);
  const Bits128 old{__atomic_load_n(words, __ATOMIC_RELAXED),
                    __atomic_load_n(words + 1, __ATOMIC_RELAXED)};
  if (w.function == Function::cas && !(old == b)) return old;
  const Bits128 next = w.function == Function::cas ? swap : b;
  __atomic_store_n(words, next.low, __ATOMIC_RELAXED);
  __atomic_store_n(words + 1, next.high, __ATOMIC_RELAXED);
  changed |= !(next == old);
  return old;
}

/// Whether all of its bytes were defined; now they are.
bool was_valid(std::uint8_t* valid, std::uint64_t at, std::uint32_t bytes) {
  bool all = true;
  for (std::uint64_t granule = at / 4; granule < (at + bytes + 3) / 4; ++granule) {
    const std::uint32_t need = bytes >= 4 ? 0xfu : ((1u << bytes) - 1) << (at % 4);
    all &= (__atomic_load_n(&valid[granule], __ATOMIC_RELAXED) & need) == need;
    __atomic_fetch_or(&valid[granule], static_cast<std::uint8_t>(need), __ATOMIC_RELAXED);
  }
  return all;
}

void lanes(const DecodedInstruction& o, Context& c, const WideAtomic& w,
           const std::uint64_t* address, std::uint32_t mask, Space space) {
  const std::uint32_t total = std::uint32_t{w.bytes} * w.elements;
  const std::uint32_t good =
      admit(o, c, address, mask, space, AccessKind::atomic, total, w.narrow_address);
  std::byte* const base = space == Space::shared ? c.shared : c.global - kGlobalBase;
  std::uint8_t* const valid =
      space == Space::shared ? c.shared_valid : c.global_valid - kGlobalBase / 4;
  bool changed = false;
  std::uint32_t undefined = 0;
  if (c.race) race_scattered(o, c, address, good, space, AccessKind::atomic, total);
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    const bool runs = good >> i & 1;
    if (runs && c.check && !was_valid(valid, address[i], total)) undefined |= 1u << i;
    for (std::uint32_t k = 0; k < w.elements; ++k) {
      const auto lane = static_cast<std::uint32_t>(i) * w.bytes;
      Bits128 old;
      if (runs) {
        std::byte* at = base + address[i] + std::uint64_t{k} * w.bytes;
        Bits128 b, swap;
        std::memcpy(&b, c.frame + w.b[k] + lane, w.bytes);
        if (w.swap != kNone) std::memcpy(&swap, c.frame + w.swap + lane, w.bytes);
        const bool flush = w.flush && space == Space::global;
        if (w.bytes == 16)
          old = exchange_128(w, at, b, swap, changed);
        else if (w.bytes == 4)
          old.low = exchange_element<std::uint32_t>(w, at, static_cast<std::uint32_t>(b.low), flush,
                                                    changed);
        else
          old.low = exchange_element<std::uint16_t>(w, at, static_cast<std::uint32_t>(b.low), flush,
                                                    changed);
      }
      if (w.d[k] != kNone) std::memcpy(c.frame + w.d[k] + lane, &old, w.bytes);
    }
  }
  if (undefined != 0) note_undefined(o, c, address, undefined, space, 1);
  c.changes += changed;
  if (space == Space::global && good) c.wrote_global = true;
  if (c.observed) observe(o, c, address, good, space, AccessKind::atomic, total);
}

/// What lanes get whose block is not there.
void clear(Context& c, const WideAtomic& w, std::uint32_t none) {
  for (std::uint32_t m = none; m != 0; m &= m - 1) {
    for (std::uint32_t k = 0; k < w.elements; ++k) {
      if (w.d[k] != kNone)
        std::memset(c.frame + w.d[k] + static_cast<std::uint32_t>(std::countr_zero(m)) * w.bytes, 0,
                    w.bytes);
    }
  }
}

void begin(const DecodedInstruction& o, Context& c, const WideAtomic& w, std::uint64_t* address) {
  for (int i = 0; i < kLanes; ++i) {
    if (w.narrow_address) {
      address[i] = reinterpret_cast<const std::uint32_t*>(c.frame + o.a)[i] +
                   static_cast<std::uint32_t>(o.immediate);
    } else {
      address[i] = reinterpret_cast<const std::uint64_t*>(c.frame + o.a)[i] +
                   static_cast<std::uint64_t>(o.immediate);
    }
  }
  c.undefined = 0;
  c.sync_read = true;
}

template <Space S>
void in_space(const DecodedInstruction& o, Context& c) {
  const WideAtomic& w = c.code->wide_atomics[o.c];
  std::uint64_t address[kLanes];
  begin(o, c, w, address);
  lanes(o, c, w, address, c.mask, S);
}

}  // namespace

void wide_atomic_global(const DecodedInstruction& o, Context& c) { in_space<Space::global>(o, c); }
void wide_atomic_shared(const DecodedInstruction& o, Context& c) { in_space<Space::shared>(o, c); }

void wide_atomic_generic(const DecodedInstruction& o, Context& c) {
  const WideAtomic& w = c.code->wide_atomics[o.c];
  std::uint64_t address[kLanes];
  begin(o, c, w, address);
  std::uint32_t shared = 0;
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    if (address[i] / kWindowBytes * kWindowBytes == kSharedWindow) shared |= 1u << i;
  }
  if (c.mask & ~shared) lanes(o, c, w, address, c.mask & ~shared, Space::global);
  if (shared != 0) {
    for (auto& at : address) at %= kWindowBytes;
    each_block(
        o, c, AccessKind::atomic, std::uint32_t{w.bytes} * w.elements, address, shared,
        [&](std::uint32_t some) { lanes(o, c, w, address, some, Space::shared); },
        [&](std::uint32_t none) { clear(c, w, none); });
  }
}

}  // namespace warpbook::device::isa
