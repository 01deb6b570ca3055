// atom and red on 128 bits and on vectors of floats (PTX ISA 9.0, 9.7.13.5 and 9.7.13.7). Each element of a vector is an
// atomic operation of its own; the whole is one access, aligned to its size.
#pragma once

#include <array>
#include <cstdint>

#include "device/simulator/isa/decoded_instruction.hpp"

namespace warpbook::device::isa {

/// What does not fit into an DecodedInstruction; its operand c is an index into Code::wide_atomics.
struct WideAtomic {
  enum class Element : std::uint8_t { f32, f16, bf16, f16x2, bf16x2, b128 };
  enum class Function : std::uint8_t { add, min, max, exch, cas };
  Element element = Element::f32;
  Function function = Function::add;
  std::uint8_t elements = 1, bytes = 4;  ///< bytes of an element
  bool narrow_address = false, flush = false;
  std::array<std::uint32_t, 8> d{}, b{};  ///< rows; d kNone where nobody wants the old value
  std::uint32_t swap = kNone;             ///< of cas
};

void wide_atomic_global(const DecodedInstruction& operation, Context& context);
void wide_atomic_shared(const DecodedInstruction& operation, Context& context);
void wide_atomic_generic(const DecodedInstruction& operation, Context& context);

}  // namespace warpbook::device::isa
