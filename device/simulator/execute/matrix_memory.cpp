// wmma.load, wmma.store, ldmatrix and stmatrix: memory to a tile and the tile to rows, or the other way round.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "device/simulator/execute/handlers/prelude.hpp"
#include "device/simulator/execute/matrix.hpp"
#include "device/simulator/isa/matrix.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {
namespace {
using isa::Bound;
using isa::Row;
using isa::Type;
#include "device/simulator/execute/handlers/lanes.inc"

#include "device/simulator/execute/handlers/access.inc"

using isa::MatrixDetail;

constexpr std::size_t kTileBytes = 1024;  ///< 256 accumulators of 32 bits are the most
constexpr std::size_t kLines = 32;

/// A matrix in transit: its lines, the address of each, and for initcheck the undefined bytes.
struct Tile {
  Space space = Space::global;
  std::array<std::uint64_t, kLines> line{};
  alignas(64) std::byte bytes[kTileBytes];
  bool any_undefined = false;
  std::array<bool, kTileBytes> undefined{};
};

std::uint64_t lane_address(const MatrixDetail& x, const Context& c, int lane) {
  const auto l = static_cast<std::size_t>(lane);
  if (x.narrow_address) {
    std::uint32_t a;
    std::memcpy(&a, c.frame + x.access.a + 4 * l, sizeof a);
    return static_cast<std::uint32_t>(a + static_cast<std::uint32_t>(x.access.immediate));
  }
  std::uint64_t a;
  std::memcpy(&a, c.frame + x.access.a + 8 * l, sizeof a);
  return a + static_cast<std::uint64_t>(x.access.immediate);
}

/// The addresses of the lines. Generic addresses become offsets in their space. ldmatrix and stmatrix only access shared
/// memory, so an address elsewhere is out of its bounds.
std::optional<Disagreement> find_lines(const MatrixDetail& x, const Context& c, Tile& tile) {
  const auto in_shared = [](std::uint64_t a) {
    return a / kWindowBytes * kWindowBytes == kSharedWindow;
  };
  if (x.lanes_name_lines) {
    tile.space = Space::shared;
    for (std::uint32_t i = 0; i < x.lines; ++i) {
      const std::uint64_t a = lane_address(x, c, static_cast<int>(i));
      tile.line[i] = x.space == isa::StateSpace::generic && in_shared(a) ? a - kSharedWindow : a;
    }
    return std::nullopt;
  }
  std::uint64_t base = lane_address(x, c, 0);
  for (int i = 1; i < kLanes; ++i) {
    if (lane_address(x, c, i) != base) return Disagreement{"address", i};
  }
  std::uint64_t stride = x.line_bytes;
  if (x.stride.row != kNone) {
    std::uint32_t elements[kLanes];
    std::memcpy(elements, c.frame + x.stride.row, sizeof elements);
    for (int i = 1; i < kLanes; ++i) {
      if (elements[i] != elements[0]) return Disagreement{"stride", i};
    }
    stride = std::uint64_t{elements[0]} * x.element_bits / 8;
  }
  const bool shared = x.space == isa::StateSpace::shared ||
                      (x.space == isa::StateSpace::generic && in_shared(base));
  tile.space = shared ? Space::shared : Space::global;
  if (x.space == isa::StateSpace::generic && shared) base -= kSharedWindow;
  for (std::uint32_t i = 0; i < x.lines; ++i) tile.line[i] = base + i * stride;
  return std::nullopt;
}

/// Calls visit(addresses, places in the tile, lanes) for every request.
template <class Visit>
void visit_requests(const MatrixDetail& x, const Tile& tile, Visit&& visit) {
  const std::uint32_t piece = x.access.bytes, across = x.line_bytes / piece;
  const std::uint32_t lines = std::min(x.lines, kLanes / across);
  const std::uint32_t lanes = lines * across;
  const std::uint32_t mask = lanes == kLanes ? ~0u : (1u << lanes) - 1;
  for (std::uint32_t first = 0; first < x.lines; first += lines) {
    std::uint64_t address[kLanes] = {};
    std::uint32_t place[kLanes] = {};
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const std::uint32_t line = first + lane % lines, in_line = lane / lines * piece;
      address[lane] = tile.line[line] + in_line;
      place[lane] = line * x.line_bytes + in_line;
    }
    visit(address, place, mask);
  }
}

