// The decoder's own state, shared by its parts: decode.cpp (functions and blocks), decode_operands.cpp (rows),
// decode_plain.cpp and decode_move.cpp (operations that compute), decode_memory.cpp and decode_control.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/simulator/isa/code.hpp"
#include "device/simulator/isa/decode.hpp"
#include "device/simulator/isa/flow.hpp"
#include "device/simulator/isa/forms.hpp"

namespace warpbook::device::isa {

// Modifiers of instructions that the decoder makes up itself.
inline constexpr Word kMove32[] = {Word::b32}, kMove64[] = {Word::b64}, kAdd32[] = {Word::u32},
                      kAdd64[] = {Word::u64};
inline constexpr Word kNonZeroOr[] = {Word::ne, Word::or_, Word::b32},
                      kNonZeroAnd[] = {Word::ne, Word::and_, Word::b32},
                      kNonZero[] = {Word::ne, Word::b32};

/// An instruction with the handlers that were found for it, still without operands.
[[nodiscard]] inline DecodedInstruction operation_of(const Bound& bound) {
  DecodedInstruction o;
  o.full = bound.full;
  o.masked = bound.masked;
  o.immediate = bound.immediate;
  return o;
}

/// An untyped row with so many bytes per lane.
Row row_of_bits(std::uint32_t bytes);

/// Special registers of several parts, of which an instruction names one (PTX ISA 9.0, 10).
bool has_parts(Word word);

/// Decodes one function into `code`. Errors are thrown as Error inside and caught in decode().
class FunctionDecoder {
 public:
  FunctionDecoder(const ptx::Module& module, std::uint32_t source, std::uint32_t self,
                  const Placement& placement, const SharedLayout& shared,
                  const HandlerBuild& handlers, CodeForm form, bool entry, Code& code)
      : module_(module),
        function_(module.functions[source]),
        placement_(placement),
        shared_(shared),
        handlers_(handlers),
        form_(form),
        entry_(entry),
        self_(self),
        code_(code) {}
  void run();

  /// Bytes of rows in a frame: far above what any kernel for a GPU needs.
  static constexpr std::uint32_t kFrameLimit = 16u << 20;

 private:
  using Operand = ptx::Operand;
  using Instruction = ptx::Instruction;

  // decode.cpp
  void lay_frame_out();
  void finish_frame();
  void instruction(const Instruction& i);
  void begin_block(std::uint32_t first_instruction);
  void begin_hidden_block(std::uint32_t rank_of_instruction);
  void end_block(Exit exit, std::uint32_t detail, bool counts);
  void link_blocks();
  /// Refuses the instruction at hand in a module of an earlier version or target, because its operands (not its form) need
  /// `first`.
  void needs(Dialect first) const;
  [[noreturn]] void unsupported(const Instruction& i) const;
  [[noreturn]] void too_large(std::string_view limit) const;
  [[noreturn]] void unresolved(const Instruction& i, std::string_view name) const;

  // decode_operands.cpp
  std::uint32_t row_of_register(std::uint32_t reg, std::uint8_t component = 0xff) const;
  std::uint32_t register_bytes(const Operand& o) const;
  std::uint32_t constant_row(Row kind, std::uint64_t bits);
  std::uint32_t constant_of(const Operand& o, Row kind);
  std::uint32_t source_row(const Operand& o, Row kind);
  std::uint32_t register_source(const Operand& o);
  std::uint32_t special_source(const Operand& o, Row kind);
  std::uint32_t temporaries() const;
  std::uint32_t destination_row(const Operand& o, Row kind);
  std::uint32_t undefined_mask(std::uint32_t row) const;
  /// Notes for initcheck that one operand may settle the result of the instruction at hand.
  void choose(Choice choice);
  std::optional<std::uint64_t> address_of_symbol(const Operand& o);
  const ptx::Variable* variable_of(const Operand& o) const;
  std::uint32_t element_address(const Operand& o, StateSpace space);
  std::uint32_t local_offset(const ptx::Variable* v) const;
  ParameterPlace parameter_place(const ptx::Variable& v);

