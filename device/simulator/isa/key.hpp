// The interface between decoder and handlers: the decoder asks with an opcode, its modifiers and the widths of its registers
// (a key), and a binder answers with handlers (Bound).
#pragma once

#include <cstdint>
#include <span>

#include "device/simulator/isa/common_handlers.hpp"
#include "device/simulator/isa/decoded_instruction.hpp"
#include "device/simulator/ptx/module.hpp"
#include "device/simulator/ptx/words.hpp"

namespace warpbook::device::isa {

using ptx::StateSpace;
using ptx::Type;
using ptx::Word;

using ptx::type_of;

/// An opcode and its modifiers. Each binder consumes the modifiers that it implements; leftovers reject the instruction, so
/// that no modifier is ever ignored by accident. (Only accessors are inline here. An inline function would also be compiled
/// for AVX2, and the linker might keep that copy for all callers.)
class Key {
 public:
  Key(Word opcode, std::span<const Word> modifiers) : opcode_(opcode), modifiers_(modifiers) {}

  [[nodiscard]] Word opcode() const { return opcode_; }
  [[nodiscard]] bool is(Word opcode) const { return opcode_ == opcode; }
  /// Takes the modifier. False where the instruction does not have it.
  bool take(Word modifier);
  [[nodiscard]] bool has(Word modifier) const;
  /// Takes the next type; Type::none where none is left.
  Type take_type();
  [[nodiscard]] bool all_taken() const;
  [[nodiscard]] std::span<const Word> modifiers() const { return modifiers_; }

  std::uint32_t operands = 0;  ///< the number of them
  std::uint32_t
      d_bytes = 0,
      a_bytes = 0;  ///< of the registers of the destination and the first source; 0: not a register
  bool second_destination = false;   ///< setp p|q, shfl d|p
  bool has_boolean_operand = false;  ///< setp and set with a predicate to combine with
  bool perturb = false;              ///< CodeForm::perturb

 private:
  Word opcode_;
  std::span<const Word> modifiers_;
  std::uint64_t taken_ = 0;
};

/// The value of a row in each lane, which determines how a constant becomes a row.
enum class Row : std::uint8_t { none, pred, b8, b16, b32, b64, b128, f32, f64 };
std::uint32_t bytes_of(Row row);  ///< of an element; pred: 4, the whole mask

/// The handlers of an instruction, and the rows of its operands in the order in which they are written: destination first.
struct Bound {
  Handler full = nullptr, masked = nullptr;
  Row d = Row::none, a = Row::none, b = Row::none, c = Row::none, e = Row::none;
  std::int64_t immediate = 0;
  explicit operator bool() const { return full != nullptr; }
};

struct MemoryKey {
  StateSpace space = StateSpace::generic;
  bool store = false;
  std::uint32_t bytes = 0;           ///< of an element in memory
  std::uint32_t register_bytes = 0;  ///< of an element's register
  bool sign_extends = false;
  std::uint32_t elements = 1;   ///< of a vector
  bool narrow_address = false;  ///< 32-bit address register
  bool fixed = false;           ///< of .param: the place is known, and is the immediate
  bool in_frame = false;        ///< of .param: of a function, not of the kernel
};

struct AtomicKey {
  StateSpace space = StateSpace::generic;
  Word operation = Word::unknown;  ///< add, min, max, inc, dec, cas, exch, and_, or_, xor_
  Type type = Type::none;
  bool returns = false, narrow_address = false, flush = true;
};

struct MatrixKey;
struct MatrixDetail;
/// d = a b + c on the rows of a frame (isa/matrix.hpp).
using MatrixHandler = void (*)(const MatrixDetail&, std::byte* frame);

/// One build of all handlers: the same source, compiled for one instruction set of the host.
struct HandlerBuild {
  const char* name;
  const CommonHandlers& common;
  Bound (*integer)(Key&);
  Bound (*bits)(Key&);
  Bound (*floating)(Key&);
  Bound (*half)(Key&);
  Bound (*convert)(Key&);
  Bound (*compare)(Key&);
  Bound (*move)(Key&);
  /// mov between a register and a vector of `parts`; unpacking has the vector on the left.
  Bound (*pack)(std::uint32_t parts, std::uint32_t part_bytes, bool unpack);
  Bound (*memory)(const MemoryKey&);
  Bound (*atomic)(const AtomicKey&);
  MatrixHandler (*matrix)(const MatrixKey&);  ///< null where there is none
};

extern const HandlerBuild kSse2Handlers;
extern const HandlerBuild kAvx2Handlers;  ///< only where the processor has AVX2, FMA and F16C

}  // namespace warpbook::device::isa