/// The lanes of a request that may go on: counted and, where they are not, reported.
template <Space S>
std::uint32_t ask(const MatrixDetail& x, Context& c, const std::uint64_t* address,
                  std::uint32_t mask, AccessKind kind) {
  c.mask = mask;
  // The memo knows loads and stores of constants apart no more than admit() did when it made it: one operation is one kind.
  std::uint32_t good = mask;
  if (!covered<S>(c, x.access, c.memos[x.access.memo], address, address[0], address[0],
                  x.access.bytes))
    good = admit(x.access, c, address, mask, S, kind, x.access.bytes, false);
  if (c.race) race_scattered(x.access, c, address, good, S, kind, x.access.bytes);
  return good;
}

template <Space S>
void fetch_tile(const MatrixDetail& x, Context& c, Tile& tile) {
  const std::uint32_t piece = x.access.bytes;
  visit_requests(
      x, tile, [&](const std::uint64_t* address, const std::uint32_t* place, std::uint32_t mask) {
        const std::uint32_t good = ask<S>(x, c, address, mask, AccessKind::load);
        for (std::uint32_t m = mask; m != 0; m &= m - 1) {
          const int i = std::countr_zero(m);
          std::byte* to = tile.bytes + place[i];
          const std::byte* from = host_base<S>(c) + address[i];
          if (!(good >> i & 1)) {
            std::memset(to, 0, piece);
          } else if (piece == 16) {
            const Quad v = fetch<Quad>(from);
            std::memcpy(to, &v, sizeof v);
          } else {
            const auto v = fetch<std::uint64_t>(from);
            std::memcpy(to, &v, sizeof v);
          }
        }
        if (c.check) {
          const std::uint8_t* valid = valid_base<S>(c);
          for (std::uint32_t m = undefined_lanes(valid, address, good, piece); m != 0; m &= m - 1) {
            const int i = std::countr_zero(m);
            tile.any_undefined = true;
            for (std::uint32_t k = 0; k < piece; ++k) {
              const std::uint64_t at = address[i] + k;
              tile.undefined[place[i] + k] = (valid[at / 4] >> (at % 4) & 1) == 0;
            }
          }
        }
        if (c.observed) observe(x.access, c, address, good, S, AccessKind::load, piece);
      });
}

template <Space S>
void put_tile(const MatrixDetail& x, Context& c, const Tile& tile) {
  const std::uint32_t piece = x.access.bytes;
  visit_requests(x, tile,
                 [&](const std::uint64_t* address, const std::uint32_t* place, std::uint32_t mask) {
                   const std::uint32_t good = ask<S>(x, c, address, mask, AccessKind::store);
                   for (std::uint32_t m = good; m != 0; m &= m - 1) {
                     const int i = std::countr_zero(m);
                     const std::byte* from = tile.bytes + place[i];
                     std::byte* to = host_base<S>(c) + address[i];
                     if (piece == 16) {
                       Quad v;
                       std::memcpy(&v, from, sizeof v);
                       put<Quad>(to, v);
                     } else {
                       std::uint64_t v;
                       std::memcpy(&v, from, sizeof v);
                       put<std::uint64_t>(to, v);
                     }
                   }
                   mark_lanes(valid_base<S>(c), address, good, piece);
                   if (S == Space::global && good) c.wrote_global = true;
                   if (S == Space::shared && tile.any_undefined) {
                     // Undefined values stay undefined in shared memory.
                     for (std::uint32_t m = good; m != 0; m &= m - 1) {
                       const int i = std::countr_zero(m);
                       for (std::uint32_t k = 0; k < piece; ++k) {
                         const std::uint64_t at = address[i] + k;
                         if (tile.undefined[place[i] + k])
                           c.shared_valid[at / 4] &= static_cast<std::uint8_t>(~(1u << (at % 4)));
                       }
                     }
                   }
                   if (c.observed) observe(x.access, c, address, good, S, AccessKind::store, piece);
                 });
}

/// The tile's bytes that a register of a lane holds, part by part: visit(place in the tile, place in the word, bytes).
template <class Visit>
void visit_parts(const MatrixDetail& x, std::size_t q, std::size_t lane, Visit&& visit) {
  const std::uint32_t bytes = x.places.word / x.places.parts;
  const std::uint16_t* at = x.places.bytes.data() + (q * kLanes + lane) * x.places.parts;
  for (std::uint32_t p = 0; p < x.places.parts; ++p) visit(at[p], p * bytes, bytes);
}

