// A PTX text as data, which the parser writes and the decoder reads. Nothing here knows how an
// instruction runs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "device/error.hpp"
#include "device/simulator/ptx/words.hpp"

namespace warpbook::device::ptx {

/// Fundamental types (PTX ISA 9.0, 5.2); the last three are opaque, of the module's scope only
/// (5.3).
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  texref,
  samplerref,
  surfref
};
std::uint32_t bytes_of(Type type);  ///< pred: 1; none: 0; opaque ones: a handle's 8

/// The type that a modifier names, Type::none for any other word.
Type type_of(Word word);

/// An immediate that was written as a real, as the bits of a float: exact if it was written 0f..
/// (NaN payloads too), rounded to nearest even otherwise.
std::uint32_t float_bits(std::uint64_t double_bits);

enum class StateSpace : std::uint8_t { reg, sreg, constant, global, local, param, shared, generic };

/// A register of a function, declared by .reg. A range %r<N> has only those that the
/// function names.
struct Register {
  std::string_view name;
  Type type = Type::none;
  std::uint8_t lanes = 1;  ///< 2 or 4: a vector register, .reg .v4 .f32 V
};

inline constexpr std::uint32_t kNone = 0xffffffff;

/// A name of bytes in memory: a module variable, a function's .local or .shared variable, or a
/// parameter.
struct Variable {
  std::string_view name;
  StateSpace space = StateSpace::global;
  Type type = Type::none;       ///< of an element
  std::uint32_t alignment = 0;  ///< bytes; never 0 after parsing
  std::uint64_t bytes = 0;      ///< the whole; 0 for `extern .shared x[]`
  bool external = false, visible = false, weak = false, managed = false, array = false;
  std::uint32_t reg = kNone;  ///< a parameter in space reg: the function's register of that name
  std::vector<std::uint8_t> initial;  ///< the first bytes; all others are zeros
  /// Words of `initial` that hold an address: at `offset`, `bytes` of symbol + addend; generic()
  /// where asked.
  struct Address {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 8;
    std::string_view symbol;
    std::int64_t addend = 0;
    bool generic = false;
    std::uint8_t byte_of = 0xff;  ///< 0 to 7: only that byte of it (mask(symbol)); 0xff: all
  };
  std::vector<Address> addresses;
};

struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,  ///< `index`: register; `component` 0 to 3 for .x .y .z .w of a vector register, else 0xff;
          ///< `bits` the addend of %r+4, signed, 0 where nothing is added
    special,    ///< `word`: %tid ..; `component` as above
    immediate,  ///< `bits`; `is_float` where written as a real: then the bits of a double
    symbol,     ///< `name` of a variable or function, plus `bits` as a signed addend
    address,  ///< [base + bits]: `base` says what: reg (index), symbol (name), none (absolute); the
              ///< rest of a list ([texture, sampler, {x, y}]) is operands().subspan(first, count)
    vector,   ///< {a, b, ..}: operands().subspan(first, count)
    label,    ///< `index`: label of the function
    sink,     ///< _
    list,     ///< ( a, b ): of a call; operands().subspan(first, count)
    table     ///< `index`: of Function::tables
  };
  /// Where a symbol lives: `index` is an index there.
  enum class Home : std::uint8_t { none, variable, parameter, result, module_variable, function };
  Kind kind = Kind::none;
  Kind base = Kind::none;
  /// Where a symbol is: Function::variables, parameters, returns; Module::variables, functions.
  Home home = Home::none;
  std::uint8_t component = 0xff;
  bool negated = false;  ///< !p or -x
  bool is_float = false;
  bool paired = false;  ///< joined by | to the operand before it: q of setp p|q
  /// The selector of a register in a video instruction: Word::b or Word::h, with `count` digits in `bits`, four
  /// bits each, the first written highest: a.b3 is (b, 1, 0x3), a.h10 is (h, 2, 0x10).
  Word word{};
  std::uint32_t index = 0;
  std::uint32_t first = 0, count = 0;
  std::uint64_t bits = 0;
  std::string_view name;
};

/// A place in the source (.loc).
struct Location {
  std::uint32_t file = 0;  ///< index into Module::files; kNone: unknown
  std::uint32_t line = 0, column = 0;
  std::uint32_t inlined_at = kNone;  ///< index into Module::locations of the call's own place
  std::string_view function;         ///< of inlined code, mangled; empty for the function's own
};