  // emission
  /// A `hidden` instruction only prepares another one and is not counted.
  void emit(const DecodedInstruction& o, bool hidden = false);
  void depend(Dependence d);
  void read(std::uint32_t row);
  void write(std::uint32_t row);

  // decode_plain.cpp
  bool plain(const Instruction& i);
  bool active_mask(const Instruction& i);
  bool cache_policy(const Instruction& i);
  bool from_family(const Instruction& i);
  bool is_as_wide_as(const Operand& o, Type type) const;
  bool conversion_fits(const Instruction& i) const;
  bool operands_may_be_sums(const Instruction& i) const;
  bool registers_fit(const Instruction& i) const;
  bool comparison(const Key& key, const Bound& bound, std::span<const Operand> destinations,
                  std::span<const Operand> sources);
  bool convert_address(const Instruction& i);
  bool is_space(const Instruction& i);
  bool lop3_with_predicate(const Instruction& i);
  Bound bind(Key& key) const;

  // decode_move.cpp
  bool move(const Instruction& i);
  bool move_vector(const Instruction& i);
  bool special(const Instruction& i, const Operand& from);
  bool special_vector(const Instruction& i, const Operand& from);
  bool special_whole(const Operand& from, const Operand& to);
  bool convert_special(const Instruction& i);
  DecodedInstruction special_register(const Operand& from, std::uint32_t bytes);
  bool symbol(const Instruction& i);
  bool pack(const Instruction& i);
  std::optional<bool> negated_predicates(const Instruction& i);

  // decode_video.cpp, decode_packed.cpp, decode_stack.cpp
  bool video(const Instruction& i);
  bool convert_packed(const Instruction& i);
  bool stack(const Instruction& i);

  // decode_memory.cpp
  bool memory(const Instruction& i);
  bool load_or_store(const Instruction& i);
  bool find_register_width(std::span<const Operand> values, MemoryKey& key) const;
  bool value_rows(const Instruction& i, std::span<const Operand> values, const MemoryKey& key,
                  DecodedInstruction& o);
  bool atomic(const Instruction& i);
  bool wide_atomic(const Instruction& i);
  void note_width(StateSpace space, std::uint32_t bytes);
  void mark_validated_loads();
  bool fixed_parameter(const Instruction& i, const Operand& address, MemoryKey& key,
                       DecodedInstruction& o);
  void address(const Operand& a, StateSpace space, DecodedInstruction& o, bool& narrow);

  // decode_texture.cpp
  bool texture(const Instruction& i);
  bool fetch(const Instruction& i);
  bool query(const Instruction& i);
  bool is_object(const Instruction& i);
  bool surface(const Instruction& i);
  void object_operand(const Operand& a, TextureDetail& t);
  bool coordinates(const Operand& a, TextureDetail& t);
  bool results(const Operand& o, TextureDetail& t);
  std::vector<Operand> parts(const Operand& o) const;
  void emit_texture(Handler handler, const TextureDetail& t, Dependence::Kind kind);

  // decode_control.cpp
  bool control(const Instruction& i);
  void branch_table(const Instruction& i);

  // decode_call.cpp
  void call(const Instruction& i);
  void ret(bool falls_off);
  std::uint32_t registers_in_calls() const;
  void take_parameters();
  void find_addressed_parameters();
  DecodedInstruction parameter_copy(std::uint32_t row, std::uint32_t bytes,
                                    const ParameterPlace& place, std::uint32_t at, bool store);
  DecodedInstruction local_copy(Handler handler, const ptx::Variable& v, std::uint32_t local) const;
  std::vector<DecodedInstruction> predicate_copy(std::uint32_t row, const ParameterPlace& place,
                                                 bool store);
  std::vector<DecodedInstruction> register_copy(std::uint32_t reg, const ParameterPlace& place,
                                                bool store);
  void pass(const Operand& o, const ptx::Variable& formal, const ParameterPlace& place, bool result,
            std::vector<DecodedInstruction>& loads);
  void barrier(const Instruction& i, Key& key);
  bool warp_sync(const Instruction& i);

