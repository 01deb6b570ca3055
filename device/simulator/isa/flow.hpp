// The shape of a function: basic blocks, the order in which a warp's fragments should run them, and
// which registers may share a place because they are never alive together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "device/simulator/ptx/module.hpp"

namespace warpbook::device::isa {

/// Instructions [first, end) of the function: entered only at the first, left only after the last.
struct FlowBlock {
  std::uint32_t first = 0, end = 0;
  std::uint32_t successor_first = 0, successor_count = 0;  ///< into Flow::successors
  std::uint32_t position = 0;                              ///< in Flow::order
};

struct Flow {
  std::vector<FlowBlock> blocks;          ///< in text order; the first is the entry
  std::vector<std::uint32_t> successors;  ///< blocks
  /// Blocks in an order in which each comes after all blocks that lead to it, except along the back
  /// edges of loops, and in which the blocks of every loop (strongly connected part) are
  /// together, its head first. Loops with several entries count, too, with one of
  /// the entries as head. Unreachable blocks come last.
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> block_of;  ///< by instruction
  /// By instruction: its place when the blocks are laid out in `order`. The fragment with the
  /// lowest runs first.
  std::vector<std::uint32_t> rank;

  [[nodiscard]] std::span<const std::uint32_t> successors_of(std::uint32_t block) const {
    return std::span(successors)
        .subspan(blocks[block].successor_first, blocks[block].successor_count);
  }
};

/// A call falls through, except to a .noreturn function. brx.idx leads to every label of its table.
Flow find_flow(const ptx::Module& module, const ptx::Function& function);

/// Registers share slots only within a class: they have the same layout, so that a lane's part of a slot is its own
/// for whichever register has the slot.
enum class SlotClass : std::uint8_t {
  predicate,  ///< a 32-bit mask
  narrow,     ///< 32 bits per lane
  wide,       ///< 64 bits per lane
  quad,  ///< 128 bits per lane: .b128 and vector registers, whose layouts differ, so that they share no slot
  half,  ///< 16 bits per lane
  byte   ///< 8 bits per lane
};
inline constexpr std::size_t kSlotClasses = 6;
SlotClass slot_class_of(const ptx::Register& reg);

/// The slot of each register within its class.
struct SlotMap {
  std::vector<std::uint32_t> slot;  ///< by register; ptx::kNone: no instruction names it
  std::array<std::uint32_t, kSlotClasses> slots = {};  ///< the number that each class needs
  std::vector<bool> unwritten;  ///< by register: a path reads it before it writes it
  std::vector<bool> read;       ///< by register: something reads it
  std::vector<bool> read_high;  ///< by register of 64 bits: something reads its upper half
};

/// Linear scan over Flow::order. Two registers have one slot only if no thread ever needs both
/// values; that holds lane by lane, so the handlers must only make sure that a write touches no lane that
/// is not active. A register that may be read before it is written keeps its slot to itself from
/// the function's start, so that "unwritten" has a meaning there.
SlotMap assign_slots(const ptx::Module& module, const ptx::Function& function, const Flow& flow);

}  // namespace warpbook::device::isa