/// A call always has the operands (returns), callee, (arguments), and the table where it names one;
/// a list that was not written is empty.
struct Instruction {
  Word opcode{};
  std::uint16_t modifier_count = 0;
  std::uint32_t modifier_first = 0;  ///< into Module::modifiers: ".global", ".v4", ".f32", in order
  std::uint32_t operand_first = 0;   ///< into Module::operands
  std::uint16_t operand_count = 0;   ///< of the top level; vectors and lists hold theirs apart
  bool guarded = false, guard_negated = false;
  std::uint32_t guard = 0;         ///< register
  std::uint32_t location = kNone;  ///< into Module::locations
  /// Bytes in Module::text, guard included, semicolon included.
  std::uint32_t text_begin = 0, text_end = 0;
  std::uint32_t ptx_line = 0;  ///< from 1
};

/// A jump table (.branchtargets), a list of callees (.calltargets) or a signature (.callprototype),
/// by its label.
struct Table {
  enum class Kind : std::uint8_t { branch_targets, call_targets, call_prototype } kind{};
  std::string_view label;
  std::vector<std::uint32_t> labels;          ///< branch targets
  std::vector<std::string_view> functions;    ///< call targets
  std::vector<Variable> returns, parameters;  ///< of a prototype
  bool noreturn = false;                      ///< of a prototype
};

struct Function {
  std::string_view name;
  bool entry = false, external = false, visible = false, weak = false, noreturn = false;
  std::vector<Variable> returns;  ///< .func's return parameter, 0 or 1
  std::vector<Variable> parameters;
  std::vector<Register> registers;
  /// .local, .shared, and .param of calls, scopes flattened (unique by index).
  std::vector<Variable> variables;
  std::vector<std::string_view> label_names;
  /// Label -> index into `instructions`; may equal their count (end).
  std::vector<std::uint32_t> labels;
  std::vector<Instruction> instructions;
  std::vector<Table> tables;
  std::uint32_t max_threads[3] = {0, 0, 0};       ///< .maxntid
  std::uint32_t required_threads[3] = {0, 0, 0};  ///< .reqntid
  std::uint32_t required_cluster[3] = {0, 0, 0};  ///< .reqnctapercluster
  std::uint32_t ptx_line = 0;
};

/// One module. Move-only: the views point into `text` and `debug_strings`.
struct Module {
  std::unique_ptr<const std::string> text;
  std::unique_ptr<const std::string> debug_strings;  ///< the bytes of .debug_str
  std::uint32_t version_major = 0, version_minor = 0;
  std::uint32_t target = 0;  ///< 90 for sm_90
  /// In order of appearance, as written; never opened; empty: not declared.
  std::vector<std::string> files;
  /// The files that its author wrote, without headers of libraries: errors name them. Filled by the caller that loads the
  /// module; empty: not known.
  std::vector<std::string> own_files;
  std::vector<Location> locations;
  std::vector<Word> modifiers;
  std::vector<Operand> operands;
  std::vector<Variable> variables;  ///< module scope: .global, .const, .shared
  /// Definitions, and declarations without a definition (external).
  std::vector<Function> functions;
  std::unordered_map<std::string_view, std::uint32_t> function_by_name;  ///< aliases too
  std::unordered_map<std::string_view, std::uint32_t> variable_by_name;

  [[nodiscard]] std::span<const Word> modifiers_of(const Instruction& i) const {
    return std::span(modifiers).subspan(i.modifier_first, i.modifier_count);
  }
  [[nodiscard]] std::span<const Operand> operands_of(const Instruction& i) const {
    return std::span(operands).subspan(i.operand_first, i.operand_count);
  }
  [[nodiscard]] std::string_view text_of(const Instruction& i) const {
    return std::string_view(*text).substr(i.text_begin, i.text_end - i.text_begin);
  }
};

/// Parses. The error (ErrorCode::ptx_syntax, ptx_limit, not_text) names the PTX line and, where
/// known, the source line. An unknown opcode or modifier is no error here but Word::unknown, so
/// that only what runs must be known; its text is in text_of. Never allocates more than a small
/// multiple of the text.
Expected<Module> parse(std::string text, std::string_view file_name);

}  // namespace warpbook::device::ptx