  // decode_matrix.cpp
  bool matrix(const Instruction& i);
  bool wmma(const Instruction& i);
  bool wmma_memory(Key& key, std::span<const Operand> ops, MatrixDetail& x);
  bool mma(const Instruction& i);
  bool matrix_rows(const Instruction& i);
  bool move_matrix(const Instruction& i);
  bool fragment(const Operand& o, MatrixElement element, std::size_t count, bool written,
                MatrixFragment& to);
  void matrix_address(const Operand& o, bool store, std::uint32_t piece_bytes, MatrixDetail& x);
  void end_matrix(const Instruction& i, MatrixDetail x);

  // decode_async.cpp, decode_bulk.cpp
  bool asynchronous(const Instruction& i);
  bool async_copy(const Instruction& i, Key& key);
  bool mbarrier(const Instruction& i, Key& key);
  bool bulk(const Instruction& i, Key& key);
  bool bulk_copy(const Instruction& i, Key& key);
  bool store_async(const Instruction& i, Key& key);
  bool fence(const Instruction& i, Key& key);
  AsyncAddress async_address(const Operand& a, StateSpace space, bool cluster);
  void emit_async(Handler handler, AsyncDetail detail, std::uint32_t memo_bytes);

  // decode_cluster.cpp
  bool cluster(const Instruction& i);
  bool map_address(const Instruction& i, Key& key);
  void cluster_window(DecodedInstruction& o, bool& narrow);

  std::span<const Operand> operands(const Instruction& i) const { return module_.operands_of(i); }

  const ptx::Module& module_;
  const ptx::Function& function_;
  const Placement& placement_;
  const SharedLayout& shared_;
  const HandlerBuild& handlers_;
  const CodeForm form_;
  const bool entry_;
  const std::uint32_t self_;
  Code& code_;

  Flow flow_;
  SlotMap slots_;
  std::uint32_t predicates_ = 0, narrow_ = 0, wide_ = 0, quad_ = 0, half_ = 0,
                byte_ = 0;  ///< the begin of each class of slots in the frame
  std::uint32_t masks_ = 0, slots_count_ = 0;
  std::uint32_t top_ = 0;          ///< frame bytes so far
  std::uint32_t call_places_ = 0;  ///< the place of the next argument that is in a register
  static constexpr std::uint32_t kCallPlaceBytes = 16 * 32;
  std::uint32_t scratch_ =
      0;  ///< a row of up to 128 bits per lane, between an instruction and a hidden one that prepares it
  std::uint32_t temporaries_ = 0,
                next_temporary_ = 0;  ///< rows of operands that are computed before the instruction
  static constexpr std::uint32_t kTemporaryBytes = 8 * 32;
  std::uint32_t constants_base_ = 0, constant_bytes_ = 0;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> constants_;
  std::vector<std::pair<std::uint32_t, std::vector<std::byte>>> constant_rows_;
  std::map<const ptx::Variable*, ParameterPlace> places_;
  std::map<const ptx::Variable*, std::uint32_t> locals_;
  std::uint32_t local_bytes_ = 0;
  std::vector<DecodedInstruction>* operations_ = nullptr;

  // The basic block under construction. Blocks refer to their instructions by index until the function is complete.
  struct Pending {
    BasicBlock block;
    std::uint32_t first_operation = 0;
    std::uint32_t source_next = ptx::kNone, source_target = ptx::kNone;  ///< instructions
    bool next_follows = false;  ///< the next block is the one made after it
  };
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> block_at_;  ///< by instruction: the block that it begins, or kNone
  static constexpr std::uint32_t kUnlinked =
      0x80000000;  ///< marks the index of an instruction where the index of a block will be
  Family family_ = Family::other;  ///< of the instruction at hand
  bool closed_ = false;            ///< the last instruction ended its block
  std::uint32_t current_ = 0;      ///< instruction of the function
  std::uint32_t code_index_ = 0;   ///< in Code::instructions
};

}  // namespace warpbook::device::isa