/// `Bytes` is the size of a part. It is a constant, so that copies become moves.
template <std::uint32_t Bytes>
void distribute(const MatrixDetail& x, const Context& c, const Tile& tile) {
  const std::uint32_t parts = x.places.parts;
  const std::uint16_t* at = x.places.bytes.data();
  for (const isa::MatrixRegister& r : x.d.registers) {
    std::byte* to = c.frame + r.row;
    for (std::uint32_t i = 0; i < kLanes * parts; ++i)
      std::memcpy(to + i * Bytes, tile.bytes + *at++, Bytes);
  }
}

void to_registers(const MatrixDetail& x, Context& c, const Tile& tile) {
  switch (x.places.word / x.places.parts) {
    case 1: distribute<1>(x, c, tile); break;
    case 2: distribute<2>(x, c, tile); break;
    case 4: distribute<4>(x, c, tile); break;
    default: distribute<8>(x, c, tile); break;
  }
  if (!c.check || (!c.tainted && !tile.any_undefined)) return;
  auto& reads = c.observer->undefined_reads;
  for (std::size_t q = 0; q < x.d.registers.size(); ++q) {
    std::uint32_t lanes = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      visit_parts(x, q, lane, [&](std::uint32_t at, std::uint32_t, std::uint32_t bytes) {
        for (std::uint32_t k = 0; k < bytes; ++k) {
          if (!tile.undefined[at + k]) continue;
          lanes |= 1u << lane;
          const std::uint32_t width = std::max<std::uint32_t>(1, x.element_bits / 8);
          const std::uint64_t address = tile.line[at / x.line_bytes] + (at + k) % x.line_bytes;
          reads[lane] = {x.index, address / width * width, tile.space, width};
        }
      });
    }
    set_undefined_lanes(c, x.d.registers[q].undefined, lanes);
    c.tainted |= lanes != 0;
  }
}

void from_registers(const MatrixDetail& x, Context& c, Tile& tile) {
  std::uint32_t lost = 0;
  for (std::size_t q = 0; q < x.a.registers.size(); ++q) {
    const isa::MatrixRegister& r = x.a.registers[q];
    const std::uint32_t undefined = c.check && c.tainted ? undefined_lanes_of(c, r.undefined) : 0;
    lost |= undefined;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::byte* word = c.frame + r.row + lane * x.places.word;
      visit_parts(x, q, lane, [&](std::uint32_t at, std::uint32_t in_word, std::uint32_t bytes) {
        std::memcpy(tile.bytes + at, word + in_word, bytes);
        if (undefined >> lane & 1) std::fill_n(tile.undefined.begin() + at, bytes, true);
      });
    }
  }
  tile.any_undefined = lost != 0;
  if (lost != 0 && tile.space != Space::shared) report_undefined(x.index, c, lost);
}

/// Reports an undefined address or stride.
void check_operands(const MatrixDetail& x, Context& c) {
  const std::uint32_t used = x.lanes_name_lines && x.lines < kLanes ? (1u << x.lines) - 1 : ~0u;
  for (const std::uint32_t mask : {x.address_undefined, x.stride.undefined}) {
    const std::uint32_t lanes = undefined_lanes_of(c, mask) & used;
    if (lanes == 0) continue;
    report_undefined(x.index, c, lanes);
    set_undefined_lanes(c, mask, 0);
  }
}

}  // namespace

std::optional<Disagreement> move_matrix(const MatrixDetail& x, Context& c) {
  Tile tile;
  if (c.check && c.tainted) check_operands(x, c);
  if (const auto wrong = find_lines(x, c, tile)) return wrong;
  if (x.operation == isa::MatrixOperation::load) {
    if (tile.space == Space::shared)
      fetch_tile<Space::shared>(x, c, tile);
    else
      fetch_tile<Space::global>(x, c, tile);
    to_registers(x, c, tile);
  } else {
    from_registers(x, c, tile);
    ++c.changes;
    if (tile.space == Space::shared)
      put_tile<Space::shared>(x, c, tile);
    else
      put_tile<Space::global>(x, c, tile);
  }
  c.mask = ~0u;
  return std::nullopt;
}

}  // namespace warpbook::device
